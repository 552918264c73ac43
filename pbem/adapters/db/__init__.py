"""The database: SQLite in a file, or PostgreSQL by URL. Nothing else knows SQL or its libraries."""

from pbem.adapters.db.duty import SessionDuty
from pbem.adapters.db.engine import connection_words, file_of, open_engine, without_password
from pbem.adapters.db.migrate import is_current, upgrade, upgrade_at
from pbem.adapters.db.move import Move, moving
from pbem.adapters.db.schema import Schema, revision_files, schema_at, schema_of
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage

__all__ = [
    "Move",
    "Schema",
    "SessionDuty",
    "SqlStorage",
    "connection_words",
    "file_of",
    "is_current",
    "moving",
    "open_engine",
    "open_storage",
    "revision_files",
    "schema_at",
    "schema_of",
    "upgrade",
    "upgrade_at",
    "without_password",
]
