"""Positions of matches: always a replay, from the nearest position that is known.

Other workers play the same matches. So what is kept is known by the head of the history after its
last action: it is gone on from only where that action stands, and has this head.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import NamedTuple

from pbem.games.api import Position
from pbem.games.replay import ReplayError
from pbem.matches.match import Match, MatchSummary, RecordedAction, position_of
from pbem.ports.storage import UnitOfWork
from pbem.service.snapshots import EVERY, position_in

KEPT = 1000
"""Positions kept; a position takes a few kilobytes."""


class Known(NamedTuple):
    """A position with where it stands in the history of its match."""

    position: Position
    actions: int
    """Number of the last action that led to it."""
    heads: frozenset[str]
    """Of the history up to that action, or with what happened beside it since."""

    def is_of(self, match: MatchSummary) -> bool:
        """Whether a match has just the history by which it is known."""
        return match.head in self.heads

    def follows(self, action: RecordedAction) -> bool:
        """Whether it is the position after an action."""
        return action.number == self.actions and action.head in self.heads


class Positions:
    """A cache of one position a match."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Known] = OrderedDict()
        self._lock = Lock()

    def of(self, uow: UnitOfWork, match: MatchSummary) -> Position:
        """Position of a match as stored; raises ReplayError if it cannot be replayed."""
        with self._lock:
            kept = self._kept.get(match.id)
            if kept is not None and kept.is_of(match):
                self._kept.move_to_end(match.id)
                return kept.position
        known = _replayed(uow, match, kept)
        self._keep(match, known)
        return known.position

    def remember(self, match: Match) -> None:
        """Keeps the position of a match whose actions are committed."""
        self._keep(match, Known(match.position, match.actions, _heads(match.head)))

    def _keep(self, match: MatchSummary, known: Known) -> None:
        with self._lock:
            self._kept[match.id] = known
            self._kept.move_to_end(match.id)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _replayed(uow: UnitOfWork, match: MatchSummary, kept: Known | None) -> Known:
    for base in _bases(uow, match, kept):
        known = _gone_on(uow, match, base)
        if known is not None:
            return known
    actions = _recorded(uow, match)
    return _known(match, position_of(match, actions), actions)


def _bases(uow: UnitOfWork, match: MatchSummary, kept: Known | None) -> Iterator[Known]:
    """What may be gone on from, the nearest first."""
    near = kept is not None and match.actions - kept.actions < EVERY
    if kept is not None and near:
        yield kept
    snapshot = uow.snapshots.of(match.id) if match.actions >= EVERY else None
    position = position_in(snapshot, match) if snapshot is not None else None
    if snapshot is not None and position is not None:
        yield Known(position, snapshot.actions, _heads(snapshot.head))
    if kept is not None and not near:
        yield kept


def _gone_on(uow: UnitOfWork, match: MatchSummary, base: Known) -> Known | None:
    """The position of a match, from one of earlier; None where that one does not belong to it."""
    actions = _recorded(uow, match, base.actions)
    if not actions or not base.follows(actions[0]):
        return None
    try:
        position = position_of(match, actions[1:], base.position)
    except ReplayError:
        return None
    return _known(match, position, actions) if position.turn == match.turn else None


def _recorded(uow: UnitOfWork, match: MatchSummary, since: int = 0) -> list[RecordedAction]:
    """Actions that stand; none that was committed after the match had been read."""
    actions = uow.matches.recorded(match.id, from_number=since)
    return [action for action in actions if action.number <= match.actions]


def _known(match: MatchSummary, position: Position, actions: list[RecordedAction]) -> Known:
    number, head = (actions[-1].number, actions[-1].head) if actions else (0, "")
    # Something may have been taken back after the match had been read.
    is_of = position.turn == match.turn
    return Known(position, number, _heads(head, match.head if is_of else ""))


def _heads(*heads: str) -> frozenset[str]:
    """A history of before heads were kept has none, and is known by nothing."""
    return frozenset(head for head in heads if head)
