"""A clock that jumps."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.fakes.clock import FakeClock


class JumpingClock(FakeClock):
    """A clock that only moves when told to, and jumps when told to."""

    def __init__(self) -> None:
        super().__init__()
        self._by, self._looks = timedelta(), 0

    def jump(self, by: timedelta, look: int) -> None:
        """Jump when the clock has been read this many more times."""
        self._by, self._looks = by, look

    @property
    def will_jump(self) -> bool:
        """Return whether a jump is still to come."""
        return self._looks > 0

    def now(self) -> datetime:
        """Return the time, aware and in UTC."""
        self._looks -= 1
        if self._looks == 0:
            self._now += self._by
        return super().now()
