"""Upgrading: a database of an older schema, and what is to be known before it is brought up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property

from sqlalchemy import Engine, text

from pbem.adapters.db.engine import disposed, explained, file_of, open_engine, readers
from pbem.adapters.db.migrate import upgrade
from pbem.adapters.db.moved_file import MovedFile
from pbem.adapters.db.plan import Plan, plan_of
from pbem.adapters.db.schema import schema_of
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.adapters.postgresql_line import NAMED, session_name
from pbem.ports.process import StorageUnavailable


class Upgrade:
    """A database that is to get the newest schema."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.schema = schema_of(engine)

    @cached_property
    def plan(self) -> Plan:
        """What will be done; raises StorageUnavailable."""
        return plan_of(self._engine, self.schema)

    def others(self) -> Sequence[str]:
        """Other processes of pbem that work on it; of a file it is not known here."""
        return others_at_work(self._engine)

    def newest_backup(self) -> datetime | None:
        """Of which moment it is; None if none is known."""
        with SqlStorage(self._engine).reading() as uow:  # every schema has that table
            return uow.service.last_backup()

    def carry_out(self) -> None:
        """Does it, or nothing; raises StorageUnavailable, which names who was in the way."""
        try:
            upgrade(self._engine)
        except StorageUnavailable as error:
            busy = in_the_midst(self._engine)
            named = f"; in the midst of something are: {', '.join(busy)}" if busy else ""
            raise StorageUnavailable(
                f"{error}{named}. Nothing was changed: do it again, best when nobody works"
            ) from error


@contextmanager
def upgrading(url: str) -> Iterator[Upgrade]:
    """A block for a database that is to be brought up; raises StorageUnavailable, SchemaDiffers."""
    path = file_of(url)
    if path is not None:
        MovedFile(path).require_unmoved()
    with disposed(open_engine(url)) as engine:
        new = Upgrade(engine)
        new.schema.require_not_newer()
        yield new


SESSIONS = text(
    """
    SELECT application_name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE :ours
       AND application_name <> :mine
     GROUP BY 1 ORDER BY min(backend_start)
    """
)
TRANSACTIONS = text(
    """
    SELECT concat_ws(' ', coalesce(nullif(application_name, ''), usename, 'somebody'),
                     '(process ' || pid || ' of the server)')
      FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND (backend_xid IS NOT NULL OR backend_xmin IS NOT NULL OR xact_start IS NOT NULL)
     ORDER BY xact_start
    """
)


def others_at_work(engine: Engine) -> Sequence[str]:
    """Other processes of pbem that are connected, as they are named; of a file it is not known.

    Raises StorageUnavailable.
    """
    if engine.dialect.name != "postgresql":
        return ()
    named = {"ours": f"{NAMED} %", "mine": session_name()}
    with explained(), readers(engine).connect() as connection:
        return connection.execute(SESSIONS, named).scalars().all()


def in_the_midst(engine: Engine) -> Sequence[str]:
    """Sessions in a transaction, for whose locks one may have waited; of a file it is not known."""
    if engine.dialect.name != "postgresql":
        return ()
    with explained(), readers(engine).connect() as connection:
        return connection.execute(TRANSACTIONS).scalars().all()
