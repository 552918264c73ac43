"""Calendars: the deadlines of a member's turns and competitions, with emails and in their feed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem.log import get_logger, trace_of
from pbem.mail.outgoing.calendar import Deadline, attached
from pbem.mail.outgoing.letter import Attachment
from pbem.matches.announcement import OPEN, ZONE, Phase
from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary, Player, PlayerId
from pbem.matches.time_control import FLAG
from pbem.matches.zones import start_of
from pbem.ports.room import PageKind
from pbem.service.clocks.schedule import has_files
from pbem.service.work import Work
from pbem.settings import calendar

if TYPE_CHECKING:
    from pbem.mail.outgoing.render import Renderer

SUMMARY = "_calendar.txt.j2"
ATTACHED_AS = "text/calendar; method=PUBLISH"
EPOCH = datetime.fromtimestamp(0, UTC)
"""Start of the sequences of competitions, whose own start moves."""
log = get_logger(__name__)


def turn_deadline(
    renderer: Renderer, host: str, match: MatchSummary, player: PlayerId
) -> Deadline | None:
    """Return the player's turn in a match, None if it is not their turn."""
    if match.player_to_act != player or match.result is not None or match.turn_started_at is None:
        return None
    return Deadline(
        uid=f"match-{match.id}-turn-{match.token_turn}-player-{player}@{host}",
        summary=renderer.part([SUMMARY], {"match": match}),
        begun_at=match.turn_started_at,
        due_at=match.clock.flag_at,
        fallen=FLAG in match.clock.seen,
    )


def deadlines_of(
    renderer: Renderer, host: str, of: Competition, now: datetime, *, concerned: bool
) -> list[Deadline]:
    """Return the end of entry and the last day of a competition.

    They are over if the competition does not `concern` the member.
    """
    moments = _moments(of) if concerned else {}
    return [
        Deadline(
            uid=f"competition-{of.id}-{what}@{host}",
            summary=renderer.part([SUMMARY], {"of": of, "what": what}),
            begun_at=EPOCH,
            due_at=moments.get(what),
            fallen=at <= now,
        )
        for what, at in _announced(of).items()
    ]


def _announced(of: Competition) -> dict[str, datetime]:
    """Return the moments that the terms of a competition fix."""
    if of.announcement is None:
        return {}
    entry = {"entry": of.announcement.closes_at}
    last = of.ends_on
    return entry if last is None else {**entry, "end": start_of(last + timedelta(days=1), ZONE)}


def _moments(of: Competition) -> dict[str, datetime]:
    """Return the moments that are still to come, unless it starts, closes or ends early."""
    phase = of.announcement.phase if of.announcement is not None else None
    due = {"entry": phase is Phase.ENTRY, "end": phase in OPEN and of.closed_now() is not None}
    return {what: at for what, at in _announced(of).items() if due[what]}


def concerned_by(of: Competition) -> set[PlayerId]:
    """Return the members who take part or wait for a place."""
    waiting = of.announcement.waiting if of.announcement is not None else ()
    return {*of.taking_part, *waiting}


def store(work: Work, of: Competition) -> None:
    """Store a competition, and mark the calendars that change with it."""
    before = work.competitions.get(of.id)
    work.competitions.save(of)
    mark_calendars(work, of, before)


def mark_calendars(work: Work, of: Competition, before: Competition | None = None) -> None:
    """Mark the calendars of those for whom a competition adds, moves or cancels a deadline."""
    now, then = concerned_by(of), set() if before is None else concerned_by(before)
    same = before is not None and _moments(before) == _moments(of)
    changed = map(work.players.get, sorted(now ^ then if same else now | then))
    marked = [each.id for each in changed if has_files(each)]
    if marked:
        work.stale.mark(PageKind.FEED, marked)
        work.jobs.enqueue("pages")


def calendar_of(
    work: Work, player: Player, match: MatchSummary, before: MatchSummary | None
) -> Sequence[Attachment]:
    """Return the calendar file for an email about a match: the turn that starts or ends.

    Nothing if the player has no calendar or the match has no clock.
    """
    return _attached(work, player, f"match-{match.id}", lambda: _told(work, player, match, before))


def competition_calendar(
    work: Work, player: Player, of: Competition, *, concerned: bool | None = None
) -> Sequence[Attachment]:
    """Return the calendar file for an email about a competition. Past moments are left out.

    By default, it `concerns` those who take part or wait.
    """

    def told() -> Iterator[Deadline]:
        own = player.id in concerned_by(of) if concerned is None else concerned
        renderer, host = work.club.club_renderer, work.club.host
        found = deadlines_of(renderer, host, of, work.now, concerned=own)
        return (each for each in found if not each.fallen)

    return _attached(work, player, f"competition-{of.number}", told)


def _attached(
    work: Work, player: Player, name: str, told: Callable[[], Iterator[Deadline]]
) -> Sequence[Attachment]:
    if not calendar.FILE.is_on(player):
        return ()
    try:
        deadlines = list(told())
    except Exception as error:  # noqa: BLE001 a fault in a text must undo nothing
        template = f"{work.club.language}/{SUMMARY}"
        log.error("calendar not attached", template=template, traceback=trace_of(error))
        work.faulty_templates.add(template)
        return ()
    if not deadlines:
        return ()
    text = attached(deadlines, work.club.address, work.now)
    return (Attachment(f"{name}.ics", ATTACHED_AS, text),)


def _told(
    work: Work, player: Player, match: MatchSummary, before: MatchSummary | None
) -> Iterator[Deadline]:
    renderer, host = work.club.club_renderer, work.club.host
    now = turn_deadline(renderer, host, match, player.id)
    then = None if before is None else turn_deadline(renderer, host, before, player.id)
    if match.turn == 1 and before is None and match.place is not None:
        # The first match may be all that says that a competition has started early.
        of = work.competitions.get(match.place.competition)
        yield from (
            each
            for each in deadlines_of(renderer, host, of, work.now, concerned=True)
            if each.due_at is None and not each.fallen
        )
    if match.clock.account(player.id).bank is None:  # without a bank the turn has no deadline
        return
    if then is not None and (now is None or now.uid != then.uid):
        yield replace(then, due_at=None)
    if now is not None and not now.fallen:
        yield now
