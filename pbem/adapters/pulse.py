"""Pulse: whether everything goes on that is to go on in this process.

A job may take an hour, and be at work all the time. So what counts is not how long it takes but
whether its thread does anything: one that has had no time of a processor for longer than anybody
may wait for anything waits for something that does not come.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

STILL_SECONDS: Final = 3900.0
"""Longer than a server may be waited for (`timeout_s`: an hour at most)."""
LATE_SECONDS: Final = 120.0
"""By so much whatever comes again and again may be late: the machine may be busy."""

Seconds = Callable[[], float]
"""A clock that only ever goes on."""


class _Doing:
    """Something that a thread is doing."""

    def __init__(self, what: str, processor: Seconds, now: float) -> None:
        self.what = what
        self._processor = processor
        self._used = processor()
        self.moved_at = now

    def look(self, now: float) -> None:
        """Notes if the thread has done something since the last look."""
        used = self._processor()
        if used != self._used:
            self._used, self.moved_at = used, now


class _Expected:
    """Something that is to come again and again."""

    def __init__(self, within: float, now: float) -> None:
        self.within = within
        self.came_at = now


class Pulse:
    """What goes on in a part of this process; it is looked at again and again."""

    def __init__(self, monotonic: Seconds = time.monotonic) -> None:
        self._monotonic = monotonic
        self._guard = threading.Lock()
        self._doing: dict[object, _Doing] = {}
        self._expected: dict[str, _Expected] = {}
        self._threads: list[threading.Thread] = []

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """A block in which this thread does something, and is not to stand still."""
        key, doing = object(), _Doing(what, _processor_of_this_thread(), self._monotonic())
        with self._guard:
            self._doing[key] = doing
        try:
            yield
        finally:
            with self._guard:
                del self._doing[key]

    def expect(self, what: str, seconds: float) -> None:
        """From now on something is to come at least every so many seconds."""
        with self._guard:
            self._expected[what] = _Expected(seconds + LATE_SECONDS, self._monotonic())

    def comes(self, what: str) -> None:
        """Something has come that is expected."""
        with self._guard:
            if what in self._expected:
                self._expected[what].came_at = self._monotonic()

    def depends_on(self, thread: threading.Thread) -> None:
        """A thread that has begun, and is not to end before the process does."""
        with self._guard:
            self._threads.append(thread)

    def unwell(self) -> str:
        """What does not go on, in words; empty if everything does."""
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
                yield f"{doing.what} has stood still for {_minutes(now - doing.moved_at)}"

    def _missing(self, now: float) -> Iterator[str]:
        for what, expected in self._expected.items():
            if now - expected.came_at > expected.within:
                yield f"{what} has not come for {_minutes(now - expected.came_at)}"


def _processor_of_this_thread() -> Seconds:
    """How much time of a processor this thread has had, to be asked by any thread."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic  # macOS does not tell, and everything seems to go on
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
    """What goes on, or does not."""

    def unwell(self) -> str:
        """What does not, in words; empty if everything does."""


def all_unwell(*parts: Going | None) -> str:
    """What of some parts does not go on, in words; empty if everything does."""
    said = (part.unwell() for part in parts if part is not None)
    return "; ".join(filter(None, said))
