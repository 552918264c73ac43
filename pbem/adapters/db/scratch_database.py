"""Scratch database: an empty database for a trial, deleted afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, make_url
from sqlalchemy.exc import DBAPIError

from pbem.adapters.db.dump import SQLITE
from pbem.adapters.db.engine import disposed, explained, file_of, open_engine
from pbem.ports.process import StorageUnavailable

LONGEST = 63
"""Maximum length of a name in PostgreSQL."""
SUFFIX = "_restore_test"
NO_PRIVILEGE = "42501"


@contextmanager
def scratch_database(kind: str, url: str, folder: Path) -> Iterator[str]:
    """Yield the URL of an empty database: a file in `folder`, or on the server of `url`.

    On a server, it has the name of the club's own database with a suffix, so that one left by a
    killed process is replaced. Raises StorageUnavailable.
    """
    if kind == SQLITE:
        yield f"sqlite:///{folder / 'pbem.sqlite'}"
        return
    if file_of(url) is not None:
        raise StorageUnavailable(
            "the backup is from a club on PostgreSQL, and this club is not there"
        )
    own = make_url(url)
    name = f"{(own.database or '')[: LONGEST - len(SUFFIX)]}{SUFFIX}"
    with disposed(open_engine(url)) as engine:
        _drop(engine, name)
        _run(engine, f"CREATE DATABASE {_quoted(engine, name)} ENCODING 'UTF8' TEMPLATE template0")
        try:
            yield own.set(database=name).render_as_string(hide_password=False)
        finally:
            _drop(engine, name)


def _drop(engine: Engine, name: str) -> None:
    _run(engine, f"DROP DATABASE IF EXISTS {_quoted(engine, name)} WITH (FORCE)")


def _quoted(engine: Engine, name: str) -> str:
    return engine.dialect.identifier_preparer.quote_identifier(name)


def _run(engine: Engine, statement: str) -> None:
    """Run a statement outside a transaction, as PostgreSQL requires for databases."""
    alone = engine.execution_options(isolation_level="AUTOCOMMIT")
    with explained(), alone.connect() as connection:
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
