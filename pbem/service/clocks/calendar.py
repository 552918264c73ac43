"""Calendar: the turns of a player as events, and the secret address of the feed that has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import structlog

from pbem.archive.site import addresses
from pbem.mail.outgoing.calendar import TurnEvent, attached
from pbem.mail.outgoing.letter import Attachment
from pbem.mail.outgoing.render import Renderer
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.time_control import FLAG
from pbem.ports.room import PageKind
from pbem.service.club import Club
from pbem.service.trace import trace_of
from pbem.service.work import Work
from pbem.settings import calendar

log = structlog.get_logger(__name__)

SUMMARY = "_calendar.txt.j2"
ATTACHED_AS = "text/calendar; method=PUBLISH"


def with_calendar(club: Club, player: Player, value: str) -> Player:
    """The player as they are once they have turned it on or off, or asked for another address."""
    stored = calendar.OFF if value == calendar.OFF else calendar.ON
    chosen = {**player.settings, calendar.SETTING.key: stored}
    if value == calendar.OFF:
        chosen[calendar.ADDRESS_KEY] = ""
    elif value == calendar.NEW or not chosen.get(calendar.ADDRESS_KEY):
        chosen[calendar.ADDRESS_KEY] = club.unique() + club.unique()
    return replace(player, settings=chosen)


def choose_calendar(work: Work, player: Player) -> None:
    """Stores what a player is to have; their feed is written, or goes."""
    for key in (calendar.SETTING.key, calendar.ADDRESS_KEY):
        work.players.choose(player.id, key, player.settings[key])
    work.stale.mark(PageKind.FEED, [player.id])
    work.jobs.enqueue("pages")


def address_of(club: Club, player: Player) -> str:
    """Where their feed can be read; empty if there is none, or no address of the site is known."""
    secret = calendar.secret_of(player)
    if not secret or club.room is None or not club.room.site.url:
        return ""
    return club.room.site.url + addresses.deadlines(player.id, secret)


def turn_event(
    renderer: Renderer, host: str, match: MatchSummary, player: PlayerId
) -> TurnEvent | None:
    """The turn that a player is to play in a match; None if it is not theirs."""
    if match.player_to_act != player or match.result is not None or match.turn_started_at is None:
        return None
    return TurnEvent(
        uid=f"match-{match.id}-turn-{match.token_turn}-player-{player}@{host}",
        summary=renderer.part([SUMMARY], {"match": match}),
        begun_at=match.turn_started_at,
        due_at=match.clock.flag_at,
        fallen=FLAG in match.clock.seen,
    )


def calendar_of(
    work: Work, player: Player, match: MatchSummary, before: MatchSummary | None
) -> Sequence[Attachment]:
    """What goes with a mail to a player about a match: the turn that is theirs, or is not any more.

    Nothing, unless they want it and the match has a clock.
    """
    if not calendar.is_on(player):
        return ()
    try:
        turns = list(_told(work, player, match, before))
    except Exception as error:  # noqa: BLE001 a fault in a text must undo nothing
        template = f"{work.club.language}/{SUMMARY}"
        log.error("calendar not attached", template=template, traceback=trace_of(error))
        work.faulty_templates.add(template)
        return ()
    if not turns:
        return ()
    text = attached(turns, work.club.address, work.now)
    return (Attachment(f"match-{match.id}.ics", ATTACHED_AS, text),)


def _told(
    work: Work, player: Player, match: MatchSummary, before: MatchSummary | None
) -> Iterator[TurnEvent]:
    renderer, host = work.club.club_renderer, work.club.host
    now = turn_event(renderer, host, match, player.id)
    then = None if before is None else turn_event(renderer, host, before, player.id)
    if match.clock.account(player.id).bank is None:  # nothing falls due
        return
    if then is not None and (now is None or now.uid != then.uid):
        yield replace(then, due_at=None)
    if now is not None and not now.fallen:
        yield now


def mark_feeds(work: Work) -> None:
    """All feeds are to be written: something has befallen all clocks."""
    subscribed = (player.id for player in work.players.all() if calendar.is_on(player))
    work.stale.mark(PageKind.FEED, subscribed)
