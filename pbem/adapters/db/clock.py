"""The clock of a database server, which all machines of a club have in common."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Engine, func, select

from pbem.adapters.db.engine import explained


class DatabaseClock:
    """Now, as PostgreSQL has it; satisfies `ports.Clock`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def now(self) -> datetime:
        """Aware, UTC; raises StorageUnavailable."""
        with explained(), self._engine.connect() as connection:
            now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
        return now.astimezone(UTC)
