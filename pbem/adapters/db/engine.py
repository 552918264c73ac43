"""The engine: turns a URL into connections on which no update is lost.

The defaults of two libraries lose updates silently. Python's SQLite driver opens a transaction at
the first write, when data read before may have changed. PostgreSQL's READ COMMITTED lets two
transactions read the same row and both write it. So this uses BEGIN IMMEDIATE in SQLite, and row
locks in PostgreSQL.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    ExceptionContext,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    IntegrityError,
    InternalError,
    ProgrammingError,
    TimeoutError as PoolTimeout,
)
from sqlalchemy.pool import ConnectionPoolEntry

from pbem.adapters.postgresql_line import (
    CLIENT_WORDS,
    SERVER_SETTINGS,
    session_name,
    session_options,
)
from pbem.ports.process import Deadlock, StorageGone, StorageUnavailable

LOCK_WAIT = 5
"""Seconds to wait for a lock: many times what four busy writers need, but not endless."""

IDLE_WAIT = 120
"""Seconds that a transaction may be idle, as that of a stopped process: far more than any
computation within one.
"""

CONNECT_WAIT = 5
"""Seconds to wait for a PostgreSQL server to answer."""

SESSION_SETTINGS: Final = {
    **SERVER_SETTINGS,
    "lock_timeout": f"{LOCK_WAIT}s",
    "idle_in_transaction_session_timeout": f"{IDLE_WAIT}s",
    # Whatever the server's default, since a mail server discards what we confirm as recorded.
    "synchronous_commit": "on",
}

NOT_FOR_NOW: Final = ("25006", "25P03")
"""A server that is read-only, as after a failover, and a transaction that was idle too long."""

FORMS = "sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"

SECRET = ("password", "sslpassword")
"""Parameters of a URL that must not be shown."""

LARGE = 256 * 1024
"""Bytes in one statement after which its connection to SQLite is closed."""
HELD_MUCH = "pbem_held_much"
"""Marks a connection to SQLite that was given large values."""

WRITING = "pbem_writing"
"""Execution option of connections that may write. For SQLite, also the latest setting of a
connection.
"""


def open_engine(url: str) -> Engine:
    """Return an engine for a database URL, not yet connected. Raises StorageUnavailable.

    The URL must have one of the `FORMS`.
    """
    parsed = _parsed(url)
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        return _sqlite(parsed)
    if backend == "postgresql" and parsed.drivername in ("postgresql", "postgresql+psycopg"):
        return _postgresql(parsed)
    raise StorageUnavailable(f"the database URL must be {FORMS}, not {parsed.drivername}://…")


@contextmanager
def disposed(engine: Engine) -> Iterator[Engine]:
    """Use an engine for one block. Closes all its connections."""
    try:
        yield engine
    finally:
        engine.dispose()


def file_of(url: str) -> Path | None:
    """Return the file of a SQLite database, None for a server. Raises StorageUnavailable."""
    parsed = _parsed(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    return Path(parsed.database or "").absolute()


def without_password(url: str) -> str:
    """Return a URL that is safe to show. Raises StorageUnavailable."""
    return _parsed(url).difference_update_query(SECRET).render_as_string(hide_password=True)


def connection_words(url: str) -> dict[str, Any]:
    """Return the driver's arguments for a PostgreSQL connection outside an engine."""
    parsed = _parsed(url).set(drivername="postgresql+psycopg")
    _, words = parsed.get_dialect()().create_connect_args(parsed)
    return {**words, "connect_timeout": CONNECT_WAIT, "application_name": session_name()}


def writers(engine: Engine) -> Engine:
    """Return the engine for transactions that write."""
    return engine.execution_options(**{WRITING: True})


def readers(engine: Engine) -> Engine:
    """Return the engine for read-only transactions on one snapshot."""
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return engine


def wiped(engine: Engine) -> bool:
    """Remove deleted data from a SQLite file and its log. Return whether that worked.

    Freed pages and gaps in others keep their data until VACUUM rewrites them. The write-ahead log
    keeps older pages until it is emptied, which has to wait for readers.
    """
    with closing(engine.raw_connection()) as pooled:
        connection = pooled.driver_connection
        assert connection is not None
        connection.execute("PRAGMA query_only = 0")
        pooled.info[WRITING] = True
        try:
            connection.execute("VACUUM")
            blocked, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:  # another process is writing, or the disk is full
            return False
    return not blocked


@contextmanager
def explained() -> Iterator[None]:
    """Open a block that turns database failures into StorageUnavailable, but not bugs."""
    try:
        yield
    except (DatabaseError, PoolTimeout) as error:
        reason = getattr(error, "orig", error)
        state = getattr(reason, "sqlstate", None)
        if state == DEADLOCK:
            raise Deadlock("something else was changing the same data. Try again") from error
        if isinstance(error, ERRORS_OF_THE_PROGRAM) and state not in NOT_FOR_NOW:
            raise
        raise unusable(reason) from error


def unusable(reason: object) -> StorageUnavailable:
    """Return the error for a database that is away. Further lines of the reason are only advice."""
    first, *_ = str(reason).splitlines() or [""]
    return StorageUnavailable(f"the database cannot be used now: {first}")


DEADLOCK = "40P01"
"""SQLSTATE of a transaction that PostgreSQL ended because it and another waited for each other."""
ERRORS_OF_THE_PROGRAM = (DataError, IntegrityError, InternalError, ProgrammingError)
"""The kinds of DatabaseError that would mostly happen again. Others are locks, disks and networks.
"""


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # its text holds the URL, which may hold a password
        raise StorageUnavailable(f"the database URL must have the form {FORMS}") from None


def _sqlite(url: URL) -> Engine:
    path = url.database
    if not path or path == ":memory:":
        raise StorageUnavailable("the database URL names no file. Write it as sqlite:///PATH")
    if not Path(path).absolute().parent.is_dir():
        raise StorageUnavailable(f"the folder of the database {path} does not exist")
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "connect", _set_up)
    SameFile(Path(path).absolute()).mind(engine)
    event.listen(engine, "begin", _begin)
    event.listen(engine, "handle_error", _give_up_what_stays_broken)
    event.listen(engine, "before_cursor_execute", _note_large_values)
    event.listen(engine, "checkin", _close_after_large_values)
    return engine


def open_unchanged(path: Path) -> Engine:
    """Return an engine that reads a SQLite file and writes nothing, not even its log."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        creator=lambda: sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
        ),
        hide_parameters=True,
    )
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: Any, _record: object) -> None:
    """Configure a new SQLite connection."""
    connection.isolation_level = None  # `_begin` begins transactions, not the driver
    # The timeout comes first, since even the change to WAL needs a lock.
    connection.execute(f"PRAGMA busy_timeout = {LOCK_WAIT * 1000}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")


def _note_large_values(
    connection: Connection, _cursor: object, _statement: str, values: Any, *_: object
) -> None:
    rows = values if isinstance(values, list) else [values]
    if sum(len(value) for row in rows for value in row if isinstance(value, memoryview)) > LARGE:
        connection.info[HELD_MUCH] = True


def _close_after_large_values(_connection: object, record: ConnectionPoolEntry) -> None:
    """Close a connection that was given large values, which frees them.

    SQLite keeps the values of a prepared statement, and the driver keeps 128 statements.
    """
    if record.info.get(HELD_MUCH):
        record.invalidate()


def _give_up_what_stays_broken(context: ExceptionContext) -> None:
    """Drop connections to a file that could not be written when they were opened."""
    if "readonly database" in str(context.original_exception):
        context.is_disconnect = True


def _begin(connection: Connection) -> None:
    """Begin a SQLite transaction. A writing one takes the lock before it reads anything."""
    writing = connection.get_execution_options().get(WRITING, False)
    if connection.info.get(WRITING) is not writing:
        connection.exec_driver_sql(f"PRAGMA query_only = {0 if writing else 1}")
        connection.info[WRITING] = writing
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _postgresql(url: URL) -> Engine:
    try:
        return create_engine(
            url.set(drivername="postgresql+psycopg"),
            hide_parameters=True,
            isolation_level="READ COMMITTED",
            pool_pre_ping=True,  # the server may have been restarted
            pool_size=0,  # no limit, so that a thread never waits for another
            connect_args={
                **CLIENT_WORDS,
                "connect_timeout": CONNECT_WAIT,
                "application_name": session_name(),
                "client_encoding": "utf8",  # an SQL_ASCII server would otherwise return bytes
                "options": session_options(SESSION_SETTINGS),
            },
        )
    except ModuleNotFoundError as error:
        raise StorageUnavailable(
            f"PostgreSQL needs pbem[postgresql], which is not installed: {error}"
        ) from error


Identity = tuple[int, int]
LEFT_BY_SQLITE = ("-wal", "-shm")


class SameFile:
    """Checks that an engine's file stays the same after its first connection."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: Identity | None = None

    def mind(self, engine: Engine) -> None:
        """Check the file at each connection, and at the beginning and end of each transaction."""
        event.listen(engine, "do_connect", self._before_connect)
        event.listen(engine, "connect", self._connected)
        event.listen(engine, "begin", self._look)
        event.listen(engine, "commit", self._look)

    def _before_connect(self, *_: Any) -> None:
        if self._known is not None:  # otherwise the connection may create it, since no data is lost
            self._look()

    def _connected(self, *_: Any) -> None:
        if self._known is None:
            self._known = self._now()
        self._look()

    def _look(self, _connection: Connection | None = None) -> None:
        if (now := self._now()) != self._known:
            how = "is gone" if now is None else "was replaced by another file"
            raise StorageGone(
                f"the database {self._path} {how}. This process writes nothing more. Its last "
                "changes may be only in the old file. Stop it, repair the file (restore a backup "
                "if nobody has), and start again"
            )

    def _now(self) -> Identity | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino


def marker_of(path: Path) -> Path:
    """Return the hidden file that marks a database as created. `rm pbem.sqlite*` leaves it."""
    return path.with_name(f".{path.name}.made")


def mark(path: Path) -> None:
    """Record that a database was created. Does nothing if the folder cannot be written."""
    marker = marker_of(path)
    if not marker.exists():
        try:
            marker.write_text(
                f"pbem created {path.name} here. While this file is here, a missing database "
                "counts as lost, and no new one is created.\n"
            )
        except OSError:
            return


def traces(path: Path | None, records: Path | None) -> Sequence[Path]:
    """Return the files that show that there was a database with data."""
    found = []
    if path is not None:
        beside = [path.with_name(path.name + end) for end in LEFT_BY_SQLITE]
        found = [marker_of(path), *([] if path.exists() else beside)]
    if records is not None:
        found += sorted(records.glob("match-*"))[:1]
    return [each for each in found if each.exists()]


def lost(path: Path | None, left: Sequence[Path]) -> StorageUnavailable:
    """Return the error that explains why no new database is created, and what to do."""
    subject = "the database is empty" if path is None else f"the database {path} is gone"
    if path is not None and path.exists():
        subject = f"the database {path} is empty"
    traces = ", ".join(map(str, left))
    return StorageUnavailable(
        f"{subject}, but there was one: {traces}. A new one would know no player and no match, so "
        "none is created. Restore a backup (old -wal and -shm files must not stay beside it). Or, "
        "to start from scratch, move these files and the archive away"
    )
