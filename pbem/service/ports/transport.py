"""The SMTP server."""

from __future__ import annotations

from contextlib import AbstractContextManager
from enum import StrEnum
from typing import NamedTuple, Protocol


class Delivery(StrEnum):
    """What the server said to one mail."""

    SENT = "sent"
    DEFERRED = "deferred"
    """4xx, a lost connection, an unknowable outcome: to be tried again."""
    REFUSED = "refused"
    """5xx to the recipient or the mail: not to be tried again."""


class DeliveryReport(NamedTuple):
    """Result for one mail."""

    delivery: Delivery
    reply: str
    """Reply of the server, for people."""


class TransportError(Exception):
    """The SMTP server could not be reached or refused the session: nothing was sent."""


class Session(Protocol):
    """An open SMTP connection for a batch."""

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        """Sends one mail to one recipient; raises TransportError once the connection is gone."""


class Transport(Protocol):
    """The SMTP server."""

    def connect(self) -> AbstractContextManager[Session]:
        """Opens a connection; raises TransportError."""
