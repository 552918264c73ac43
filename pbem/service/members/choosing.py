"""Choosing: store what members have set, with a limit on how often some settings change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.matches.match import PlayerId
from pbem.matches.zones import day_at
from pbem.ports.room import PageKind
from pbem.service.clocks.schedule import SECRET_FILES, choose_file, reschedule, with_file
from pbem.service.waiting_news import reschedule_news
from pbem.service.work import Work
from pbem.settings import (
    Setting,
    SettingError,
    autoleave,
    mails,
    nights,
    players_settings,
    zone,
)


def setting_of(key: str) -> Setting | None:
    """Return the setting with a key, in any case."""
    return next((each for each in players_settings() if each.key == key.casefold()), None)


def choose_oneself(work: Work, player: PlayerId, setting: Setting, value: str) -> None:
    """Store a member's setting from their own email. Raises SettingError beyond a change limit."""
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
    """Store a value that the setting has read. Updates the member's clocks and page."""
    if file := SECRET_FILES.get(setting.key):
        choose_file(work, with_file(work.club, work.players.get(player), file, value), file)
        return
    if setting is autoleave.SETTING and setting.of(work.players.get(player)) != value:
        work.players.choose(player, autoleave.SINCE_KEY, work.now.isoformat())
    work.players.choose(player, setting.key, value)
    if setting.timed:
        reschedule(work, work.players.get(player))
    if setting in (mails.SETTING, zone.SETTING):
        reschedule_news(work, work.players.get(player))
    if setting.shown:
        work.stale.mark(PageKind.PERSON, [player])
        work.jobs.enqueue("pages")


def choose_mails(work: Work, player: PlayerId, match: int, choice: str) -> None:
    """Store which emails of a match a member gets."""
    work.players.choose(player, mails.key_for(match), choice)
    member = work.players.get(player)
    news = work.waiting_news.in_match(match, lock=True).get(player)
    if news is not None and mails.chosen(member, work.matches.get(match)) != mails.DIGEST:
        work.waiting_news.put(replace(news, due_at=work.now))


def mails_chosen(work: Work, player: PlayerId) -> Sequence[tuple[int, str]]:
    """Return the running matches for which a member chose which emails to get, with the choice."""
    settings = work.players.get(player).settings
    chosen = (
        (match.id, settings.get(mails.key_for(match.id), mails.USUAL))
        for match in work.matches.of_player(player)
    )
    return [each for each in chosen if each[1] != mails.USUAL]


@dataclass(frozen=True)
class ChangeLimit:
    """A limit on how often a member can change something."""

    key: str
    """Key of the times of the latest changes, stored with the member's settings."""
    most: int
    span: timedelta


REST = ChangeLimit("rest changed", 3, timedelta(days=7))
"""Nights and time zone. A member who shifted them twice a day would have a clock that never runs.
"""
LEAVE = ChangeLimit("leave changed", 10, timedelta(days=1))
"""Leave and its end. All opponents get an email each time."""


def free_at(work: Work, player: PlayerId, bound: ChangeLimit) -> datetime | None:
    """Return when a member can make the next change, None if now."""
    made = _made(work, player, bound)
    return None if len(made) < bound.most else made[-bound.most] + bound.span


def note(work: Work, player: PlayerId, bound: ChangeLimit) -> None:
    """Record that a member made a change."""
    made = [*_made(work, player, bound), work.now][-bound.most :]
    work.players.choose(player, bound.key, " ".join(each.isoformat() for each in made))


def _made(work: Work, player: PlayerId, bound: ChangeLimit) -> list[datetime]:
    """Return the changes that count, oldest first."""
    written = work.players.get(player).settings.get(bound.key, "").split()
    moments = map(datetime.fromisoformat, written)
    return [each for each in moments if work.now - bound.span < each <= work.now]
