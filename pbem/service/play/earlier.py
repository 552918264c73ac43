"""Earlier: a match as it was after one of its turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from pbem.mail.outgoing.kinds.refusals import NoSuchTurn, RefusedError
from pbem.matches.match import Match, RecordedAction, position_of
from pbem.service.work import Work


class EarlierMatch(NamedTuple):
    """A match after one of its turns, and the actions until then.

    After all but the last turn, it has no result and no offers, and its seats have the players who
    had them at the time.
    """

    match: Match
    actions: tuple[RecordedAction, ...]


def after_turn(work: Work, match: Match, turn: int) -> EarlierMatch:
    """Return a match as it was after a turn, 0 for its start.

    Turns that the engine passed belong to the turn before them. Raises RefusedError if nobody has
    played that turn.
    """
    recorded = work.matches.recorded(match.id)
    last = last_turn(recorded)
    if turn > last:
        raise RefusedError(NoSuchTurn(turn, last))
    if turn == last:
        return EarlierMatch(match, tuple(recorded))
    actions = tuple(each for each in recorded if each.turn <= turn)
    position = position_of(match, actions)
    then = replace(
        match,
        position=position,
        turn=position.turn,
        to_act=match.game.to_act(position),
        seats={seat: match.held_by(seat, turn) for seat in match.seats},
        hands=match.hands.before(turn + 1),
        offers=(),
        pause_offer=None,
        resigned=frozenset(),
        result=None,
    )
    return EarlierMatch(then, actions)


def whole(work: Work, match: Match) -> EarlierMatch:
    """Return a match as it is now."""
    return EarlierMatch(match, tuple(work.matches.recorded(match.id)))


def last_turn(actions: Iterable[RecordedAction]) -> int:
    """Return the last turn of some actions, with those that the engine passed. 0 if none."""
    return max((each.turn + len(each.passed) for each in actions), default=0)
