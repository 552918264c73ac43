"""The schema of a database, compared with the one that this pbem needs.

A process that used another schema would corrupt data. So each transaction checks it. On PostgreSQL,
upgrades then also wait until the transaction ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect

from pbem.adapters.db.engine import disposed, explained, open_engine, readers
from pbem.ports.process import SchemaDiffers
from pbem.resources import folder

UPGRADE_LOCK = 7_236_500
"""Advisory lock of PostgreSQL, so that two processes started at once upgrade one after the other.
"""
IS_CHANGING = f"""
    SELECT to_regclass('alembic_version') IS NOT NULL
       AND NOT pg_try_advisory_xact_lock_shared({UPGRADE_LOCK})
"""
"""Whether an upgrade is in progress. A process that creates a database holds the same lock, so
others wait for it.
"""
REVISION = "SELECT version_num FROM alembic_version"
KEEP_WAITING = "LOCK TABLE alembic_version IN ACCESS SHARE MODE"
"""Taken before the first query. Otherwise a repeatable-read transaction would take its snapshot
with that query, and might then wait for an upgrade.
"""


@dataclass(frozen=True)
class Schema:
    """The revision of a database, and the one that this pbem needs."""

    found: str
    """Empty if there is no schema yet."""
    known: str
    first: str = ""
    """The revision of the first release."""
    is_known: bool = True
    """Whether this pbem knows the database's revision."""

    @property
    def is_unreleased(self) -> bool:
        """Return whether it is from before the first release. Such a schema cannot be upgraded."""
        return not self.is_known and self.found < self.first

    @property
    def is_newer(self) -> bool:
        """Return whether a newer pbem made it."""
        return not self.is_known and not self.is_unreleased

    @property
    def is_empty(self) -> bool:
        """Return whether there is no schema yet. The first process creates it."""
        return not self.found

    @property
    def is_current(self) -> bool:
        """Return whether this pbem can work with it."""
        return self.found == self.known

    @property
    def is_older(self) -> bool:
        """Return whether `pbem upgrade` would bring it up to date."""
        return self.is_known and not (self.is_empty or self.is_current)

    def require_upgradable(self) -> None:
        """Raise SchemaDiffers if this pbem cannot even upgrade it."""
        if self.is_unreleased:
            raise SchemaDiffers(
                f"the database has the schema {self.found} of a version of pbem before the first "
                "release, which this one cannot read. You can keep your finished matches: run pbem "
                "archive publish with the old version, then pbem rebuild --from-archive FOLDER "
                "with this one and an empty database"
            )
        if self.is_newer:
            raise SchemaDiffers(
                f"the database has the schema {self.found} of a newer version of pbem, and this "
                f"one only knows {self.known}. Install the newer version, or restore a backup"
            )

    def require_known(self) -> None:
        """Raise SchemaDiffers unless this pbem can work with it, or create it."""
        self.require_upgradable()
        if self.is_older:
            raise SchemaDiffers(
                f"the database has the schema {self.found} of an older version of pbem, and this "
                f"one needs {self.known}. Upgrade it with pbem upgrade. To see what that would do, "
                "run pbem upgrade --check"
            )


class KnownSchema:
    """The revision with which a storage was opened. Each of its transactions checks it."""

    def __init__(self, revision: str) -> None:
        self._revision = revision

    def require(self, connection: Connection, *, one_moment: bool = False) -> None:
        """Raise SchemaDiffers if the schema has changed.

        On PostgreSQL, upgrades then wait until the transaction ends. `one_moment` says whether
        the transaction reads from one snapshot.
        """
        if one_moment and connection.dialect.name == "postgresql":
            connection.exec_driver_sql(KEEP_WAITING)
        found = connection.exec_driver_sql(REVISION).scalar()
        if found != self._revision:
            raise SchemaDiffers(
                f"the schema of the database is no longer {self._revision} but {found or 'gone'}. "
                "This process stops working. Restart it"
            )


def schema_of(engine: Engine, scripts: Path | None = None) -> Schema:
    """Return the schema of a database. Raises StorageUnavailable.

    Does not create a SQLite file.
    """
    return schema_named(_found(engine), scripts)


def schema_named(found: str, scripts: Path | None = None) -> Schema:
    """Return the schema for a revision, as found in a database or a backup."""
    known = revisions(scripts or folder("db"))
    return Schema(found, known[0], known[-1], is_known=not found or found in known)


def schema_at(url: str) -> Schema:
    """Return the schema of a URL's database. Leaves no connection open."""
    with disposed(open_engine(url)) as engine:
        return schema_of(engine)


def _found(engine: Engine) -> str:
    if engine.dialect.name == "sqlite" and not Path(engine.url.database or "").exists():
        return ""
    with explained(), readers(engine).connect() as connection:
        if engine.dialect.name == "postgresql":
            _require_no_change(connection)
        return revision_of(connection)


def revision_of(connection: Connection) -> str:
    """Return the revision of a database. Empty if it has no schema yet."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.exec_driver_sql(REVISION).scalar() or ""


def _require_no_change(connection: Connection) -> None:
    if connection.exec_driver_sql(IS_CHANGING).scalar():
        raise SchemaDiffers("the database is being upgraded by pbem upgrade. Try again later")


@cache
def revisions(scripts: Path) -> tuple[str, ...]:
    """Return the revisions that this process knows, newest first. Those on disk may have changed.

    Reads their file names, since importing Alembic takes longer than printing a list.
    """
    names = sorted((path.name for path in (scripts / "versions").glob("*.py")), reverse=True)
    return tuple(name.partition("_")[0] for name in names)


def revision_files() -> frozenset[str]:
    """Return the file names of the revisions that are installed now."""
    return frozenset(path.name for path in (folder("db") / "versions").glob("*.py"))
