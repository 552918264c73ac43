"""Move: copy a stopped club from its SQLite file to an empty PostgreSQL database.

The file is opened for reading only and stays as it is. All rows arrive in one transaction, or none:
whoever ends it in the midst, does it again.
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
from pbem.ports.storage import UnitOfWork

ENCODING = "UTF8"


class DatabaseMove:
    """A club that is on its way; nobody sees it arrive before the transaction ends."""

    def __init__(self, source: Connection, target: Connection, to: str) -> None:
        self._source = source
        self._target = target
        self._to = to
        self.before = _unit_of_work(source)
        """The club as it is in the file."""
        self.after = _unit_of_work(target)
        """The same in the other database."""

    def carry(self, tell: Callable[[str, int], None]) -> bool:
        """Copies every table and compares; tells its name and rows. Whether there was any to copy.

        A club that is there already, as it is, has arrived before. Raises StorageUnavailable.
        """
        to_copy = all(is_empty(self._target, table) for table in tables())
        for table in tables():
            if to_copy:
                sent = copied(self._source, self._target, table)
            else:
                sent = content(self._source, table)
            arrived = content(self._target, table)
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
            counts = f"the {sent.rows} rows of {table} are others"
        if just_now:
            return StorageUnavailable(f"what arrived is not what was sent: {counts}")
        return StorageUnavailable(
            f"{self._to} is not empty, and holds something else than this club: {counts}. "
            "Make an empty database, and do it again"
        )


@contextmanager
def moving(path: Path, url: str) -> Iterator[DatabaseMove]:
    """A block in which a club moves; it has moved at the end, or stays where it is on an error.

    Whoever opens the file from the beginning of the block on is told. Raises StorageUnavailable.
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
                # If this fails, nobody knows whether the club is there: the mark stays.
                after.commit()


@contextmanager
def _in_sentences(to: str) -> Iterator[None]:
    """A block in which whatever the server refuses is told to the operator."""
    try:
        yield
    except DatabaseError as error:
        reason = str(error.orig).partition("\n")[0]
        raise StorageUnavailable(f"{to} does not take the club: {reason}") from error


def _require_source(source: Engine, path: Path) -> None:
    if not path.exists():
        raise StorageUnavailable(f"there is no database {path} to move")
    if not is_current(source):
        raise StorageUnavailable(
            f"{path} was written by an older pbem; pbem upgrade without options brings it up to "
            "date, then do this again"
        )


def _require_target(target: Engine, to: str) -> None:
    if target.dialect.name != "postgresql":
        raise StorageUnavailable(f"{to} is no database of PostgreSQL: postgresql://…")
    with explained(), readers(target).connect() as connection:
        require_encoding(connection, to)
        others = inspect(connection).get_table_names() if schema_of(target).is_empty else []
    if others:
        raise StorageUnavailable(
            f"{to} is not empty: it has a table {others[0]}, which is none of pbem's. Make a "
            "database for the club alone"
        )


def require_encoding(connection: Connection, to: str) -> None:
    """Raises StorageUnavailable where a server could not keep every text as it is."""
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
    if encoding != ENCODING:
        raise StorageUnavailable(
            f"{to} keeps texts as {encoding}, not as {ENCODING}: make a database with createdb "
            f"--encoding {ENCODING} --template template0"
        )


@contextmanager
def _marked(marker: MovedFile, to: str) -> Iterator[None]:
    """A block from the beginning of which nobody opens the file; an error lets them again."""
    before = marker.target
    if before and before != to:
        raise StorageUnavailable(
            f"the club is to go to {to}, but has been moved to {before}, or that move did not come "
            f"to its end. If nothing is there, delete {marker.path} first"
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
    """The file as it is now; raises StorageUnavailable at the end if somebody changed it."""
    with source.connect() as connection:
        then = _last_change(connection)
        connection.begin()
        yield connection
        connection.rollback()
        if _last_change(connection) != then:
            raise StorageUnavailable(
                "somebody changed the club while it moved, and nothing was moved; see to it that "
                "nobody works on it, and do it again"
            )


def _last_change(connection: Connection) -> int:
    """A number that others' commits change; one transaction never sees it change."""
    own = connection.connection.driver_connection
    assert isinstance(own, sqlite3.Connection)
    (version,) = own.execute("PRAGMA data_version").fetchone()
    return int(version)


def _keep_others_out(target: Connection) -> None:
    """Whoever serves the new database too early waits, or is told that it is locked."""
    names = ", ".join(f'"{table.name}"' for table in tables())
    # A large table is read, and all matches are played, while nothing is said to the server.
    target.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
    target.exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def _unit_of_work(connection: Connection) -> UnitOfWork:
    session = Session(connection, info={"writing": False}, join_transaction_mode="create_savepoint")
    return unit_of_work(session)


AT_ONCE = 200
"""Rows in memory; a mail can be large."""
SUMS = 2**256


class Content(NamedTuple):
    """What a table holds, to be compared."""

    rows: int = 0
    digest: int = 0
    """Sum of the hashes of all rows: the databases order texts each in its own way."""

    def and_(self, row: Row[Any]) -> Content:
        """With one more row."""
        hashed = hashlib.sha256(repr(tuple(row)).encode("utf-8", "surrogatepass")).digest()
        return Content(self.rows + 1, (self.digest + int.from_bytes(hashed)) % SUMS)


def tables() -> list[Table]:
    """All of them, each after those that it refers to; what is packed stays so."""
    copies = MetaData()
    for table in DatabaseRow.metadata.sorted_tables:
        for column in table.to_metadata(copies).columns:
            if isinstance(column.type, Packed):
                column.type = LargeBinary()
    return copies.sorted_tables


def is_empty(connection: Connection, table: Table) -> bool:
    """Whether there is no row in it."""
    return not connection.execute(select(exists(select(table.primary_key.columns[0])))).scalar()


def content(connection: Connection, table: Table) -> Content:
    """What a table holds."""
    found = Content()
    for rows in _rows(connection, table):
        for row in rows:
            found = found.and_(row)
    return found


def copied(source: Connection, target: Connection, table: Table) -> Content:
    """Puts the rows of a table into the same one elsewhere; what they were."""
    found = Content()
    statement = insert(table)
    for rows in _rows(source, table):
        target.execute(statement, [dict(row._mapping) for row in rows])
        for row in rows:
            found = found.and_(row)
    return found


def _rows(connection: Connection, table: Table) -> Iterator[list[Row[Any]]]:
    options = {"yield_per": AT_ONCE}
    with connection.execute(select(table), execution_options=options) as result:
        yield from map(list, result.partitions())


def number_on(source: Connection, target: Connection) -> None:
    """New rows get the numbers that SQLite would have given: those of deleted ones never again."""
    given = source.execute(text("SELECT name, seq FROM sqlite_sequence WHERE seq > 0"))
    names = {table.name for table in DatabaseRow.metadata.sorted_tables}
    for name, last in given:
        if name in names:
            sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")
            target.execute(sequence, {"name": name, "last": last})
