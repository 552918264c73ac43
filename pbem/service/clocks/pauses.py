"""Pauses: for what, and until when, no time of a match counts, whoever's turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.mail.outgoing.time_view import WidePause
from pbem.matches.clock import Clock, PauseReason
from pbem.matches.match import MatchSummary
from pbem.matches.quiet import Span
from pbem.ports.play import CLUB, Pause
from pbem.service.work import Work


def pauses_of(work: Work, match: MatchSummary) -> Sequence[Pause]:
    """Pauses of the club and of its competition that are not over."""
    return [each for each in _all(work, match) if each.end is None or each.end > work.now]


def reasons(work: Work, match: MatchSummary) -> dict[PauseReason, Pause]:
    """Why its clock is paused until a director has it go on, beside what is stored with it."""
    return {
        reason_of(each.competition): each for each in pauses_of(work, match) if each.end is None
    }


def paused_with_all(work: Work, match: MatchSummary) -> Clock:
    """Its clock, paused where its competition or the club is.

    A pause whose end is known is in the schedule, unless the turn began as the pause was decided.
    """
    clock = match.clock
    for reason, pause in reasons(work, match).items():
        clock = clock.pause(reason, pause.start)
    if clock.runs_for is None:
        return clock
    for span in spans(work, match):
        if not clock.schedule.has_leave(span):
            clock = clock.rescheduled(clock.schedule.on_leave(*span), span.start)
    return clock


def wide_pauses(work: Work, match: MatchSummary) -> list[WidePause]:
    """Pauses of more than the match, as players are told of them."""
    return [WidePause(reason_of(each.competition), each.end) for each in pauses_of(work, match)]


def spans(work: Work, match: MatchSummary) -> list[Span]:
    """Pauses whose end is known, of the match, its competition and the club, as far as the turn
    that is being played meets them."""
    of_all = (Span(each.start, each.end) for each in _all(work, match) if each.end is not None)
    own = (Span(each.start, each.end) for each in match.breaks)
    begun = match.turn_started_at or work.now
    return [each for each in (*own, *of_all) if each.end > begun]


def _all(work: Work, match: MatchSummary) -> Sequence[Pause]:
    return work.pauses.of(CLUB if match.place is None else match.place.competition)


def reason_of(competition: int) -> PauseReason:
    """Why a clock is paused by a pause of that."""
    return PauseReason.CLUB if competition == CLUB else PauseReason.COMPETITION
