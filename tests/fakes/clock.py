"""A clock that only moves when the test moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Satisfies `ports.Clock`. Starts at the real time, since mail servers date their emails."""

    def __init__(self, start: datetime | None = None) -> None:
        self._now = start or datetime.now(UTC)

    def now(self) -> datetime:
        self._now += timedelta(microseconds=1)
        return self._now

    def advance(self, **length: float) -> None:
        """Let time pass: `days=1`, `hours=3`, …"""
        self._now += timedelta(**length)
