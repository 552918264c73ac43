"""Upgrading: what an upgrade of an older schema will change, and doing it."""

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
    """A database that is to get the newest schema."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.schema = schema_of(engine)

    @cached_property
    def plan(self) -> Plan:
        """What will be done; raises StorageUnavailable."""
        return plan_of(self._engine, self.schema)

    def others(self) -> Sequence[str]:
        """Other processes of pbem that work on it; of a file it is not known here."""
        return others_at_work(self._engine)

    def newest_backup(self) -> datetime | None:
        """Of which moment it is; None if none is known."""
        with SqlStorage(self._engine).reading() as uow:  # every schema has that table
            return uow.service.last_backup()

    def carry_out(self) -> None:
        """Does it, or nothing; raises StorageUnavailable, which names who was in the way."""
        try:
            upgrade(self._engine)
        except StorageUnavailable as error:
            busy = in_the_midst(self._engine)
            named = f"; in the midst of something are: {', '.join(busy)}" if busy else ""
            raise StorageUnavailable(
                f"{error}{named}. Nothing was changed: do it again, best when nobody works"
            ) from error


@contextmanager
def upgrading(url: str) -> Iterator[Upgrade]:
    """A block for a database that is to be brought up; raises StorageUnavailable, SchemaDiffers."""
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
    """Other processes of pbem that are connected, as they are named; of a file it is not known.

    Raises StorageUnavailable.
    """
    if engine.dialect.name != "postgresql":
        return ()
    named = {"ours": f"{NAMED} %", "mine": session_name()}
    with explained(), readers(engine).connect() as connection:
        return connection.execute(SESSIONS, named).scalars().all()


def in_the_midst(engine: Engine) -> Sequence[str]:
    """Sessions in a transaction, for whose locks one may have waited; of a file it is not known."""
    if engine.dialect.name != "postgresql":
        return ()
    with explained(), readers(engine).connect() as connection:
        return connection.execute(TRANSACTIONS).scalars().all()


BYTES_A_SECOND: Final = 10_000_000
"""What is written anew in a second by a machine that is not fast."""
COPIES: Final = 2
"""What SQLite writes anew stands in its log, and then in the file beside the old one."""
CHANGES: Final = re.compile(
    r"""\s*(?:ALTER\s+TABLE|UPDATE|DELETE\s+FROM|DROP\s+TABLE|INSERT\s+INTO)\s+"?(?P<table>\w+)"""
    r"""|\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+\S+\s+ON\s+"?(?P<indexed>\w+)""",
    re.IGNORECASE,
)
"""A statement that changes a table, or makes an index of it."""
OWN: Final = {"alembic_version"}
"""What changes with each revision, and is small."""
BESIDE: Final = "_alembic_tmp_"
"""How Alembic names a table that is to take the place of another."""


class Coming(NamedTuple):
    """A revision that is to come."""

    revision: str
    words: str


class Touched(NamedTuple):
    """A table that is changed, with what is in it now."""

    name: str
    rows: int
    bytes: int
    """With its indexes."""


@dataclass(frozen=True)
class Plan:
    """What an upgrade will do."""

    revisions: Sequence[Coming]
    """In the order in which they come."""
    tables: Sequence[Touched]
    room: int
    """Bytes that are wanted for a while beside the database; 0 where the server sees to that."""

    @property
    def seconds(self) -> int:
        """About how long it takes at most."""
        return 1 + sum(each.bytes for each in self.tables) // BYTES_A_SECOND


def plan_of(engine: Engine, schema: Schema, scripts: Path | None = None) -> Plan:
    """What it takes from a schema that was found to the newest; raises StorageUnavailable."""
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
    """The tables that the revisions from one to the newest change."""
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
    """The statements that are said on a connection from now on."""
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
