"""Locks: what a unit of work holds until it ends, in the one order in which everybody waits."""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum
from typing import NamedTuple, Protocol


class LockKind(IntEnum):
    """What can be locked, in the order in which it is waited for."""

    MAIL = 1
    SENDER = 2
    OFFER = 3
    MATCH = 4
    COMPETITION = 5
    PLAYER = 6


class Lock(NamedTuple):
    """A lock; of one kind they are waited for by number."""

    kind: LockKind
    number: int


class OutOfOrder(Exception):
    """Somebody holds a lock that comes before one that is held here: to wait could be for ever.

    The unit of work is to be begun anew, with all these locks taken before anything else.
    """

    def __init__(self, locks: Collection[Lock]) -> None:
        super().__init__(", ".join(f"{lock.kind.name} {lock.number}" for lock in sorted(locks)))
        self.locks = frozenset(locks)


class Locks(Protocol):
    """The locks of a unit of work. On SQLite there are none: it has one writer at a time."""

    def keep_order(self, first: Collection[Lock] = ()) -> None:
        """Takes some locks in order; from now on OutOfOrder is raised rather than to wait for one
        that comes before another that is held."""
