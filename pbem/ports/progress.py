"""Progress: what long use cases report while they run, in any unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Report = Callable[[int, int], None]
"""Called with what is done and the total. A total of 0 means that nobody knows it."""
Item = TypeVar("Item")


def unreported(done: int, total: int) -> None:
    """Ignore progress."""


def added_up(report: Report, total: int) -> Callable[[int], None]:
    """Return a function that takes one amount after the other, and reports their sum."""
    done = 0

    def add(amount: int) -> None:
        nonlocal done
        done += amount
        report(done, total)

    return add


def tracked(items: Sequence[Item], report: Report) -> Iterator[Item]:
    """Yield items, and report each once it is done."""
    total = len(items)
    report(0, total)
    for done, item in enumerate(items, start=1):
        yield item
        report(done, total)
