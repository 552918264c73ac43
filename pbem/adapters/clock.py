"""The system's clock."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """Now, as this machine has it; satisfies `ports.Clock`."""

    def now(self) -> datetime:
        return datetime.now(UTC)
