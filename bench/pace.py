"""How long something took, by the clock on the wall and by that of the processor."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from statistics import median
from typing import NamedTuple, TypeVar

Key = TypeVar("Key", bound=Hashable)


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


def by_turns(
    works: Mapping[Key, Callable[[], Pace]], rounds: int, in_vain: int = 1
) -> dict[Key, list[Pace]]:
    """Paces of several works, one round of each after the other: noise falls on all alike.

    The first rounds do not count, as nothing has been used before.
    """
    done = [{key: work() for key, work in works.items()} for _ in range(in_vain + rounds)]
    return {key: [each[key] for each in done[in_vain:]] for key in works}


def print_paces(what: str, paces: Mapping[int, Sequence[Pace]]) -> None:
    """Prints medians, a line for each number of what there is."""
    print(f"\n{what:<28}{'moves/s':>12}{'ms a move':>12}{'CPU ms':>12}")
    for number, rounds in paces.items():
        pace = middle(rounds)
        print(f"{number:<28,}{pace.rate:>12.1f}{pace.ms:>12.2f}{pace.cpu_ms:>12.2f}")


def growth(paces: Mapping[Key, Sequence[Pace]]) -> float:
    """How many times the processor the last needs of what the first does: the median of rounds."""
    first, *_, last = paces.values()
    return median(b.cpu_ms / a.cpu_ms for a, b in zip(first, last, strict=True))
