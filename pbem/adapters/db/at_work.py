"""Who works on a PostgreSQL database: other processes of pbem, and whose transaction goes on."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine, text

from pbem.adapters.db.engine import explained, readers
from pbem.adapters.postgresql_line import NAMED, session_name

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
