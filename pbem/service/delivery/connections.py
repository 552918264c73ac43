"""Connections: whether a mail server can be reached, told when that changes for the better.

That it cannot is told by whoever wanted to reach it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import structlog

from pbem.ports.inbound import MailboxError
from pbem.ports.outbox import Session, Transport, TransportError
from pbem.ports.process import Clock, Meter, NoMeter

log = structlog.get_logger(__name__)


class Connection:
    """The way to one mail server."""

    def __init__(self, server: str, clock: Clock, meter: Meter | None = None) -> None:
        self._server = server
        self._clock = clock
        self._meter = meter or NoMeter()
        self._lost_at: datetime | None = None

    @property
    def lost(self) -> bool:
        """Whether it failed the last time."""
        return self._lost_at is not None

    @property
    def trouble(self) -> str:
        """That it failed the last time, in words; empty if it did not."""
        if self._lost_at is None:
            return ""
        return f"{self._server} cannot be reached since {self._lost_at:%Y-%m-%d %H:%M} UTC"

    def works(self) -> None:
        """The server has answered."""
        self._meter.reached(self._server, works=True)
        if self._lost_at is not None:
            minutes = round((self._clock.now() - self._lost_at).total_seconds() / 60)
            log.info("connected again", server=self._server, after_minutes=max(0, minutes))
            self._lost_at = None

    @contextmanager
    def tried(self) -> Iterator[None]:
        """A block that fails where the server cannot be reached."""
        try:
            yield
        except (MailboxError, TransportError):
            self._lost_at = self._lost_at or self._clock.now()
            self._meter.reached(self._server, works=False)
            raise


class WatchedTransport:
    """A transport whose sessions tell that the server is there."""

    def __init__(self, transport: Transport, connection: Connection) -> None:
        self._transport = transport
        self._connection = connection

    @property
    def trouble(self) -> str:
        """That the server could not be reached, in words; empty if it could."""
        return self._connection.trouble

    @contextmanager
    def connect(self) -> Iterator[Session]:
        """A session; raises TransportError."""
        with self._connection.tried(), self._transport.connect() as session:
            self._connection.works()
            yield session
