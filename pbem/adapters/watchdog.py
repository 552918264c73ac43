"""Watchdog: whether everything in this process is still running.

A job may take an hour and be busy all that time. So its duration does not matter, only whether its
thread does anything. A thread without processor time for longer than any timeout is waiting for
something that will never come.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

STILL_SECONDS: Final = 3900.0
"""Longer than the longest wait for a server (`timeout_s`: at most an hour)."""
LATE_SECONDS: Final = 120.0
"""Allowed delay of a recurring event, since the machine may be busy."""

Seconds = Callable[[], float]
"""A monotonic clock."""


class _Doing:
    """Something that a thread is doing."""

    def __init__(self, what: str, processor: Seconds, now: float) -> None:
        self.what = what
        self._processor = processor
        self._used = processor()
        self.moved_at = now

    def look(self, now: float) -> None:
        """Record whether the thread has used the processor since the last check."""
        used = self._processor()
        if used != self._used:
            self._used, self.moved_at = used, now


class _Expected:
    """A recurring event."""

    def __init__(self, within: float, now: float) -> None:
        self.within = within
        self.came_at = now


class Watchdog:
    """Activity in a part of this process, checked regularly."""

    def __init__(self, monotonic: Seconds = time.monotonic) -> None:
        self._monotonic = monotonic
        self._guard = threading.Lock()
        self._doing: dict[object, _Doing] = {}
        self._expected: dict[str, _Expected] = {}
        self._threads: list[threading.Thread] = []

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Open a block in which this thread must keep working."""
        key, doing = object(), _Doing(what, _processor_of_this_thread(), self._monotonic())
        with self._guard:
            self._doing[key] = doing
        try:
            yield
        finally:
            with self._guard:
                del self._doing[key]

    def expect(self, what: str, seconds: float) -> None:
        """Expect an event at least every `seconds` from now on."""
        with self._guard:
            self._expected[what] = _Expected(seconds + LATE_SECONDS, self._monotonic())

    def comes(self, what: str) -> None:
        """Record that an expected event happened."""
        with self._guard:
            if what in self._expected:
                self._expected[what].came_at = self._monotonic()

    def depends_on(self, thread: threading.Thread) -> None:
        """Watch a thread that must not end before the process."""
        with self._guard:
            self._threads.append(thread)

    def unwell(self) -> str:
        """Describe what has stopped. Empty if nothing has."""
        now = self._monotonic()
        with self._guard:
            return "; ".join((*self._ended(), *self._standing(now), *self._missing(now)))

    def _ended(self) -> Iterator[str]:
        for thread in self._threads:
            if not thread.is_alive():
                yield f"{thread.name.strip()} has ended"

    def _standing(self, now: float) -> Iterator[str]:
        for doing in self._doing.values():
            doing.look(now)
            if now - doing.moved_at > STILL_SECONDS:
                yield f"{doing.what} has been stuck for {_minutes(now - doing.moved_at)}"

    def _missing(self, now: float) -> Iterator[str]:
        for what, expected in self._expected.items():
            if now - expected.came_at > expected.within:
                yield f"{what} has not happened for {_minutes(now - expected.came_at)}"


def _processor_of_this_thread() -> Seconds:
    """Return a clock of this thread's processor time that any thread can read."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic  # macOS has no such clock, so everything seems to be running
    clock = time.pthread_getcpuclockid(threading.get_ident())

    def used() -> float:
        try:
            return time.clock_gettime(clock)
        except OSError:
            return 0.0  # the thread has ended

    return used


def _minutes(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes} minute{'s' if minutes > 1 else ''}"


class Going(Protocol):
    """Something that can report whether it is running."""

    def unwell(self) -> str:
        """Describe what has stopped. Empty if nothing has."""


def all_unwell(*parts: Going | None) -> str:
    """Describe what has stopped in several parts. Empty if nothing has."""
    said = (part.unwell() for part in parts if part is not None)
    return "; ".join(filter(None, said))
