"""Upgrading: plan and perform an upgrade of an older schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event, func, inspect, select, table, text

from pbem.adapters.db.engine import disposed, explained, file_of, open_engine, readers, writers
from pbem.adapters.db.migrate import MovedFile, config, upgrade
from pbem.adapters.db.schema import Schema, schema_of
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.adapters.postgresql_line import NAMED, session_name
from pbem.ports.process import StorageUnavailable
from pbem.resources import folder


class Upgrade:
    """An upgrade of a database to the newest schema."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.schema = schema_of(engine)

    @cached_property
    def plan(self) -> Plan:
        """Return what will be done. Raises StorageUnavailable."""
        return plan_of(self._engine, self.schema)

    def others(self) -> Sequence[str]:
        """Return other processes of pbem that use the database. Empty for a file."""
        return others_at_work(self._engine)

    def newest_backup(self) -> datetime | None:
        """Return when the newest known backup was made, None if there is none."""
        with SqlStorage(self._engine).reading() as uow:  # every schema has that table
            return uow.service.last_backup()

    def carry_out(self) -> None:
        """Upgrade, or change nothing. Raises StorageUnavailable naming the sessions in the way."""
        try:
            upgrade(self._engine)
        except StorageUnavailable as error:
            busy = in_the_midst(self._engine)
            named = f"; busy now: {', '.join(busy)}" if busy else ""
            raise StorageUnavailable(
                f"{error}{named}. Nothing was changed. Try again when nothing else is running"
            ) from error


@contextmanager
def upgrading(url: str) -> Iterator[Upgrade]:
    """Open a database to upgrade for a block. Raises StorageUnavailable, SchemaDiffers."""
    path = file_of(url)
    if path is not None:
        MovedFile(path).require_unmoved()
    with disposed(open_engine(url)) as engine:
        new = Upgrade(engine)
        new.schema.require_upgradable()
        yield new


SESSIONS = text(
    """
    SELECT application_name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE :ours
       AND application_name <> :mine
     GROUP BY 1 ORDER BY min(backend_start)
    """
)
TRANSACTIONS = text(
    """
    SELECT concat_ws(' ', coalesce(nullif(application_name, ''), usename, 'somebody'),
                     '(process ' || pid || ' of the server)')
      FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND (backend_xid IS NOT NULL OR backend_xmin IS NOT NULL OR xact_start IS NOT NULL)
     ORDER BY xact_start
    """
)


def others_at_work(engine: Engine) -> Sequence[str]:
    """Return the names of other connected pbem processes. Always empty for a file.

    Raises StorageUnavailable.
    """
    if engine.dialect.name != "postgresql":
        return ()
    named = {"ours": f"{NAMED} %", "mine": session_name()}
    with explained(), readers(engine).connect() as connection:
        return connection.execute(SESSIONS, named).scalars().all()


def in_the_midst(engine: Engine) -> Sequence[str]:
    """Return sessions in a transaction, which may hold a needed lock. Empty for a file."""
    if engine.dialect.name != "postgresql":
        return ()
    with explained(), readers(engine).connect() as connection:
        return connection.execute(TRANSACTIONS).scalars().all()


BYTES_A_SECOND: Final = 10_000_000
"""Bytes per second that a slow machine rewrites."""
COPIES: Final = 2
"""SQLite writes new data to its log, and then to the file beside the old data."""
CHANGES: Final = re.compile(
    r"""\s*(?:ALTER\s+TABLE|UPDATE|DELETE\s+FROM|DROP\s+TABLE|INSERT\s+INTO)\s+"?(?P<table>\w+)"""
    r"""|\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+\S+\s+ON\s+"?(?P<indexed>\w+)""",
    re.IGNORECASE,
)
"""Matches a statement that changes a table, or indexes it."""
OWN: Final = {"alembic_version"}
"""Tables that change with each revision but are small."""
BESIDE: Final = "_alembic_tmp_"
"""Prefix of Alembic's temporary name for a table that replaces another."""


class Coming(NamedTuple):
    """A revision still to be applied."""

    revision: str
    words: str


class Touched(NamedTuple):
    """A table that will change, with its current size."""

    name: str
    rows: int
    bytes: int
    """Including its indexes."""


@dataclass(frozen=True)
class Plan:
    """Steps of an upgrade, before it runs."""

    revisions: Sequence[Coming]
    """In order of application."""
    tables: Sequence[Touched]
    room: int
    """Bytes needed temporarily beside the database. 0 for a server."""

    @property
    def seconds(self) -> int:
        """Return roughly how many seconds it takes at most."""
        return 1 + sum(each.bytes for each in self.tables) // BYTES_A_SECOND


def plan_of(engine: Engine, schema: Schema, scripts: Path | None = None) -> Plan:
    """Return the plan from a schema to the newest. Raises StorageUnavailable."""
    coming = _coming(schema.found, scripts or folder("db"))
    with explained(), readers(engine).connect() as connection:
        there = set(inspect(connection).get_table_names())
        changed = _changed(schema.found, scripts) & there - OWN if coming else set[str]()
        tables = [_touched(connection, name) for name in sorted(changed)]
    of_file = engine.dialect.name == "sqlite"
    room = COPIES * sum(each.bytes for each in tables) if of_file else 0
    return Plan(coming, tables, room)


def _coming(found: str, scripts: Path) -> list[Coming]:
    directory = ScriptDirectory(str(scripts))
    newest_first = list(directory.iterate_revisions("head", found))
    return [Coming(each.revision, _words(each.doc)) for each in reversed(newest_first)]


def _words(doc: str) -> str:
    return " ".join(doc.partition("\n\n")[0].split())


def _changed(found: str, scripts: Path | None) -> set[str]:
    """Return the tables that the revisions after `found` change."""
    with (
        TemporaryDirectory() as scratch,
        disposed(open_engine(f"sqlite:///{scratch}/empty.sqlite")) as engine,
        writers(engine).begin() as connection,
    ):
        settings = config(connection, scripts)
        command.upgrade(settings, found)
        said = _listening(connection)
        command.upgrade(settings, "head")
    return {name.removeprefix(BESIDE) for statement in said for name in _tables_in(statement)}


def _listening(connection: Connection) -> list[str]:
    """Return a list that collects the statements executed on a connection from now on."""
    said: list[str] = []

    def hear(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        said.append(statement)

    event.listen(connection, "before_cursor_execute", hear)
    return said


def _tables_in(statement: str) -> Iterator[str]:
    found = CHANGES.match(statement)
    if found is not None:
        yield found["table"] or found["indexed"]


def _touched(connection: Connection, name: str) -> Touched:
    rows = connection.execute(select(func.count()).select_from(table(name))).scalar_one()
    if connection.dialect.name == "postgresql":
        size = text("SELECT pg_total_relation_size(CAST(:name AS regclass))")
    else:
        size = text(
            "SELECT coalesce(sum(pgsize), 0) FROM dbstat "
            "WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = :name)"
        )
    return Touched(name, rows, connection.execute(size, {"name": name}).scalar_one())
