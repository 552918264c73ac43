"""A clock that moves only when told to. Every moment is a whole second."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.fakes.clock import FakeClock


class StillClock(FakeClock):
    """A clock set by seconds since 1970."""

    def now(self) -> datetime:
        """Return the same moment until the clock is moved."""
        return self._now

    @property
    def second(self) -> int:
        """Return the current second as a number."""
        return round(self._now.timestamp())

    def is_at(self, second: int) -> None:
        """Set the clock."""
        self._now = moment(second)


def moment(second: float) -> datetime:
    """Return a second as a moment."""
    return datetime.fromtimestamp(second, UTC)
