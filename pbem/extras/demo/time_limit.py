"""Time limits of the demonstration, and how it fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

GLANCE_S = 0.05


class DemoFailed(Exception):
    """Raised if the demonstration cannot continue, with a sentence that says why."""


class TimeLimit:
    """A moment by which everything must be done."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._began = time.monotonic()

    @property
    def passed_s(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self._began

    @property
    def left_s(self) -> float:
        """Return the seconds left. Raises DemoFailed if there are none."""
        left = self._seconds - self.passed_s
        if left <= 0:
            raise DemoFailed(
                f"it was not over after {self._seconds:.0f} seconds. On a slow machine, choose"
                " more with --seconds"
            )
        return left

    def wait_for(self, look: Callable[[], T | None]) -> T:
        """Call `look` until it finds something, and return that. Raises DemoFailed."""
        while (found := look()) is None:
            time.sleep(min(GLANCE_S, self.left_s))
        return found
