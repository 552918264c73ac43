"""A duty that PostgreSQL gives to one session at a time, by an advisory lock.

When the session ends for any reason, the server gives the lock to the next session that waits. To
notice a machine that disappears, the server uses TCP keepalives. We do too, with shorter times, so
that a process that is cut off knows before the server does. The holder also sends a query from time
to time or loses the duty, since its process may hang on a machine that still answers.
"""

from __future__ import annotations

import os
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from pbem.adapters.db.engine import connection_words, unusable

CLIENT_WORDS: Final = {
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}
"""We know after 15 seconds that the server is gone."""
SESSION_SETTINGS: Final = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "4",
    "tcp_user_timeout": "30000",
    # also checks sessions that only wait (PostgreSQL 14 and later)
    "client_connection_check_interval": "10000",
    "lock_timeout": "0",
    "statement_timeout": "0",
    # ends a process that hangs on a machine that answers (PostgreSQL 14 and later)
    "idle_session_timeout": "60000",
}
"""The server knows after 30 seconds that our machine is gone, after 60 that our process hangs.
Nothing else ends a session.
"""
SAY_SECONDS: Final = 15.0
"""Seconds between queries of the holder."""
SET: Final = "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = %s"
KEY: Final = "hashtextextended(%s, 0)"
"""A lock is named by 64 bits."""
CLOSE_SECONDS: Final = 1.0
"""Seconds to wait for a thread that is still connecting."""


class SessionDuty:
    """A duty by name, the same in every process. Satisfies `ports.Duty`."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._key = f"pbem {name}"
        self._connection: Any = None
        self._using = threading.RLock()
        self._held = threading.Event()
        self._closed = threading.Event()

    @property
    def held(self) -> bool:
        return self._held.is_set()

    def taken(self) -> bool:
        self._drop()
        with self._session() as connection:
            locked = f"SELECT pg_try_advisory_lock({KEY})"
            (ours,) = connection.execute(locked, (self._key,)).fetchone()
            self._has(ours=ours)
        return self.held

    def wait(self) -> bool:
        if self._closed.is_set():
            return False
        with self._session() as connection:
            connection.execute(f"SELECT pg_advisory_lock({KEY})", (self._key,))
            self._has(ours=True)
        return self.held

    def _has(self, *, ours: bool) -> None:
        if ours and not self._closed.is_set():
            self._held.set()

    def keep(self) -> None:
        with self._session() as connection:
            while not self._closed.is_set():
                heard, _, _ = select.select([connection], [], [], SAY_SECONDS)
                if heard:
                    connection.pgconn.consume_input()
                else:
                    connection.execute("SELECT")

    @contextmanager
    def _session(self) -> Iterator[Any]:
        """Open the session for a block. Any error closes it, and so ends the duty."""
        import psycopg

        with self._using:
            try:
                yield self._connected()
            except psycopg.Error as error:
                self._drop()
                if not self._closed.is_set():
                    raise unusable(error) from error

    def _connected(self) -> Any:
        import psycopg

        if self._connection is None:
            words = {**connection_words(self._url), **CLIENT_WORDS}
            self._connection = psycopg.connect(**words, autocommit=True)
            for setting, value in SESSION_SETTINGS.items():
                self._connection.execute(SET, (value, setting))
        return self._connection

    def _drop(self) -> None:
        self._held.clear()
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()

    def close(self) -> None:
        self._closed.set()
        self._held.clear()
        with suppress(Exception), socket.socket(fileno=os.dup(self._connection.fileno())) as line:
            # Stops any thread that waits on this connection.
            line.shutdown(socket.SHUT_RDWR)
        if self._using.acquire(timeout=CLOSE_SECONDS):
            self._drop()
            self._using.release()
