"""Death: a process killed at a chosen step, simulated in a process that continues.

A dead process differs from a living one only in that it can do nothing more. So the dead are cut
off from everything that lasts: the database, the mailbox and the SMTP server.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine, event


class Killed(BaseException):
    """Raised by death. Nothing catches it, as nothing catches SIGKILL."""


class Death:
    """The moment of death: the n-th step of a kind, counted from 1, or never with n = 0.

    If a place is given, only steps there are counted: a command, or what a statement concerns.
    """

    def __init__(self, kind: str = "", n: int = 0, place: str = "") -> None:
        self._kind, self._left, self._place = kind, n, place
        self.passed: Counter[str] = Counter()
        """Number of steps of its kind passed at each place."""
        self.has_come = False
        self.read_only = False
        """Whether connections opened from now on may write nothing."""
        self.connections: list[sqlite3.Connection] = []

    def bury(self) -> None:
        """Release what the dead process held, as the system closes its files."""
        for connection in self.connections:
            connection.close()

    def comes_at(self, kind: str, place: str) -> bool:
        """Return whether death comes, or has come, at this step."""
        if kind == self._kind:
            self.passed[place] += 1
            self._left -= self._place in ("", place)
            self.has_come = self.has_come or self._left == 0
        return self.has_come

    def strike(self, kind: str, place: str) -> None:
        """Raises Killed if death comes at this step or has come."""
        if self.comes_at(kind, place):
            raise Killed


class _Cursor(sqlite3.Cursor):
    """Every statement that changes something is a step. Nothing else is.

    Dying at a statement that only reads equals dying after the change before it.
    """

    connection: _Connection

    def execute(self, sql: str, parameters: Any = ()) -> _Cursor:
        if sql.startswith(("SELECT", "PRAGMA")):
            self.connection.death.strike("SQL query", "")
            super().execute(sql, parameters)
            return self
        return self._step(sql, lambda: super(_Cursor, self).execute(sql, parameters))

    def executemany(self, sql: str, rows: Iterable[Any]) -> _Cursor:
        return self._step(sql, lambda: super(_Cursor, self).executemany(sql, rows))

    def _step(self, sql: str, act: Callable[[], object]) -> _Cursor:
        death, place = self.connection.death, " ".join(sql.split()[:3])
        death.strike("before SQL statement", place)
        act()
        death.strike("after SQL statement", place)
        return self


class _Connection(sqlite3.Connection):
    """A connection of a process that may die."""

    death: Death

    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)

    def commit(self) -> None:
        self.death.strike("before SQL statement", "COMMIT")
        super().commit()
        self.death.strike("after SQL statement", "COMMIT")

    def close(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # it is closed already
            # A cursor that is still held would keep the locks of a closed connection.
            self.rollback()
        super().close()


def mortal(engine: Engine, death: Death) -> None:
    """Give an engine connections that do nothing after death. Only SQLite's can."""

    def connect(path: str, **options: Any) -> sqlite3.Connection:
        if death.read_only:
            path, options = f"file:{path}?mode=ro", {**options, "uri": True}
        connection = _Connection(path, **options)
        connection.death = death
        death.connections.append(connection)
        return connection

    def with_factory(_dialect: object, _record: object, _arguments: object, options: Any) -> None:
        options["factory"] = connect

    event.listen(engine, "do_connect", with_factory)
