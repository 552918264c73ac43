"""Pausing: a director has no time count in a competition or in the whole club.

It counts for matches that begin meanwhile, too. A pause of so many days ends by itself; another one
when the director says so. Whoever plays there hears of it by one mail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from pbem.mail.outgoing.kinds import AllPaused, AllResumed
from pbem.mail.outgoing.time_view import due
from pbem.matches.clock import PauseReason
from pbem.matches.competitions import kinds
from pbem.matches.directing import DecisionError
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.quiet import split_span, write_span
from pbem.matches.words import phrase
from pbem.ports.play import CLUB, Pause
from pbem.service.clocks.schedule import BATCH, counted, mark_feeds, reason_of, rescheduled
from pbem.service.direct.announcing import CLUB as WHOLE_CLUB, Recipients
from pbem.service.direct.decide import Director, log, tell_others
from pbem.service.post.post import post
from pbem.service.work import Work


def wide() -> tuple[str, ...]:
    """What can be paused beside a match."""
    return (*kinds(), WHOLE_CLUB)


def read_whom(whom: str, rest: str) -> tuple[Recipients, str]:
    """`club`, or `set` with a number; and the text behind it. Raises DecisionError."""
    kind = whom.casefold()
    if kind not in wide():
        raise DecisionError(f"{whom} is neither the number of a match nor one of {_all()}")
    if kind == WHOLE_CLUB:
        return Recipients(WHOLE_CLUB), rest
    number, _, text = rest.strip().partition(" ")
    digits = number.removeprefix("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        raise DecisionError(f"the number of the {kind} stands behind it")
    return Recipients(kind, int(digits)), text.strip()


def pause(work: Work, audience: Recipients, text: str, by: Director) -> str:
    """Pauses it, for the span with which the text begins or until it is resumed.

    Returns the line that says so. Raises DecisionError.
    """
    scope, (span, reason) = _scope(work, audience), split_span(text)
    if _standing(work, scope) is not None:
        raise DecisionError(phrase("direct.all-paused", whom=str(audience)))
    at = counted(work, work.now)
    until = None if span is None else at + span
    line = f"pause {audience}" if span is None else f"pause {audience} {write_span(span)}"
    work.pauses.put(Pause(scope, at, until))
    for player in _change(work, scope, None if until else reason_of(scope), at, paused=True):
        member = work.players.get(player)
        ends = None if until is None else due(until, member.time_zone, work.now)
        post(work, AllPaused(str(audience), ends, reason), member)
    _told(work, by, line, reason)
    return line


def resume(work: Work, audience: Recipients, reason: str, by: Director) -> str:
    """Time counts there again, unless something else is paused; raises DecisionError."""
    scope, at = _scope(work, audience), counted(work, work.now)
    paused = _standing(work, scope)
    if paused is None:
        raise DecisionError(phrase("direct.all-not-paused", whom=str(audience)))
    work.pauses.put(replace(paused, end=at))
    for player in _change(work, scope, reason_of(scope), at, paused=False):
        post(work, AllResumed(str(audience), reason), work.players.get(player))
    line = f"resume {audience}"
    _told(work, by, line, reason)
    return line


def require_paused(work: Work, audience: Recipients, *, paused: bool) -> None:
    """Raises DecisionError unless it can be resumed, or paused."""
    standing = _standing(work, _scope(work, audience))
    if paused and standing is None:
        raise DecisionError(phrase("direct.all-not-paused", whom=str(audience)))
    if standing is not None and not paused:
        raise DecisionError(phrase("direct.all-paused", whom=str(audience)))


def _all() -> str:
    return ", ".join(wide())


def _scope(work: Work, audience: Recipients) -> int:
    """What it is stored under; raises DecisionError if there is no such competition."""
    if audience.kind == WHOLE_CLUB:
        return CLUB
    found = work.competitions.numbered(kinds()[audience.kind].numbering, audience.number)
    if found is None or found.kind != audience.kind:
        raise DecisionError(f"there is no {audience}")
    return found.id


def _standing(work: Work, scope: int) -> Pause | None:
    """Its pause, if that is not over."""
    for each in work.pauses.of(scope):
        if each.competition == scope and (each.end is None or each.end > work.now):
            return each
    return None


def _change(
    work: Work, scope: int, reason: PauseReason | None, at: datetime, *, paused: bool
) -> Sequence[PlayerId]:
    """Changes the clocks of all that is being played there; returns who plays, each once."""
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
    """A match with its clock paused or resumed, and its schedule as it is from then on."""
    if reason is not None:
        change = match.clock.pause if paused else match.clock.resume
        match = replace(match, clock=change(reason, at))
    return rescheduled(work, match, at)


def _playing(work: Work, scope: int) -> Iterator[list[MatchSummary]]:
    """The matches that are being played there, locked, some at a time."""
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
