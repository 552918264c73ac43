"""How long something took, by the clock on the wall and by that of the processor."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple


class Pace(NamedTuple):
    """What was done in a time."""

    moves: int
    seconds: float
    """On the wall: the servers' share and every wait for a disk are in it."""
    cpu_seconds: float
    """Of this process alone, which is what a busy machine disturbs least."""

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    @property
    def ms(self) -> float:
        """Milliseconds a move."""
        return 1000 * self.seconds / self.moves

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of the processor a move."""
        return 1000 * self.cpu_seconds / self.moves


def timed(moves: int, work: Callable[[], object]) -> Pace:
    """Pace of some work that makes so many moves."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Pace(moves, time.perf_counter() - wall, time.process_time() - cpu)


def middle(paces: Sequence[Pace]) -> Pace:
    """Medians of several measurements of the same work."""
    return Pace(
        paces[0].moves,
        median(pace.seconds for pace in paces),
        median(pace.cpu_seconds for pace in paces),
    )
