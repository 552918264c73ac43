"""The database: SQLite in a file, or PostgreSQL by URL. Nothing else knows SQL or its libraries."""

from pbem.adapters.db.dump import Dump, dump, note_backup
from pbem.adapters.db.duty import SessionDuty
from pbem.adapters.db.engine import connection_words, file_of, open_engine, without_password
from pbem.adapters.db.migrate import is_current, upgrade, upgrade_at
from pbem.adapters.db.move import DatabaseMove, moving
from pbem.adapters.db.rebuild import Rebuild, rebuilding
from pbem.adapters.db.restore import require_restorable, restoring, staged
from pbem.adapters.db.schema import Schema, revision_files, schema_at, schema_of
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.adapters.db.upgrading import Plan, Upgrade, upgrading

__all__ = [
    "DatabaseMove",
    "Dump",
    "Plan",
    "Rebuild",
    "Schema",
    "SessionDuty",
    "SqlStorage",
    "Upgrade",
    "connection_words",
    "dump",
    "file_of",
    "is_current",
    "moving",
    "note_backup",
    "open_engine",
    "open_storage",
    "rebuilding",
    "require_restorable",
    "restoring",
    "revision_files",
    "schema_at",
    "schema_of",
    "staged",
    "upgrade",
    "upgrade_at",
    "upgrading",
    "without_password",
]
