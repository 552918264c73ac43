"""A clock that does not go on by itself: every moment is a whole second."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.fakes.clock import FakeClock


class StillClock(FakeClock):
    """By seconds since 1970."""

    def now(self) -> datetime:
        """The same until it is moved."""
        return self._now

    @property
    def second(self) -> int:
        """The same as a number."""
        return round(self._now.timestamp())

    def is_at(self, second: int) -> None:
        """The time is that."""
        self._now = moment(second)


def moment(second: float) -> datetime:
    """A second as a moment."""
    return datetime.fromtimestamp(second, UTC)
