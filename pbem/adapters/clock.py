"""The system's clock."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """The time of this machine. Satisfies `ports.Clock`."""

    def now(self) -> datetime:
        return datetime.now(UTC)
