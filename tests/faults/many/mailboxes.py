"""The mailboxes of the players, into which a real SMTP server puts what it takes."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tests.faults.people import Mail, read


class Mailboxes:
    """Everything that has come, oldest first."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self._read: list[Mail] = []
        self._came = threading.Condition()

    def put(self, _sender: str, recipient: str, raw: bytes) -> None:
        """A mail comes in."""
        with self._came:
            self.taken.append((recipient, raw))
            self._came.notify_all()

    def got(self) -> list[Mail]:
        """Every mail that has come."""
        new = self.taken[len(self._read) :]
        self._read += [read(recipient, raw) for recipient, raw in new]
        return self._read

    def wait_for(self, come: Callable[[], bool], seconds: float) -> bool:
        """Whether all has come that somebody waits for, at last."""
        with self._came:
            return self._came.wait_for(come, seconds)
