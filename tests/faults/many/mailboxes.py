"""The players' mailboxes, filled by a real SMTP server."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tests.faults.people import Mail, read


class Mailboxes:
    """All emails received, oldest first."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self._read: list[Mail] = []
        self._came = threading.Condition()

    def put(self, _sender: str, recipient: str, raw: bytes) -> None:
        """Add an email."""
        with self._came:
            self.taken.append((recipient, raw))
            self._came.notify_all()

    def got(self) -> list[Mail]:
        """Return every email received."""
        new = self.taken[len(self._read) :]
        self._read += [read(recipient, raw) for recipient, raw in new]
        return self._read

    def wait_for(self, come: Callable[[], bool], seconds: float) -> bool:
        """Wait until everything expected has arrived. Return whether it has."""
        with self._came:
            return self._came.wait_for(come, seconds)
