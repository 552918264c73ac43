"""Fresh: something that is looked up anew when it is asked for and was looked up long ago."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

ValueT = TypeVar("ValueT")


class Look(NamedTuple, Generic[ValueT]):
    """What was found when it was looked up last."""

    value: ValueT
    at: float
    """On a clock that is never put back."""

    @property
    def ago(self) -> float:
        """Seconds since then."""
        return time.monotonic() - self.at


class Fresh(Generic[ValueT]):
    """A value that is good enough for some seconds; never looked up twice at once."""

    def __init__(self, look_up: Callable[[], ValueT], seconds: float) -> None:
        self._look_up = look_up
        self._seconds = seconds
        self._looking = threading.Lock()
        self._last: Look[ValueT] | None = None

    def look(self) -> Look[ValueT]:
        """The last one where somebody else is looking: what is silent keeps one waiting."""
        before = self._last
        if before is not None and not self._looking.acquire(blocking=False):
            return before
        if before is None:
            self._looking.acquire()
        try:
            if self._last is None or self._last.ago >= self._seconds:
                self._last = Look(self._look_up(), time.monotonic())
            return self._last
        finally:
            self._looking.release()
