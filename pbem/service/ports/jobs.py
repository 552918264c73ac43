"""What is to be done next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Jobs(Protocol):
    """What is to be done next, enqueued in the transaction that makes it necessary."""

    def enqueue(self, job: str, row: int | None = None) -> None:
        """A job is wanted, for a row or for whatever waits, once this unit of work is committed.

        Whoever runs the club looks for what waits without it, too: this is how they hear at once.
        """


class Wanted:
    """Jobs that were enqueued in a unit of work, for whoever runs the jobs of this process."""

    def __init__(self) -> None:
        self._jobs: dict[str, None] = {}

    def enqueue(self, job: str, row: int | None = None) -> None:
        """It is looked for again when it runs, so which row it is about need not be known."""
        self._jobs[job] = None

    def tell(self, wake: Callable[[str], None]) -> None:
        """Tells of every job, each once, in the order in which they were first enqueued."""
        for job in self._jobs:
            wake(job)
