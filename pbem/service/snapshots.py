"""Snapshots: positions as texts in the database, so that no worker replays a long match whole.

They are a cache. One that does not fit is as if it were not there, and so is one of a game without
texts.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.api import Position, PositionText
from pbem.matches.match import Match, MatchSummary, RecordedAction
from pbem.ports.play import Snapshot, Snapshots

EVERY = 20
"""Actions from one snapshot to the next; to replay so many costs less than to read a mail."""


def snapshot_in_turn(snapshots: Snapshots, match: Match, actions: Sequence[RecordedAction]) -> None:
    """Keeps the position to which actions have just led, if so many were played since the last."""
    if any(action.number % EVERY == 0 for action in actions):
        keep_snapshot(snapshots, match, actions[-1])


def keep_snapshot(snapshots: Snapshots, match: Match, last: RecordedAction) -> None:
    """Keeps the position of a match, of whose actions one was the last."""
    game = match.game
    if isinstance(game, PositionText):
        text = game.write_position(match.position)
        version = game.info.rules_version
        snapshots.put(match.id, Snapshot(last.number, last.head, version, text))


def position_in(snapshot: Snapshot, match: MatchSummary) -> Position | None:
    """The position of a snapshot; None where it cannot be read, or was come to by other rules."""
    game = match.game
    if not isinstance(game, PositionText) or snapshot.rules_version != game.info.rules_version:
        return None
    try:
        read: Position = game.read_position(match.player_count, match.options.game, snapshot.text)
    except (ValueError, LookupError):
        return None
    return read
