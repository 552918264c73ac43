"""The watch over the folder."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from pbem.adapters.imap_mailbox.link import Link
from pbem.adapters.imap_mailbox.mailbox import select
from pbem.adapters.imap_mailbox.settings import ImapSettings
from pbem.ports.inbound import MailboxError

IDLE_LIMIT_S: Final = 28 * 60.0
"""RFC 2177 advises to end an IDLE at least every 29 minutes."""


class ImapWatch:
    """A second connection that hears when mail arrives, where the server has IDLE (RFC 2177).

    The first wait on a new connection says yes at once: mail may have come while nobody looked.
    """

    def __init__(
        self, settings: ImapSettings, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._link = Link(settings, monotonic)
        self._has_idle = True
        self._closed = threading.Event()

    def wait(self, seconds: float) -> bool:
        """Whether something happened within so many seconds; raises MailboxError.

        After a failure it first sits out the time until the next attempt, so that it can be
        called in a loop. Once closed it says no at once.
        """
        try:
            return self._waited(self._monotonic() + seconds)
        except MailboxError:
            if self._closed.is_set():
                return False
            raise

    def _waited(self, until: float) -> bool:
        if not self._has_idle or self._link.backing_off() >= self._left(until):
            self._closed.wait(self._left(until))
            return False
        if self._closed.wait(self._link.backing_off()):
            return False
        if self._link.live:
            return self._idle(until)
        return self._connected() or self._waited(until)

    def _connected(self) -> bool:
        self._link.connect()
        with self._link.talking() as client:
            self._has_idle = bool(client.has_capability("IDLE"))
            select(client, self._settings, readonly=True)
        if self._closed.is_set() or not self._has_idle:
            self._link.close()
        return self._has_idle

    def _idle(self, until: float) -> bool:
        while (left := self._left(until)) > 0:
            with self._link.talking() as client:
                announced = client.hears_of_mail(min(left, IDLE_LIMIT_S))
            self._link.healthy()
            if announced:
                return True
        return False

    def _left(self, until: float) -> float:
        return max(0.0, until - self._monotonic())

    def close(self) -> None:
        """Ends the wait from another thread, and the connection, for good; never raises."""
        self._closed.set()
        self._link.close()
