"""Choosing: what members have set for themselves; by their own mail, and at the shell."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pbem.matches.match import PlayerId
from pbem.matches.zones import day_at
from pbem.ports.room import PageKind
from pbem.service.clocks.calendar import choose_calendar, with_calendar
from pbem.service.clocks.schedule import reschedule
from pbem.service.members.often import REST, free_at, note
from pbem.service.work import Work
from pbem.settings import autoleave, calendar, mails, nights, players_settings
from pbem.settings.api import Setting, SettingError


def setting_of(key: str) -> Setting | None:
    """What members set under a key, whatever the case of its letters."""
    return next((each for each in players_settings() if each.key == key.casefold()), None)


def choose_oneself(work: Work, player: PlayerId, setting: Setting, value: str) -> None:
    """The same by a member's own mail; raises SettingError if they shift their rest too often."""
    member = work.players.get(player)
    if setting.rest and value not in (setting.of(member), nights.NONE):
        again = free_at(work, player, REST)
        if again is not None:
            day = day_at(again, member.time_zone) + timedelta(days=1)
            raise SettingError(
                f"zone and nights change {REST.most} times in {REST.span.days} days at most;"
                f" you can set them again on {day}"
            )
        note(work, player, REST)
    choose(work, player, setting, value)


def choose(work: Work, player: PlayerId, setting: Setting, value: str) -> None:
    """Sets a value that the setting has read; their clocks and their page go by it."""
    if setting is calendar.SETTING:
        choose_calendar(work, with_calendar(work.club, work.players.get(player), value))
        return
    if setting is autoleave.SETTING and setting.of(work.players.get(player)) != value:
        work.players.choose(player, autoleave.SINCE_KEY, work.now.isoformat())
    work.players.choose(player, setting.key, value)
    if setting.timed:
        reschedule(work, work.players.get(player))
    if setting.shown:
        work.stale.mark(PageKind.PERSON, [player])
        work.jobs.enqueue("pages")


def choose_mails(work: Work, player: PlayerId, match: int, choice: str) -> None:
    """Sets which mails of one match they get."""
    work.players.choose(player, mails.key_for(match), choice)


def mails_chosen(work: Work, player: PlayerId) -> Sequence[tuple[int, str]]:
    """Matches that they play and have chosen something for, each with the choice."""
    settings = work.players.get(player).settings
    chosen = (
        (match.id, settings.get(mails.key_for(match.id), mails.USUAL))
        for match in work.matches.of_player(player)
    )
    return [each for each in chosen if each[1] != mails.USUAL]
