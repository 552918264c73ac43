"""What is to be done next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from pbem.service.ports.tallies import JobTally


class WantedJob(NamedTuple):
    """Something that is to be done once a unit of work is committed."""

    name: str
    row: int | None = None
    """What it is about; None: whatever waits."""
    lock: str = ""
    """Jobs of one lock are done one after the other, in the order in which they were enqueued."""
    ahead: bool = False
    """Whether it is done before jobs of its kind that are not."""


class Jobs:
    """What is to be done next, enqueued in the transaction that makes it necessary.

    Each job once, in this order.
    """

    def __init__(self, *, queued: bool = False) -> None:
        self._jobs: dict[WantedJob, None] = {}
        self.queued = queued
        """Whether there is a queue, where jobs of one lock wait for each other."""

    def enqueue(
        self, job: str, row: int | None = None, lock: str = "", *, ahead: bool = False
    ) -> None:
        """A job is wanted, for a row or for whatever waits, once this unit of work is committed.

        Where one process does everything, it looks for what waits without it, too: this is how it
        hears at once. Where there is a queue of jobs, this is how the job gets there.
        """
        self._jobs[WantedJob(job, row, lock, ahead)] = None

    @property
    def wanted(self) -> tuple[WantedJob, ...]:
        """All of them."""
        return tuple(self._jobs)

    def tell(self, wake: Callable[[str], None]) -> None:
        """Tells whoever runs the jobs of this process, who looks for the rows again."""
        for name in dict.fromkeys(job.name for job in self._jobs):
            wake(name)


class JobQueue(Protocol):
    """A queue of jobs that lives in the same database."""

    def put(self, connection: Any, jobs: Sequence[WantedJob]) -> None:
        """Inserts jobs on a connection of the database's driver, in its transaction."""

    def tally(self, connection: Any) -> JobTally:
        """What stands in it, and who does it, read on such a connection."""
