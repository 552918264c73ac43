"""Positions: replay matches from the nearest known position, and store snapshots.

Other workers play the same matches. So a known position is kept with the head of the history after
its last action. It is used only if that action is still in the history with this head.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import NamedTuple

from pbem.games.api import GamePosition, PositionText
from pbem.games.replay import ReplayError
from pbem.matches.match import Match, MatchSummary, RecordedAction, position_of
from pbem.ports.play import Snapshot, Snapshots
from pbem.ports.storage import UnitOfWork

KEPT = 1000
"""Number of positions in memory, a few kilobytes each."""


class KnownPosition(NamedTuple):
    """A position and its place in the history of its match."""

    position: GamePosition
    actions: int
    """Number of the last action that led to it."""
    heads: frozenset[str]
    """Heads of the history after that action, and after any later entries that are not actions."""

    def is_of(self, match: MatchSummary) -> bool:
        """Return whether the history of a match ends at this position."""
        return match.head in self.heads

    def follows(self, action: RecordedAction) -> bool:
        """Return whether this is the position after an action."""
        return action.number == self.actions and action.head in self.heads


class Positions:
    """A cache of one position per match."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, KnownPosition] = OrderedDict()
        self._lock = Lock()

    def of(self, uow: UnitOfWork, match: MatchSummary) -> GamePosition:
        """Return the position of a match as stored. Raises ReplayError if it cannot be replayed."""
        with self._lock:
            kept = self._kept.get(match.id)
            if kept is not None and kept.is_of(match):
                self._kept.move_to_end(match.id)
                return kept.position
        known = _replayed(uow, match, kept)
        self._keep(match, known)
        return known.position

    def remember(self, match: Match) -> None:
        """Keep the position of a match whose actions are committed."""
        self._keep(match, KnownPosition(match.position, match.actions, _heads(match.head)))

    def _keep(self, match: MatchSummary, known: KnownPosition) -> None:
        with self._lock:
            self._kept[match.id] = known
            self._kept.move_to_end(match.id)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _replayed(uow: UnitOfWork, match: MatchSummary, kept: KnownPosition | None) -> KnownPosition:
    for base in _bases(uow, match, kept):
        known = _gone_on(uow, match, base)
        if known is not None:
            return known
    actions = _recorded(uow, match)
    return _known(match, position_of(match, actions), actions)


def _bases(
    uow: UnitOfWork, match: MatchSummary, kept: KnownPosition | None
) -> Iterator[KnownPosition]:
    """Yield the positions to replay from, nearest first."""
    near = kept is not None and match.actions - kept.actions < EVERY
    if kept is not None and near:
        yield kept
    snapshot = uow.snapshots.of(match.id) if match.actions >= EVERY else None
    position = position_in(snapshot, match) if snapshot is not None else None
    if snapshot is not None and position is not None:
        yield KnownPosition(position, snapshot.actions, _heads(snapshot.head))
    if kept is not None and not near:
        yield kept


def _gone_on(uow: UnitOfWork, match: MatchSummary, base: KnownPosition) -> KnownPosition | None:
    """Return a match's position, replayed from an earlier one. None if that is of other history."""
    actions = _recorded(uow, match, base.actions)
    if not actions or not base.follows(actions[0]):
        return None
    try:
        position = position_of(match, actions[1:], base.position)
    except ReplayError:
        return None
    return _known(match, position, actions) if position.turn == match.turn else None


def _recorded(uow: UnitOfWork, match: MatchSummary, since: int = 0) -> list[RecordedAction]:
    """Return the actions in force, without those committed after the match was read."""
    actions = uow.matches.recorded(match.id, from_number=since)
    return [action for action in actions if action.number <= match.actions]


def _known(
    match: MatchSummary, position: GamePosition, actions: list[RecordedAction]
) -> KnownPosition:
    number, head = (actions[-1].number, actions[-1].head) if actions else (0, "")
    # An action may have been taken back after the match was read.
    is_of = position.turn == match.turn
    return KnownPosition(position, number, _heads(head, match.head if is_of else ""))


def _heads(*heads: str) -> frozenset[str]:
    """Return the known heads. Histories older than heads lack them, so nothing identifies them."""
    return frozenset(head for head in heads if head)


EVERY = 20
"""Actions from one snapshot to the next. Replaying that many costs less than reading an email."""


def snapshot_in_turn(snapshots: Snapshots, match: Match, actions: Sequence[RecordedAction]) -> None:
    """Store a snapshot if the latest actions complete another `EVERY`."""
    if any(action.number % EVERY == 0 for action in actions):
        keep_snapshot(snapshots, match, actions[-1])


def keep_snapshot(snapshots: Snapshots, match: Match, last: RecordedAction) -> None:
    """Store a snapshot of a match after its last action."""
    game = match.game
    if isinstance(game, PositionText):
        text = game.write_position(match.position)
        version = game.info.rules_version
        snapshots.put(match.id, Snapshot(last.number, last.head, version, text))


def position_in(snapshot: Snapshot, match: MatchSummary) -> GamePosition | None:
    """Return the position of a snapshot, None if it is unreadable or made under other rules."""
    game = match.game
    if not isinstance(game, PositionText) or snapshot.rules_version != game.info.rules_version:
        return None
    try:
        read: GamePosition = game.read_position(
            match.player_count, match.options.game, snapshot.text
        )
    except (ValueError, LookupError):
        return None
    return read
