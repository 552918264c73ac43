"""Pausing: a director pauses a competition or the whole club.

Matches that start meanwhile are paused too. A pause of a given length ends automatically, any other
when the director resumes. Each player there gets one email about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from pbem.mail.outgoing.kinds import AllPaused, AllResumed
from pbem.mail.outgoing.time_view import due
from pbem.matches.clock import PauseReason
from pbem.matches.competitions import COMPETITION, kind_named, kinds
from pbem.matches.director_actions import DecisionError
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.off_time import split_span, write_span
from pbem.matches.words import phrase
from pbem.ports.play import CLUB, Pause
from pbem.service.clocks.schedule import BATCH, counted, mark_feeds, reason_of, rescheduled
from pbem.service.direct.announcing import CLUB as WHOLE_CLUB, Recipients, competition_named
from pbem.service.direct.decide import Director, log, tell_others
from pbem.service.post.post import post
from pbem.service.work import Work


def wide() -> tuple[str, ...]:
    """Return what can be paused besides a match."""
    return (COMPETITION, *kinds(), WHOLE_CLUB)


def read_whom(whom: str, rest: str) -> tuple[Recipients, str]:
    """Read `club`, or a kind such as `set` with a number, and the rest. Raises DecisionError."""
    kind = kind_named(whom)
    if kind not in wide():
        raise DecisionError(f"{whom} is not the number of a match, nor one of: {_all()}")
    if kind == WHOLE_CLUB:
        return Recipients(WHOLE_CLUB), rest
    number, _, text = rest.strip().partition(" ")
    digits = number.removeprefix("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        raise DecisionError(f"write the number of the {kind} after it")
    return Recipients(kind, int(digits)), text.strip()


def pause(work: Work, audience: Recipients, text: str, by: Director) -> str:
    """Pause the audience, for the span at the start of the text or until it is resumed.

    Returns the log line. Raises DecisionError.
    """
    scope, (span, reason) = _scope(work, audience), split_span(text)
    if _standing(work, scope) is not None:
        raise DecisionError(phrase("direct.all-paused", whom=str(audience)))
    at = counted(work, work.now)
    until = None if span is None else at + span
    line = pause_line(audience, text)
    work.pauses.put(Pause(scope, at, until))
    for player in _change(work, scope, None if until else reason_of(scope), at, paused=True):
        member = work.players.get(player)
        ends = None if until is None else due(until, member.time_zone, work.now)
        post(work, AllPaused(str(audience), ends, reason), member)
    _told(work, by, line, reason)
    return line


def pause_line(audience: Recipients, text: str) -> str:
    """Return the log line of a pause."""
    span, _ = split_span(text)
    return f"pause {audience}" if span is None else f"pause {audience} {write_span(span)}"


def resume_line(audience: Recipients, text: str) -> str:
    """Return the log line of the end of a pause."""
    return f"resume {audience}"


def resume(work: Work, audience: Recipients, reason: str, by: Director) -> str:
    """Resume an audience, except where another pause applies. Raises DecisionError."""
    scope, at = _scope(work, audience), counted(work, work.now)
    paused = _standing(work, scope)
    if paused is None:
        raise DecisionError(phrase("direct.all-not-paused", whom=str(audience)))
    work.pauses.put(replace(paused, end=at))
    for player in _change(work, scope, reason_of(scope), at, paused=False):
        post(work, AllResumed(str(audience), reason), work.players.get(player))
    line = resume_line(audience, reason)
    _told(work, by, line, reason)
    return line


def require_paused(work: Work, audience: Recipients, *, paused: bool) -> None:
    """Raise DecisionError unless an audience is paused, or unless it is not."""
    standing = _standing(work, _scope(work, audience))
    if paused and standing is None:
        raise DecisionError(phrase("direct.all-not-paused", whom=str(audience)))
    if standing is not None and not paused:
        raise DecisionError(phrase("direct.all-paused", whom=str(audience)))


def _all() -> str:
    return ", ".join(wide())


def _scope(work: Work, audience: Recipients) -> int:
    """Return the id that a pause is stored under. Raises DecisionError if there is none."""
    if audience.kind == WHOLE_CLUB:
        return CLUB
    return competition_named(work, audience).id


def _standing(work: Work, scope: int) -> Pause | None:
    """Return the current pause of a scope, None if there is none."""
    for each in work.pauses.of(scope):
        if each.competition == scope and (each.end is None or each.end > work.now):
            return each
    return None


def _change(
    work: Work, scope: int, reason: PauseReason | None, at: datetime, *, paused: bool
) -> Sequence[PlayerId]:
    """Change the clocks of all matches in a scope. Return their players, each once."""
    players = dict[PlayerId, None]()
    for matches in _playing(work, scope):
        changed = [_changed(work, match, reason, at, paused=paused) for match in matches]
        work.matches.save_clocks(changed)
        players.update(dict.fromkeys(player for match in matches for player in match.players))
    mark_feeds(work)
    return list(players)


def _changed(
    work: Work, match: MatchSummary, reason: PauseReason | None, at: datetime, *, paused: bool
) -> MatchSummary:
    """Return a match with its clock paused or resumed and its schedule updated."""
    if reason is not None:
        change = match.clock.pause if paused else match.clock.resume
        match = replace(match, clock=change(reason, at))
    return rescheduled(work, match, at)


def _playing(work: Work, scope: int) -> Iterator[list[MatchSummary]]:
    """Yield the matches being played in a scope, locked, in batches."""
    if scope != CLUB:
        begun = work.matches.of_competition(scope)
        locked = (work.matches.lock(each.id) for each in begun if each.result is None)
        yield [each for each in locked if each.result is None]
        return
    after = 0
    while matches := work.matches.playing(after, BATCH):
        yield matches
        after = matches[-1].id


def _told(work: Work, by: Director, line: str, reason: str) -> None:
    log(work, by, line, reason)
    tell_others(work, by, line, reason)
