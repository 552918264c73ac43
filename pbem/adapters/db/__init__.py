"""The database: SQLite in a file, or PostgreSQL by URL. Nothing else knows SQL or its libraries."""

from pbem.adapters.db.dump import Dump, dump, note_backup
from pbem.adapters.db.duty import SessionDuty
from pbem.adapters.db.engine import connection_words, file_of, open_engine, without_password
from pbem.adapters.db.migrate import is_current, upgrade
from pbem.adapters.db.move import Move, moving
from pbem.adapters.db.rebuild import Rebuild, rebuilding
from pbem.adapters.db.restore import require_restorable, restoring, staged
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage

__all__ = [
    "Dump",
    "Move",
    "Rebuild",
    "SessionDuty",
    "SqlStorage",
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
    "staged",
    "upgrade",
    "without_password",
]
