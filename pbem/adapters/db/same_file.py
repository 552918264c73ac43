"""SameFile: a SQLite database is the file it was, and one that was there is not made anew.

A file that is unlinked under a process can be written on, by that process alone and until it ends;
and one that is not there is made by whoever opens it. In both cases everything is lost quietly.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event

from pbem.ports.process import StorageGone, StorageUnavailable

Identity = tuple[int, int]
LEFT_BY_SQLITE = ("-wal", "-shm")


class SameFile:
    """The file of an engine, from its first connection on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: Identity | None = None

    def mind(self, engine: Engine) -> None:
        """Looks at it whenever a connection is made, and as each transaction begins and ends."""
        event.listen(engine, "do_connect", self._before_connect)
        event.listen(engine, "connect", self._connected)
        event.listen(engine, "begin", self._look)
        event.listen(engine, "commit", self._look)

    def _before_connect(self, *_: Any) -> None:
        if self._known is not None:  # else it is made by the connection, as nothing is lost by it
            self._look()

    def _connected(self, *_: Any) -> None:
        if self._known is None:
            self._known = self._now()
        self._look()

    def _look(self, _connection: Connection | None = None) -> None:
        if (now := self._now()) != self._known:
            how = "is gone" if now is None else "is another file than it was"
            raise StorageGone(
                f"the database {self._path} {how}. This process writes nothing any more; what it "
                "has committed may be in the old file alone. End it, see to the file (restore a "
                "backup, if nobody has), and start again"
            )

    def _now(self) -> Identity | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino


def marker_of(path: Path) -> Path:
    """A file that says that a database was made, hidden so that `rm pbem.sqlite*` leaves it."""
    return path.with_name(f".{path.name}.made")


def mark(path: Path) -> None:
    """Says that the database has been made; where nothing can be written, nothing is said."""
    marker = marker_of(path)
    if not marker.exists():
        try:
            marker.write_text(
                f"pbem has made {path.name} here. While this file is here, a database that is "
                "missing is taken for lost, and no new one is made.\n"
            )
        except OSError:
            return


def traces(path: Path | None, records: Path | None) -> Sequence[Path]:
    """What shows that there was a database with something in it."""
    found = []
    if path is not None:
        beside = [path.with_name(path.name + end) for end in LEFT_BY_SQLITE]
        found = [marker_of(path), *([] if path.exists() else beside)]
    if records is not None:
        found += sorted(records.glob("match-*"))[:1]
    return [each for each in found if each.exists()]


def lost(path: Path | None, left: Sequence[Path]) -> StorageUnavailable:
    """Why no database is made, and what to do."""
    subject = "the database is empty" if path is None else f"the database {path} is gone"
    if path is not None and path.exists():
        subject = f"the database {path} is empty"
    traces = ", ".join(map(str, left))
    return StorageUnavailable(
        f"{subject}, but there was one: {traces}. No new one is made, since it would know no "
        "player and no match. Restore a backup (beside it no -wal and -shm of the lost one may "
        "stay); or, to begin anew, move these files and the archive away"
    )
