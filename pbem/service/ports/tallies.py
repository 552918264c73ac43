"""How much there is of what goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple, Protocol

from pbem.service.ports.inbound import InboundState


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
