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
    """The requested data is not stored, or cannot be stored because it would be a duplicate."""


class StorageUnavailable(Exception):
    """The database cannot be reached or written now (locked, full, gone). Try again later."""


class Deadlock(StorageUnavailable):
    """Two units of work waited for each other, and this one was rolled back. Run it again."""


class MustStop(StorageUnavailable):
    """This process must stop using the database. A restarted process may work."""


class ClockWrong(MustStop):
    """This machine's clock differs from the database's. Times written now would be wrong."""


class StorageGone(MustStop):
    """The database was replaced. Nothing is written, since it might be lost."""


class SchemaDiffers(MustStop):
    """The database's schema is older or newer than this version of pbem expects."""


class WallClock(Protocol):
    """Current time."""

    def now(self) -> datetime:
        """Return the current time, aware and in UTC."""


class Holidays(Protocol):
    """A club's holidays, in each player's local time."""

    @property
    def key(self) -> str:
        """Return a key that changes when the holidays change. Empty if there are none."""

    def within(self, first: date, last: date) -> Sequence[date]:
        """Return the holidays from one day to another, both included, in order."""


class NoHolidays:
    """Holidays of a club without any."""

    key = ""

    def within(self, first: date, last: date) -> Sequence[date]:
        """Return nothing."""
        return ()


class Workers(Protocol):
    """Processes that send the club's email, each with a name that is never used again."""

    def own_name(self) -> str:
        """Return the name of this process. Empty if nobody could check whether it is alive."""

    def is_dead(self, name: str) -> bool:
        """Return whether a process has certainly ended. False for processes on other machines."""


class Strangers:
    """Workers about which nothing is known."""

    def own_name(self) -> str:
        """Return an empty name."""
        return ""

    def is_dead(self, name: str) -> bool:
        """Return False, since nobody can tell."""
        return False


class SentMail(NamedTuple):
    """An email that the mail server accepted."""

    kind: str
    urgency: str
    answered_after: timedelta | None
    """Time since the email that caused it was received. None if no email did."""


class Number(NamedTuple):
    """A gauge of the club that can be read at any moment, with all its values."""

    name: str
    """A Prometheus name in base units, such as `pbem_members`."""
    about: str
    labels: tuple[str, ...]
    values: tuple[tuple[tuple[str, ...], float], ...]
    """Values by label values."""


class WebhookError(Exception):
    """The club's webhook did not take an event. The text is one sentence."""


class Webhook(Protocol):
    """An address outside that is called for each public event."""

    def post(self, event_id: str, body: bytes, at: datetime) -> None:
        """Send an event, signed as of a moment. Raises WebhookError."""


class Meter(Protocol):
    """Count what this process does. No count names a person.

    Called once the counted change is committed. Never raises and never blocks.
    """

    def read(self, fate: str, reason: str) -> None:
        """Count a processed email. The reason is one of a few fixed words, or empty."""

    def asked(self, command: str) -> None:
        """Count a command that was carried out."""

    def happened(self, game: str, kind: str, times: int) -> None:
        """Count events in matches of a game, such as `action` or `flag_fell`."""

    def sent(self, mail: SentMail) -> None:
        """Count a sent email."""

    def not_sent(self, outcome: str, reason: str) -> None:
        """Count an email that was `deferred` or `refused`, with the reason."""

    def reached(self, server: str, *, works: bool) -> None:
        """Record whether a mail server answered."""


class NoMeter:
    """A meter that counts nothing."""

    def read(self, fate: str, reason: str) -> None:
        """Do nothing."""

    def asked(self, command: str) -> None:
        """Do nothing."""

    def happened(self, game: str, kind: str, times: int) -> None:
        """Do nothing."""

    def sent(self, mail: SentMail) -> None:
        """Do nothing."""

    def not_sent(self, outcome: str, reason: str) -> None:
        """Do nothing."""

    def reached(self, server: str, *, works: bool) -> None:
        """Do nothing."""


class Duty(Protocol):
    """The right to read one mailbox, held by one process at a time."""

    @property
    def held(self) -> bool:
        """Whether this process holds it, as far as it knows."""

    def taken(self) -> bool:
        """Acquire it if it is free.

        Return whether this process holds it. Raises StorageUnavailable.
        """

    def wait(self) -> bool:
        """Wait until the current holder releases it or dies, and acquire it.

        Return False once closed. Raises StorageUnavailable.
        """

    def keep(self) -> None:
        """Block until closed. Raises StorageUnavailable if the right is lost."""

    def close(self) -> None:
        """Release it for good and end waiting threads. Never raises."""


class Unshared:
    """The duty of a process that has no peers."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    @property
    def held(self) -> bool:
        """Return True."""
        return True

    def taken(self) -> bool:
        """Return True."""
        return True

    def wait(self) -> bool:
        """Return at once."""
        return not self._closed.is_set()

    def keep(self) -> None:
        """Block until closed. The right is never lost."""
        self._closed.wait()

    def close(self) -> None:
        """Unblock `keep`."""
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
    """A job to run once the unit of work is committed."""

    name: str
    row: int | None = None
    """The row it concerns. None for all waiting rows."""
    lock: str = ""
    """Jobs with the same lock run one after the other, in the order of enqueueing."""
    ahead: bool = False
    """Whether it runs before other jobs of its kind."""


class Jobs:
    """Jobs enqueued in the transaction that makes them necessary.

    Keeps each job once, in the order of enqueueing.
    """

    def __init__(self, *, queued: bool = False) -> None:
        self._jobs: dict[WantedJob, None] = {}
        self.queued = queued
        """Whether a job queue exists, where jobs with the same lock wait for each other."""

    def enqueue(
        self, job: str, row: int | None = None, lock: str = "", *, ahead: bool = False
    ) -> None:
        """Enqueue a job for a row, or for all waiting rows, to run after the commit.

        With a job queue, this puts the job into it. A single process finds waiting rows anyway, and
        is only woken at once.
        """
        self._jobs[WantedJob(job, row, lock, ahead)] = None

    @property
    def wanted(self) -> tuple[WantedJob, ...]:
        """All enqueued jobs."""
        return tuple(self._jobs)

    def tell(self, wake: Callable[[str], None]) -> None:
        """Wake the job runner of this process, which then looks for waiting rows."""
        for name in dict.fromkeys(job.name for job in self._jobs):
            wake(name)


class JobQueue(Protocol):
    """A job queue in the same database."""

    def put(self, connection: Any, jobs: Sequence[WantedJob]) -> None:
        """Insert jobs in the transaction of a driver's connection."""

    def tally(self, connection: Any) -> JobTally:
        """Count the jobs and workers, read on a driver's connection."""


class Tally(NamedTuple):
    """A count, and since when the oldest item has been there."""

    number: int = 0
    since: datetime | None = None
    """Time of the oldest item. None if there are no items."""


class QueueTally(NamedTuple):
    """The jobs of one queue."""

    queue: str
    waiting: int
    """Jobs that are ready to run."""
    doing: int
    again: int
    """Jobs that failed and will be retried."""
    since: datetime | None
    """When the oldest waiting job was enqueued."""


class JobTally(NamedTuple):
    """Current state of a job queue."""

    queues: tuple[QueueTally, ...]
    """Queues by name, without empty queues."""
    last_seen: datetime | None
    """When a worker last reported itself. None if none did."""
    workers: int
    """Workers that reported themselves within the last minute."""


UNFINISHED = (
    InboundState.NEW,
    InboundState.KEPT,
    InboundState.PARKED,
    InboundState.SHUNTED,
)
"""States of emails whose processing is not finished."""


class Tallies(Protocol):
    """Current counts of a club. Cheap, however old the club is."""

    def unfinished(self) -> Mapping[InboundState, Tally]:
        """Count the received emails in each UNFINISHED state, with the oldest reception."""

    def put_off(self, now: datetime) -> Tally:
        """Count the emails whose next attempt is in the future, with the oldest queueing."""

    def failed(self, since: datetime) -> int:
        """Count the emails tried since a moment that failed for good."""

    def playing(self) -> Counter[str]:
        """Count the matches being played by game."""

    def members(self) -> int:
        """Count the members."""

    def jobs(self) -> JobTally | None:
        """Return the state of the job queue, None if there is none."""

    def schema(self) -> str:
        """Return the revision number of the database's schema."""
