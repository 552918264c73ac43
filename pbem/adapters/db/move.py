"""Move: copy a stopped club from its SQLite file to an empty PostgreSQL database.

The file is opened read-only and stays as it is. All rows arrive in one transaction, or none. A move
that was interrupted can simply be repeated.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Engine,
    LargeBinary,
    MetaData,
    Row,
    Table,
    exists,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session

from pbem.adapters.db.engine import (
    disposed,
    explained,
    open_engine,
    open_unchanged,
    readers,
    without_password,
    writers,
)
from pbem.adapters.db.migrate import MovedFile, is_current, upgrade
from pbem.adapters.db.schema import schema_of
from pbem.adapters.db.tables import DatabaseRow
from pbem.adapters.db.types import Packed
from pbem.adapters.db.unit_of_work import unit_of_work
from pbem.ports.process import StorageUnavailable
from pbem.ports.progress import Report, added_up, unreported
from pbem.ports.storage import UnitOfWork

ENCODING = "UTF8"


class DatabaseMove:
    """A move in progress. Nobody sees its result before the transaction ends."""

    def __init__(self, source: Connection, target: Connection, to: str) -> None:
        self._source = source
        self._target = target
        self._to = to
        self.before = _unit_of_work(source)
        """The club in the file."""
        self.after = _unit_of_work(target)
        """The club in the new database."""

    def carry(self, tell: Callable[[str, int], None], report: Report = unreported) -> bool:
        """Copy every table and compare it. Return whether there was anything to copy.

        `tell` gets the name and the number of rows of each. `report` counts rows, each once here
        and once there. If the same club is already there, an earlier move has worked. Raises
        StorageUnavailable.
        """
        to_copy = all(is_empty(self._target, table) for table in tables())
        read = added_up(report, 2 * sum(rows_of(self._source, table) for table in tables()))
        for table in tables():
            if to_copy:
                sent = copied(self._source, self._target, table, read)
            else:
                sent = content(self._source, table, read)
            arrived = content(self._target, table, read)
            if arrived != sent:
                raise self._different(table.name, sent, arrived, just_now=to_copy)
            tell(table.name, sent.rows)
        number_on(self._source, self._target)
        return to_copy

    def _different(
        self, table: str, sent: Content, arrived: Content, *, just_now: bool
    ) -> StorageUnavailable:
        counts = f"{arrived.rows} rows of {table} there, {sent.rows} here"
        if arrived.rows == sent.rows:
            counts = f"the {sent.rows} rows of {table} differ"
        if just_now:
            return StorageUnavailable(f"what arrived is not what was sent: {counts}")
        return StorageUnavailable(
            f"{self._to} is not empty, and contains something other than this club: {counts}. "
            "Create an empty database and try again"
        )


@contextmanager
def moving(path: Path, url: str) -> Iterator[DatabaseMove]:
    """Move a club within a block. It has moved at the end, or stays on an error.

    From the start of the block, anyone who opens the file gets an error. Raises StorageUnavailable.
    """
    to, marker = without_password(url), MovedFile(path)
    with disposed(open_unchanged(path)) as source, disposed(open_engine(url)) as target:
        _require_source(source, path)
        with _in_sentences(to):
            _require_target(target, to)
            with writers(target).connect() as after:
                with _marked(marker, to), _one_moment(source) as before:
                    upgrade(target)
                    _keep_others_out(after)
                    yield DatabaseMove(before, after, to)
                # If this fails, nobody knows whether the club has arrived, so the marker stays.
                after.commit()


@contextmanager
def _in_sentences(to: str) -> Iterator[None]:
    """Open a block that turns a server's refusals into StorageUnavailable."""
    try:
        yield
    except DatabaseError as error:
        reason = str(error.orig).partition("\n")[0]
        raise StorageUnavailable(f"{to} cannot store the club: {reason}") from error


def _require_source(source: Engine, path: Path) -> None:
    if not path.exists():
        raise StorageUnavailable(f"there is no database {path} to move")
    if not is_current(source):
        raise StorageUnavailable(
            f"{path} was written by an older version of pbem. Upgrade it with pbem upgrade, "
            "without options, then try again"
        )


def _require_target(target: Engine, to: str) -> None:
    if target.dialect.name != "postgresql":
        raise StorageUnavailable(
            f"{to} is not a PostgreSQL database. Its URL must be postgresql://…"
        )
    with explained(), readers(target).connect() as connection:
        require_encoding(connection, to)
        others = inspect(connection).get_table_names() if schema_of(target).is_empty else []
    if others:
        raise StorageUnavailable(
            f"{to} is not empty: it has a table {others[0]}, which is not part of pbem. Create a "
            "database for the club only"
        )


def require_encoding(connection: Connection, to: str) -> None:
    """Raise StorageUnavailable if a server could not store every text."""
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
    if encoding != ENCODING:
        raise StorageUnavailable(
            f"{to} stores text as {encoding}, not {ENCODING}. Create a database with createdb "
            f"--encoding {ENCODING} --template template0"
        )


@contextmanager
def _marked(marker: MovedFile, to: str) -> Iterator[None]:
    """Open a block from whose start nobody can open the file. An error allows it again."""
    before = marker.target
    if before and before != to:
        raise StorageUnavailable(
            f"the club cannot move to {to}: it was moved to {before}, or that move was "
            f"interrupted. If that database is empty, delete {marker.path} first"
        )
    marker.write(to)
    try:
        yield
    except BaseException:
        if not before:
            marker.remove()
        raise


@contextmanager
def _one_moment(source: Engine) -> Iterator[Connection]:
    """Read the file as of one moment. Raises StorageUnavailable at the end if it has changed."""
    with source.connect() as connection:
        then = _last_change(connection)
        connection.begin()
        yield connection
        connection.rollback()
        if _last_change(connection) != then:
            raise StorageUnavailable(
                "the club changed during the move, so nothing was moved. Make sure that nothing "
                "uses it, and try again"
            )


def _last_change(connection: Connection) -> int:
    """Return a number that others' commits change. It stays the same within a transaction."""
    own = connection.connection.driver_connection
    assert isinstance(own, sqlite3.Connection)
    (version,) = own.execute("PRAGMA data_version").fetchone()
    return int(version)


def _keep_others_out(target: Connection) -> None:
    """Lock the new database, so that a process started too early waits or gets an error."""
    names = ", ".join(f'"{table.name}"' for table in tables())
    # Reading a large table or replaying all matches leaves this session idle.
    target.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
    target.exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def _unit_of_work(connection: Connection) -> UnitOfWork:
    session = Session(connection, info={"writing": False}, join_transaction_mode="create_savepoint")
    return unit_of_work(session)


AT_ONCE = 200
"""Rows in memory, since an email can be large."""
SUMS = 2**256


class Content(NamedTuple):
    """A table's content, for comparison."""

    rows: int = 0
    digest: int = 0
    """Sum of the hashes of all rows, since the databases sort texts differently."""

    def and_(self, row: Row[Any]) -> Content:
        """Return the content with one more row."""
        hashed = hashlib.sha256(repr(tuple(row)).encode("utf-8", "surrogatepass")).digest()
        return Content(self.rows + 1, (self.digest + int.from_bytes(hashed)) % SUMS)


def tables() -> list[Table]:
    """Return all tables, each after those that it refers to, with packed columns as raw bytes."""
    copies = MetaData()
    for table in DatabaseRow.metadata.sorted_tables:
        for column in table.to_metadata(copies).columns:
            if isinstance(column.type, Packed):
                column.type = LargeBinary()
    return copies.sorted_tables


def is_empty(connection: Connection, table: Table) -> bool:
    """Return whether a table has no rows."""
    return not connection.execute(select(exists(select(table.primary_key.columns[0])))).scalar()


def rows_of(connection: Connection, table: Table) -> int:
    """Return the number of rows of a table."""
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def content(connection: Connection, table: Table, read: Callable[[int], None]) -> Content:
    """Return the content of a table. Tells `read` how many rows it read each time."""
    found = Content()
    for rows in _rows(connection, table):
        for row in rows:
            found = found.and_(row)
        read(len(rows))
    return found


def copied(
    source: Connection, target: Connection, table: Table, read: Callable[[int], None]
) -> Content:
    """Copy the rows of a table to another database. Return their content. Tells `read` likewise."""
    found = Content()
    statement = insert(table)
    for rows in _rows(source, table):
        target.execute(statement, [dict(row._mapping) for row in rows])
        for row in rows:
            found = found.and_(row)
        read(len(rows))
    return found


def _rows(connection: Connection, table: Table) -> Iterator[list[Row[Any]]]:
    options = {"yield_per": AT_ONCE}
    with connection.execute(select(table), execution_options=options) as result:
        yield from map(list, result.partitions())


def number_on(source: Connection, target: Connection) -> None:
    """Continue the numbering of SQLite, so that ids of deleted rows are never reused."""
    given = source.execute(text("SELECT name, seq FROM sqlite_sequence WHERE seq > 0"))
    names = {table.name for table in DatabaseRow.metadata.sorted_tables}
    for name, last in given:
        if name in names:
            sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")
            target.execute(sequence, {"name": name, "last": last})
