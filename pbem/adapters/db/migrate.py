"""Migrations: the schema brought up to date, as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine

from pbem.adapters.db.engine import explained, readers, writers
from pbem.resources import folder
from pbem.service.ports import StorageUnavailable

UPGRADE_LOCK = 7_236_500
"""Advisory lock of PostgreSQL: two processes that start at once upgrade one after the other."""


def upgrade(engine: Engine, scripts: Path | None = None) -> None:
    """Brings the schema up to date, in one transaction; raises StorageUnavailable."""
    with (
        explained(),
        _known_revision(),
        writers(engine).connect() as connection,
        _foreign_keys_off(connection),
        connection.begin(),
    ):
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})")
        command.upgrade(config(connection, scripts), "head")
        _check_foreign_keys(connection)


def is_current(engine: Engine) -> bool:
    """Whether the schema is up to date; raises StorageUnavailable if that cannot be found out.

    A SQLite file that does not exist is not made.
    """
    found = _revision(engine)
    scripts = ScriptDirectory.from_config(config(connection=None))
    if found is not None and found not in {each.revision for each in scripts.walk_revisions()}:
        raise StorageUnavailable(NEWER)
    return found == scripts.get_current_head()


def is_empty(engine: Engine) -> bool:
    """Whether there is no schema at all; a SQLite file that does not exist is not made."""
    return _revision(engine) is None


def _revision(engine: Engine) -> str | None:
    if engine.dialect.name == "sqlite" and not Path(engine.url.database or "").exists():
        return None
    with explained(), readers(engine).connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


NEWER = "the database was written by a newer pbem: install that, or restore a backup"


def config(connection: Connection | None, scripts: Path | None = None) -> Config:
    """What Alembic needs to know, without an alembic.ini."""
    settings = Config(attributes={"connection": connection})
    # a percent sign in the path would be an interpolation
    location = str(scripts or folder("db")).replace("%", "%%")
    settings.set_main_option("script_location", location)
    return settings


@contextmanager
def _known_revision() -> Iterator[None]:
    """A block in which Alembic must find the revision the database is at."""
    try:
        yield
    except CommandError as error:
        raise StorageUnavailable(NEWER) from error


@contextmanager
def _foreign_keys_off(connection: Connection) -> Iterator[None]:
    """Lets a migration replace a table that others refer to, which is how SQLite alters one.

    The setting holds outside of transactions only, hence the driver's own connection.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    own = connection.connection
    own.cursor().execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        own.cursor().execute("PRAGMA foreign_keys = ON")


def _check_foreign_keys(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise StorageUnavailable(f"after the migration a row of {broken[0]} refers to nothing")
