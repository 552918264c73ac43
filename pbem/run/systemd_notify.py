"""Notify systemd that a process is ready, alive, or stopping.

A process with a stuck thread stays silent, and systemd's watchdog restarts it. As they die, all
threads log where they were.
"""

from __future__ import annotations

import faulthandler
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from pbem.log import get_logger
from pbem.run.config import notify_socket, watchdog_seconds

PATIENCE_S: Final = 5.0
"""A manager that does not read delays nobody for longer than this."""


class ServiceManager:
    """Receives reports about a process. Without an address, nobody does."""

    def __init__(self, address: str) -> None:
        # In the environment, @ stands for the zero byte of an abstract socket name (unix(7)).
        self._address = f"\0{address[1:]}" if address.startswith("@") else address

    def hears(self, **said: str) -> None:
        """Send a report: READY="1", STATUS="a sentence". Never raises."""
        if not self._address:
            return
        text = "\n".join(f"{name}={' '.join(value.split())}" for name, value in said.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.settimeout(PATIENCE_S)
                line.sendto(text.encode(), self._address)
        except OSError as error:
            log.debug("the service manager cannot be reached", error=str(error))


log = get_logger(__name__)

LOOK_SECONDS = 10.0
"""Seconds between checks that nothing is stuck."""
READY_SECONDS = 60.0
"""Longest wait, in seconds, for the state of all mail servers."""


class _Attendant:
    """Checks again and again that nothing is stuck."""

    def __init__(
        self, manager: ServiceManager, unwell: Callable[[], str], doing: Callable[[], str]
    ) -> None:
        self._manager = manager
        self._unwell = unwell
        self._doing = doing
        self._was_unwell = False

    def attend(
        self, over: threading.Event, settled: Sequence[threading.Event], ready_seconds: float
    ) -> None:
        """Notify systemd until the process stops."""
        for each in settled:
            each.wait(ready_seconds / len(settled))
        if not over.is_set():
            self._manager.hears(READY="1", STATUS=self._doing())
        # Twice as often as systemd expects, as sd_watchdog_enabled(3) advises.
        seconds = min(LOOK_SECONDS, watchdog_seconds() / 2)
        while not over.wait(seconds):
            self._look()

    def _look(self) -> None:
        unwell = self._unwell()
        if unwell:
            self._manager.hears(STATUS=unwell)
        else:
            self._manager.hears(WATCHDOG="1", STATUS=self._doing())
        if bool(unwell) != self._was_unwell:
            self._tell(unwell)

    def _tell(self, unwell: str) -> None:
        self._was_unwell = bool(unwell)
        if unwell:
            log.error("the service is not healthy", what=unwell)
        else:
            log.info("everything works again")


@contextmanager
def systemd_notified(
    stop: threading.Event,
    unwell: Callable[[], str],
    doing: Callable[[], str],
    settled: Sequence[threading.Event] = (),
    ready_seconds: float = READY_SECONDS,
) -> Iterator[None]:
    """Notify systemd during a block, until the process stops.

    `unwell` says what is stuck, `doing` what the process does, in a sentence. It is ready once
    it is settled.
    """
    manager, over = ServiceManager(notify_socket()), threading.Event()
    if watchdog_seconds() < float("inf"):
        faulthandler.enable()  # on the watchdog's SIGABRT, every thread logs where it is
    attendant = _Attendant(manager, unwell, doing)
    threading.Thread(
        target=attendant.attend, args=(over, settled, ready_seconds), name="attendant", daemon=True
    ).start()
    try:
        yield
    finally:
        over.set()
        if stop.is_set():
            manager.hears(STOPPING="1", STATUS="ending")
