"""Measurements of wall-clock time and processor time."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from statistics import median
from typing import NamedTuple, TypeVar

Key = TypeVar("Key", bound=Hashable)


class Pace(NamedTuple):
    """Work done in some time."""

    moves: int
    seconds: float
    """Wall-clock time: it includes the servers' work and every wait for a disk."""
    cpu_seconds: float
    """Processor time of this process only, which a busy machine disturbs least."""

    @property
    def rate(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds

    @property
    def ms(self) -> float:
        """Milliseconds per move."""
        return 1000 * self.seconds / self.moves

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of processor time per move."""
        return 1000 * self.cpu_seconds / self.moves


def timed(moves: int, work: Callable[[], object]) -> Pace:
    """Measure some work that makes this many moves."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Pace(moves, time.perf_counter() - wall, time.process_time() - cpu)


def middle(paces: Sequence[Pace]) -> Pace:
    """Return the medians of several measurements of the same work."""
    return Pace(
        paces[0].moves,
        median(pace.seconds for pace in paces),
        median(pace.cpu_seconds for pace in paces),
    )


def by_turns(
    works: Mapping[Key, Callable[[], Pace]], rounds: int, in_vain: int = 1
) -> dict[Key, list[Pace]]:
    """Measure several works in alternating rounds, so that noise affects them all alike.

    The first `in_vain` rounds only warm up and do not count.
    """
    done = [{key: work() for key, work in works.items()} for _ in range(in_vain + rounds)]
    return {key: [each[key] for each in done[in_vain:]] for key in works}


def print_paces(what: str, paces: Mapping[int, Sequence[Pace]]) -> None:
    """Print medians, with a line for each number of things."""
    print(f"\n{what:<28}{'moves/s':>12}{'ms/move':>12}{'CPU ms':>12}")
    for number, rounds in paces.items():
        pace = middle(rounds)
        print(f"{number:<28,}{pace.rate:>12.1f}{pace.ms:>12.2f}{pace.cpu_ms:>12.2f}")


def growth(paces: Mapping[Key, Sequence[Pace]]) -> float:
    """Return how much more processor time the last needs than the first: the median of rounds."""
    first, *_, last = paces.values()
    return median(b.cpu_ms / a.cpu_ms for a, b in zip(first, last, strict=True))
