"""A clock that jumps."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.fakes.clock import FakeClock


class JumpingClock(FakeClock):
    """Stands still until it is moved, and jumps where it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self._by, self._looks = timedelta(), 0

    def jump(self, by: timedelta, look: int) -> None:
        """It jumps as somebody looks at it for so many times from now on."""
        self._by, self._looks = by, look

    @property
    def will_jump(self) -> bool:
        """Whether a jump is still to come."""
        return self._looks > 0

    def now(self) -> datetime:
        """Aware, UTC."""
        self._looks -= 1
        if self._looks == 0:
            self._now += self._by
        return super().now()
