"""Migrations: upgrade the schema, all or nothing, unless the club has moved to another database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect

from pbem.adapters.db.engine import disposed, explained, open_engine, writers
from pbem.adapters.db.schema import UPGRADE_LOCK, schema_of
from pbem.ports.process import StorageUnavailable
from pbem.resources import folder

if TYPE_CHECKING:
    from alembic.config import Config


def upgrade(engine: Engine, scripts: Path | None = None) -> None:
    """Upgrade the schema in one transaction. Raises StorageUnavailable."""
    schema = schema_of(engine, scripts)
    schema.require_upgradable()
    if schema.is_current:
        return
    with (
        explained(),
        writers(engine).connect() as connection,
        _foreign_keys_off(connection),
        connection.begin(),
    ):
        if connection.dialect.name == "postgresql":
            _keep_others_out(connection)
        from alembic import command  # takes longer to import than most commands run

        command.upgrade(config(connection, scripts), "head")
        _check_foreign_keys(connection)


def upgrade_at(url: str) -> None:
    """Upgrade the database of a URL, whatever its schema, even if it is empty."""
    with disposed(open_engine(url)) as engine:
        upgrade(engine)


def is_current(engine: Engine) -> bool:
    """Return whether the schema is current. Raises StorageUnavailable, SchemaDiffers if newer.

    Does not create a SQLite file.
    """
    schema = schema_of(engine)
    schema.require_upgradable()
    return schema.is_current


def config(connection: Connection | None, scripts: Path | None = None) -> Config:
    """Return Alembic's configuration, without an alembic.ini."""
    from alembic.config import Config

    settings = Config(attributes={"connection": connection})
    # a percent sign in the path would be an interpolation
    location = str(scripts or folder("db")).replace("%", "%%")
    settings.set_main_option("script_location", location)
    return settings


def _keep_others_out(connection: Connection) -> None:
    """Wait for other transactions, up to the usual lock timeout, and block new ones."""
    # A revision may compute for longer than a transaction may otherwise be idle.
    connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})")
    if inspect(connection).has_table("alembic_version"):
        connection.exec_driver_sql("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE")


@contextmanager
def _foreign_keys_off(connection: Connection) -> Iterator[None]:
    """Let a migration replace a table that others refer to, which is how SQLite alters one.

    The setting works only outside transactions, so this uses the driver's connection.
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
            raise StorageUnavailable(
                f"after the migration, a row of {broken[0]} refers to a missing row"
            )


class MovedFile:
    """The marker beside a SQLite file whose club has moved. Deleting it undoes the move."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self.path = database.with_name(f"{database.name}.moved")

    @property
    def target(self) -> str:
        """Return the target of a finished or attempted move, without a password. Empty if none."""
        try:
            return self.path.read_text("utf-8").partition("\n")[0]
        except FileNotFoundError:
            return ""

    def write(self, target: str) -> None:
        """Record that the club is moving to another database."""
        self.path.write_text(f"{target}\n\n{_words(self._database, self.path)}", "utf-8")

    def remove(self) -> None:
        """Record that the club has not moved."""
        self.path.unlink(missing_ok=True)

    def require_unmoved(self) -> None:
        """Raise StorageUnavailable if the club has moved."""
        if target := self.target:
            raise StorageUnavailable(
                f"the club in {self._database} was moved to {target}, or its move was interrupted. "
                "Set url in [database] to that database, or run pbem upgrade again. To go back, "
                f"read {self.path}"
            )


def _words(database: Path, marker: Path) -> str:
    return (
        f"The club in {database.name} was moved to the database above. {database.name} has not\n"
        "changed since, and while this file is here, pbem does not use it.\n\n"
        "To undo the move: stop every process of the club, restore url in [database] and\n"
        f"engine in [jobs], and delete {marker.name}. pbem reads the moves made in the\n"
        "other database again from the mailbox, as docs/restore.md says.\n"
    )
