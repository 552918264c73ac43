"""Restore: load a dump into a new database.

It arrives as a whole or not at all, upgraded to this pbem's schema, and with its email held. So
nobody can ever send from it what went long ago.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import inspect

from pbem.adapters.db.dump import POSTGRESQL, SQLITE, Dump, rows_of
from pbem.adapters.db.engine import (
    disposed,
    explained,
    file_of,
    open_engine,
    readers,
    without_password,
)
from pbem.adapters.db.migrate import MovedFile, upgrade
from pbem.adapters.db.move import require_encoding
from pbem.adapters.db.postgresql_programs import load_from
from pbem.adapters.db.schema import schema_named
from pbem.adapters.db.service_log import HELD
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.ports.process import SchemaDiffers, StorageError, StorageUnavailable

LEFT = ("", "-wal", "-shm", "-journal")
"""Suffixes of a SQLite file and of files that SQLite would read with it."""


def staged(url: str, scratch: Path) -> Path:
    """Return where to put the file before the restore: in `scratch`, or beside its final place.

    Removes anything left there that SQLite would read with it.
    """
    path = file_of(url)
    if path is None:
        return scratch / "dump"
    file = path.with_name(f".{path.name}.restoring")
    _clear(file)
    return file


def require_restorable(url: str, dump: Dump) -> None:
    """Raise StorageError if there is something already, SchemaDiffers if the schema is unknown."""
    schema = schema_named(dump.schema)
    if not schema.is_known:
        pbem = "an unreleased version" if schema.is_unreleased else "a newer version"
        raise SchemaDiffers(
            f"the backup has the schema {dump.schema} of {pbem} of pbem. Install that version, or "
            "restore another backup"
        )
    path = file_of(url)
    if path is not None:
        _require_no_file(path, dump)
        return
    if dump.database != POSTGRESQL:
        raise StorageError(
            "the backup is from a club on SQLite. Restore it to a file, then move it to the server "
            "with pbem upgrade --to-postgresql"
        )
    to = without_password(url)
    with disposed(open_engine(url)) as engine, explained(), readers(engine).connect() as connection:
        require_encoding(connection, to)
        names = inspect(connection).get_table_names()
    if names:
        raise StorageError(
            f"{to} is not empty: it has a table {names[0]}. Create a new database, or drop this one"
        )


def _require_no_file(path: Path, dump: Dump) -> None:
    if dump.database != SQLITE:
        raise StorageError(
            "the backup is from a club on PostgreSQL. Name an empty database there with --database"
        )
    MovedFile(path).require_unmoved()
    for end in LEFT:
        if (found := path.with_name(path.name + end)).exists():
            raise StorageError(f"{found} already exists. Move it away first")


@contextmanager
def restoring(
    url: str, dump: Dump, file: Path, now: datetime, too_late: Callable[[], None] = lambda: None
) -> Iterator[SqlStorage]:
    """Restore a club within a block, which gets its storage. It is in place at the end.

    On a server, it is in place from the start of the block. `too_late` is called just before it
    is in place. Raises StorageUnavailable.
    """
    path = file_of(url)
    if path is None:
        load_from(file, url, _hold(now), too_late)
        with _arrived(url, dump, now) as storage:
            yield storage
        return
    try:
        with _arrived(f"sqlite:///{file}", dump, now) as storage:
            yield storage
        too_late()
        file.rename(path)
    finally:
        _clear(file)


def _clear(file: Path) -> None:
    for end in LEFT:
        file.with_name(file.name + end).unlink(missing_ok=True)


def _hold(now: datetime) -> str:
    """Return the statement that holds a club's email as soon as the club is there."""
    values = f"('{HELD}', '{now.isoformat()}')"
    row = f"INSERT INTO public.service (name, at) VALUES {values}"  # noqa: S608  both are ours
    return f"{row} ON CONFLICT (name) DO NOTHING"


@contextmanager
def _arrived(url: str, dump: Dump, now: datetime) -> Iterator[SqlStorage]:
    """Compare a restored club with its dump, upgrade it, and hold its email."""
    with disposed(open_engine(url)) as engine:
        with explained(), readers(engine).connect() as connection:
            rows = rows_of(connection)
        _require_same(dump, {**rows, "service": dump.rows.get("service", 0)})
        upgrade(engine)
        with closing(SqlStorage(engine)) as storage:
            with storage.writing() as uow:
                uow.service.hold(now)
            yield storage


def _require_same(dump: Dump, rows: dict[str, int]) -> None:
    for name in dump.rows.keys() | rows.keys():
        if rows.get(name) != dump.rows.get(name):
            raise StorageUnavailable(
                f"the restored data differs from the backup: {rows.get(name, 0)} rows of {name}, "
                f"not {dump.rows.get(name, 0)}"
            )
