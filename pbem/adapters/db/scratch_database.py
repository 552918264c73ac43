"""Scratch database: an empty database for a trial, deleted afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Engine, make_url, text
from sqlalchemy.exc import DBAPIError

from pbem.adapters.db.dump import SQLITE
from pbem.adapters.db.engine import disposed, explained, file_of, open_engine
from pbem.ports.process import StorageUnavailable

LONGEST = 63
"""Maximum length of a name in PostgreSQL."""
SUFFIX = "_restore_test"
MARK = "made by pbem restore --test"
"""Comment on such a database. One without it belongs to somebody else."""
COMMENT = text(
    "SELECT coalesce(shobj_description(oid, 'pg_database'), '') FROM pg_database "
    "WHERE datname = :name"
)
LOCK = 7_236_503
"""A number that no other advisory lock of the club's database uses."""
NO_PRIVILEGE = "42501"


@contextmanager
def scratch_database(kind: str, url: str, folder: Path) -> Iterator[str]:
    """Yield the URL of an empty database: a file in `folder`, or on the server of `url`.

    On a server, it has the name of the club's own database with a suffix, so that one left by a
    killed process is replaced. Raises StorageUnavailable, also if somebody else has a database of
    that name, or if another process tests a backup of the same club.
    """
    if kind == SQLITE:
        yield f"sqlite:///{folder / 'pbem.sqlite'}"
        return
    if file_of(url) is not None:
        raise StorageUnavailable(
            "the backup is from a club on PostgreSQL. This club is on SQLite. Test the backup on a "
            "machine with PostgreSQL"
        )
    own = make_url(url)
    name = f"{(own.database or '')[: LONGEST - len(SUFFIX)]}{SUFFIX}"
    with disposed(open_engine(url)) as engine, _alone(engine):
        _drop(engine, name)
        quoted = _quoted(engine, name)
        _run(engine, f"CREATE DATABASE {quoted} ENCODING 'UTF8' TEMPLATE template0")
        _run(engine, f"COMMENT ON DATABASE {quoted} IS '{MARK}'")
        try:
            yield own.set(database=name).render_as_string(hide_password=False)
        finally:
            _drop(engine, name)


@contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    """Keep other processes from testing a backup of the same club during a block."""
    with explained():
        connection = _outside_transactions(engine).connect()
    with closing(connection):
        with explained():
            is_ours = connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({LOCK})").scalar()
        if not is_ours:
            raise StorageUnavailable("another process is testing a backup. Wait until it is done")
        yield


def _drop(engine: Engine, name: str) -> None:
    """Drop the database of a test if there is one. Raises StorageUnavailable for any other."""
    with explained(), _outside_transactions(engine).connect() as connection:
        comment = connection.execute(COMMENT, {"name": name}).scalar()
    if comment is None:
        return
    if comment != MARK:
        raise StorageUnavailable(
            f"the server has a database {name}, which no test of a backup made. The test needs "
            "that name: rename that database"
        )
    _run(engine, f"DROP DATABASE IF EXISTS {_quoted(engine, name)} WITH (FORCE)")


def _quoted(engine: Engine, name: str) -> str:
    return engine.dialect.identifier_preparer.quote_identifier(name)


def _outside_transactions(engine: Engine) -> Engine:
    """Return the engine for statements outside a transaction, as PostgreSQL requires here."""
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _run(engine: Engine, statement: str) -> None:
    with explained(), _outside_transactions(engine).connect() as connection:
        try:
            connection.exec_driver_sql(statement)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != NO_PRIVILEGE:
                raise
            role = engine.url.username or "the club's role"
            raise StorageUnavailable(
                f"{role} may not create a database for the test. As the server's administrator, "
                f"run in psql: ALTER ROLE {role} CREATEDB"
            ) from error
