"""Snapshots of positions: a cache in the database, without which everything still works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Snapshot:
    """The position of a match after one of its actions, as a text."""

    actions: int
    """Number of the action after which it was written."""
    head: str
    """Hash of the history up to that action."""
    rules_version: int
    """Version of the rules by which the position came about."""
    text: str
    """In the form of the game."""

    def follows(self, action: int, head: str) -> bool:
        """Whether it is of the moment after an action, by its number and its head."""
        return bool(head) and (self.actions, self.head) == (action, head)


class Snapshots(Protocol):
    """Snapshots, one a match."""

    def put(self, match_id: int, snapshot: Snapshot) -> None:
        """Keeps a snapshot, in the place of any other of the match."""

    def of(self, match_id: int) -> Snapshot | None:
        """That of a match; None if there is none."""
