"""Plan: what an upgrade of a database will do, told before anything is done.

The revisions that are to come are tried on an empty database with the same schema; what they say to
it tells which tables they change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event, func, inspect, select, table, text

from pbem.adapters.db.engine import disposed, explained, open_engine, readers, writers
from pbem.adapters.db.migrate import config
from pbem.adapters.db.schema import Schema
from pbem.resources import folder

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
