"""Ports of a running process: clock, holidays, jobs, duty, counts, workers, and storage errors."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple, Protocol

from pbem.ports.inbound import InboundState


class StorageError(Exception):
    """What was asked for is not stored, or cannot be as it would be there twice."""


class StorageUnavailable(Exception):
    """The database cannot be reached or written now (locked, full, gone): try again later."""


class Deadlock(StorageUnavailable):
    """Two units of work waited for each other, and this one gave way: do it again."""


class MustStop(StorageUnavailable):
    """This process must do no more work with the database; one that begins anew perhaps may."""


class ClockWrong(MustStop):
    """This machine has another time than the database: what it dates now would be wrong."""


class StorageGone(MustStop):
    """The database is not the one it was: what is written now may be lost, so nothing is."""


class SchemaDiffers(MustStop):
    """The schema of the database is an older or a newer one than this pbem works with."""


class WallClock(Protocol):
    """The time."""

    def now(self) -> datetime:
        """Aware, UTC."""


class Holidays(Protocol):
    """Holidays of a club, by the clock on each player's wall."""

    @property
    def key(self) -> str:
        """What tells whether they are others than before; empty: there are none."""

    def within(self, first: date, last: date) -> Sequence[date]:
        """Those from one day to another, both included, in order."""


class NoHolidays:
    """Of a club that has none."""

    key = ""

    def within(self, first: date, last: date) -> Sequence[date]:
        """None."""
        return ()


class Workers(Protocol):
    """The processes that send the club's mail, each by a name that no other ever has."""

    def own_name(self) -> str:
        """Name of this process; empty if nobody could tell whether it is alive."""

    def is_dead(self, name: str) -> bool:
        """Whether a process has certainly ended; False for one of another machine."""


class Strangers:
    """Workers of whom nothing is known."""

    def own_name(self) -> str:
        """None."""
        return ""

    def is_dead(self, name: str) -> bool:
        """Nobody can tell."""
        return False


class SentMail(NamedTuple):
    """A mail that the mail server has taken."""

    kind: str
    urgency: str
    answered_after: timedelta | None
    """How long after the mail was received upon which it was written; None: upon none."""


class Number(NamedTuple):
    """Something of a club that can be measured at any moment, with all its values."""

    name: str
    """As Prometheus wants it: in base units, `pbem_members`."""
    about: str
    labels: tuple[str, ...]
    values: tuple[tuple[tuple[str, ...], float], ...]
    """By the values of the labels."""


class Meter(Protocol):
    """Counts what this process does. Nothing that is counted names anybody.

    Told once what it counts is committed; never raises, and takes no time.
    """

    def read(self, fate: str, reason: str) -> None:
        """A mail was read; the reason is one of a few words of ours, or empty."""

    def asked(self, command: str) -> None:
        """A mail that was carried out has asked for something, by the word of its command."""

    def happened(self, game: str, kind: str, times: int) -> None:
        """Something happened in matches of a game: `action`, `flag_fell`."""

    def sent(self, mail: SentMail) -> None:
        """A mail has gone."""

    def not_sent(self, outcome: str, reason: str) -> None:
        """A mail has not gone, for now (`deferred`) or for good (`refused`), and about what."""

    def reached(self, server: str, *, works: bool) -> None:
        """A mail server was tried: it answered, or it could not be reached."""


class NoMeter:
    """Counts nothing."""

    def read(self, fate: str, reason: str) -> None:
        """Is not counted."""

    def asked(self, command: str) -> None:
        """Is not counted."""

    def happened(self, game: str, kind: str, times: int) -> None:
        """Is not counted."""

    def sent(self, mail: SentMail) -> None:
        """Is not counted."""

    def not_sent(self, outcome: str, reason: str) -> None:
        """Is not counted."""

    def reached(self, server: str, *, works: bool) -> None:
        """Is not counted."""


class Duty(Protocol):
    """The right to read one mailbox, which one process at a time has."""

    @property
    def held(self) -> bool:
        """Whether this process has it, as far as it knows."""

    def taken(self) -> bool:
        """Takes it if nobody has it; whether it is ours now. Raises StorageUnavailable."""

    def wait(self) -> bool:
        """Waits until whoever has it gives it back or dies, and takes it; False once closed.

        Raises StorageUnavailable.
        """

    def keep(self) -> None:
        """Returns when it is closed; raises StorageUnavailable when it is lost."""

    def close(self) -> None:
        """Gives it back for good, and ends what waits in other threads; never raises."""


class Unshared:
    """The duty of a process beside which there is no other."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    @property
    def held(self) -> bool:
        """Always."""
        return True

    def taken(self) -> bool:
        """Always."""
        return True

    def wait(self) -> bool:
        """There is nobody to wait for."""
        return not self._closed.is_set()

    def keep(self) -> None:
        """It is never lost."""
        self._closed.wait()

    def close(self) -> None:
        """Ends what keeps it."""
        self._closed.set()


@dataclass(frozen=True)
class Every:
    """Run at the start, then this many seconds after the last time."""

    seconds: float


@dataclass(frozen=True)
class Daily:
    """Run each day at a time of day in a zone of the tz database."""

    hour: int
    minute: int = 0
    zone: str = "UTC"


Trigger = Every | Daily


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


class Tally(NamedTuple):
    """How many there are of something, and since when the oldest is there."""

    number: int = 0
    since: datetime | None = None
    """None where there is none."""


class QueueTally(NamedTuple):
    """The jobs of one queue."""

    queue: str
    waiting: int
    """That could be done now."""
    doing: int
    again: int
    """That failed, and are tried once more, now or soon."""
    since: datetime | None
    """When the oldest that waits was put into line."""


class JobTally(NamedTuple):
    """A queue of jobs as it stands."""

    queues: tuple[QueueTally, ...]
    """By name; those in which there is nothing are not named."""
    last_seen: datetime | None
    """When a worker said the last time that it is there; None: none is."""
    workers: int
    """That have said so within the last minute."""


UNFINISHED = (
    InboundState.NEW,
    InboundState.KEPT,
    InboundState.PARKED,
    InboundState.SHUNTED,
)
"""States of mails of which more is to become."""


class Tallies(Protocol):
    """How much there is of what goes on; cheap to ask for, however long a club has lived."""

    def unfinished(self) -> Mapping[InboundState, Tally]:
        """Received mails by state, those of UNFINISHED alone; since when they were received."""

    def put_off(self, now: datetime) -> Tally:
        """Mails that are not to be tried before later than now; since when they are queued."""

    def failed(self, since: datetime) -> int:
        """Mails that were tried since then, and will never arrive."""

    def playing(self) -> Counter[str]:
        """Matches that are being played, by game."""

    def members(self) -> int:
        """People who are members."""

    def jobs(self) -> JobTally | None:
        """None where there is no queue of jobs."""

    def schema(self) -> str:
        """Number of the revision that the database is at."""
