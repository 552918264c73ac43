"""Queries to the database of a measured club, bypassing the storage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, inspect, text

from pbem.adapters.db.engine import open_engine
from pbem.ports.inbound import CHANGED

READER = "reader"
"""A role on the server that may see everything."""


class Size(NamedTuple):
    """A table: its rows, and its bytes including indexes and values stored separately."""

    table: str
    rows: int
    bytes: int


class Ledger:
    """Queries to the database."""

    def __init__(self, url: str) -> None:
        # On a server it uses its own role, so that its statements are not counted with the others.
        self._engine = open_engine(re.sub(r"(?<=^postgresql://)[^@/]+(?=@)", READER, url))
        self._has_jobs = inspect(self._engine).has_table("procrastinate_jobs")

    def number(self, query: str, **values: object) -> int:
        """Return the single number that a query gives."""
        with self._engine.connect() as connection:
            return int(connection.execute(text(query), values).scalar_one() or 0)

    def counted(self, query: str) -> list[tuple[str, int]]:
        """Return what a query counts, largest first."""
        with self._engine.connect() as connection:
            rows = connection.execute(text(query)).all()
        return sorted(((str(name), int(count)) for name, count in rows), key=lambda row: -row[1])

    @property
    def places(self) -> int:
        """Players in running matches, counted once per match."""
        return self.number(
            "SELECT count(*) FROM"
            " (SELECT DISTINCT match_id, player_id FROM seats WHERE playing) AS held"
        )

    @property
    def moves(self) -> int:
        """Emails that changed a match."""
        return self.number("SELECT count(*) FROM inbound WHERE reason = :changed", changed=CHANGED)

    @property
    def waits(self) -> bool:
        """Whether an email waits to be processed or sent, or a job for one is unfinished."""
        with self._engine.connect() as connection:
            asked = (_MAIL_WAITS, _JOBS_WAIT) if self._has_jobs else (_MAIL_WAITS,)
            return any(connection.execute(text(each)).scalar_one() for each in asked)

    def sizes(self) -> list[Size]:
        """Return all tables, largest first."""
        with self._engine.connect() as connection:
            sizes = list(_sizes(connection))
        return sorted(sizes, key=lambda size: -size.bytes)

    def counts_statements(self) -> None:
        """Start counting statements from zero, on a PostgreSQL with pg_stat_statements."""
        with self._engine.begin() as connection:
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS pg_stat_statements"))
            connection.execute(text("SELECT pg_stat_statements_reset()"))

    def statements(self) -> dict[str, int]:
        """Return the number of statements since then, by origin."""
        return dict(self.counted(_STATEMENTS))

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()


def _sizes(connection: Connection) -> Iterator[Size]:
    server = connection.dialect.name == "postgresql"
    for table in inspect(connection).get_table_names():
        rows = connection.execute(text(f'SELECT count(*) FROM "{table}"')).scalar_one()  # noqa: S608
        size = _BYTES_ON_A_SERVER if server else _BYTES_IN_A_FILE
        used = connection.execute(text(size), {"name": table}).scalar_one()
        yield Size(table, rows, int(used or 0))


_BYTES_ON_A_SERVER = "SELECT pg_total_relation_size(CAST(:name AS regclass))"
_BYTES_IN_A_FILE = (
    "SELECT sum(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name"
    " WHERE s.tbl_name = :name"
)
_STATEMENTS = """
    SELECT CASE
        WHEN query ILIKE '%procrastinate%' THEN 'procrastinate'
        WHEN query ~* '^(begin|commit|rollback)' THEN 'begin, commit, rollback'
        ELSE 'pbem'
    END, sum(calls)
    FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
    WHERE rolname <> current_user GROUP BY 1
"""
_MAIL_WAITS = (
    "SELECT EXISTS (SELECT 1 FROM inbound WHERE state = 'new')"
    " OR EXISTS (SELECT 1 FROM outbox WHERE closed_at IS NULL)"
)
_JOBS_WAIT = (
    "SELECT EXISTS (SELECT 1 FROM procrastinate_jobs"
    " WHERE status IN ('todo', 'doing') AND queue_name IN ('process', 'deliver'))"
)
