"""Dump: a whole database in one file, as of one moment, while other processes keep working."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, func, inspect, select, table
from sqlalchemy.exc import DatabaseError

from pbem.adapters.db.engine import (
    disposed,
    explained,
    file_of,
    open_engine,
    open_unchanged,
    readers,
)
from pbem.adapters.db.migrate import MovedFile, is_current
from pbem.adapters.db.postgresql_programs import dump_into
from pbem.adapters.db.schema import revision_of
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.ports.process import StorageUnavailable
from pbem.ports.progress import Report, unreported
from pbem.ports.storage import ServiceLog

SQLITE: Final = "sqlite"
POSTGRESQL: Final = "postgresql"
PAGES: Final = 1000
"""Pages of a file that are copied in one step."""


class Dump(NamedTuple):
    """A description of a dump file."""

    database: str
    """`sqlite` for a database file, `postgresql` for a dump in the custom format."""
    schema: str
    """Revision of the schema."""
    rows: Mapping[str, int]
    """Number of rows by table."""


def dump(url: str, to: Path, report: Report = unreported) -> Dump:
    """Write the database of a URL to a file. Reports pages of a file. Raises StorageUnavailable."""
    path = file_of(url)
    return _dump_server(url, to) if path is None else _dump_file(path, to, report)


def note_backup(url: str, at: datetime) -> None:
    """Store the time of the newest backup. Raises StorageUnavailable.

    Does nothing if the schema is another one.
    """
    _note(url, lambda log: log.backed_up(at))


def note_test(url: str, at: datetime) -> None:
    """Store when a backup was restored as a test. As above otherwise."""
    _note(url, lambda log: log.backup_tested(at))


def _note(url: str, what: Callable[[ServiceLog], None]) -> None:
    with disposed(open_engine(url)) as engine:
        if is_current(engine):
            with SqlStorage(engine).writing() as uow:
                what(uow.service)


def rows_of(connection: Connection) -> dict[str, int]:
    """Return the number of rows by table."""
    names = sorted(inspect(connection).get_table_names())
    return {name: _rows(connection, name) for name in names}


def _rows(connection: Connection, name: str) -> int:
    return connection.execute(select(func.count()).select_from(table(name))).scalar_one()


def _dump_file(path: Path, to: Path, report: Report) -> Dump:
    MovedFile(path).require_unmoved()
    if not path.exists():
        raise StorageUnavailable(f"there is no database {path}")
    with _sqlite_errors(path):
        _copy(path, to, report)
    with disposed(open_unchanged(to)) as engine, engine.connect() as connection:
        return Dump(SQLITE, _revision(connection), rows_of(connection))


def _copy(path: Path, to: Path, report: Report) -> None:
    """Copy a file as of one moment, while others write. Excludes what they write."""
    source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    with closing(source), closing(sqlite3.connect(to)) as target:
        # Within a transaction that has read something, SQLite copies its snapshot step by step.
        # Otherwise it would start again after each change.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(
            target,
            pages=PAGES,
            progress=lambda _status, left, total: report(total - left, total),
        )
        report(0, 0)
        # A copy is a single file, without a log beside it.
        target.execute("PRAGMA journal_mode = DELETE")
        (found,) = target.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise StorageUnavailable(f"the database {path} is damaged: {found}")


@contextmanager
def _sqlite_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StorageUnavailable(f"the database {path} cannot be copied: {error}") from error


def _dump_server(url: str, to: Path) -> Dump:
    """Dump a server's database, with row counts of the same snapshot."""
    with (
        disposed(open_engine(url)) as engine,
        explained(),
        readers(engine).connect() as connection,
    ):
        # This session is idle while pg_dump works.
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        snapshot = connection.exec_driver_sql("SELECT pg_export_snapshot()").scalar_one()
        found = Dump(POSTGRESQL, _revision(connection), rows_of(connection))
        dump_into(url, snapshot, to)
        return found


def _revision(connection: Connection) -> str:
    try:
        found = revision_of(connection)
    except DatabaseError as error:
        raise StorageUnavailable(f"the database cannot be read: {error.orig}") from error
    if not found:
        raise StorageUnavailable("there is no club in the database")
    return found
