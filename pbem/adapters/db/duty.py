"""A duty that an advisory lock of PostgreSQL gives to one session at a time.

The server gives it to the next who waits as soon as the session ends, by whatever death. Of a
machine that vanishes it hears nothing, so it asks again and again whether it is there (keepalives
of TCP), and so do we: who is cut off knows it before the server does. Who has the duty says so from
time to time, or has it no more: their process may stand still on a machine that answers.
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
    # Looks after who only waits, too; PostgreSQL 14 and later.
    "client_connection_check_interval": "10000",
    "lock_timeout": "0",
    "statement_timeout": "0",
    # A process that stands still says nothing on a machine that answers; PostgreSQL 14 and later.
    "idle_session_timeout": "60000",
}
"""It knows after 30 that our machine is, after 60 that we are; and nothing else ends a session."""
SAY_SECONDS: Final = 15.0
"""How often who has the duty says that they are there."""
SET: Final = "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = %s"
KEY: Final = "hashtextextended(%s, 0)"
"""A lock has no name but 64 bits."""
CLOSE_SECONDS: Final = 1.0
"""Who is still connecting then does so in vain."""


class SessionDuty:
    """A duty by its name, the same in every process; satisfies `ports.Duty`."""

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
        """The session; any trouble with it ends it, and with it the duty."""
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
            # Whatever another thread waits for on this connection, it waits no longer.
            line.shutdown(socket.SHUT_RDWR)
        if self._using.acquire(timeout=CLOSE_SECONDS):
            self._drop()
            self._using.release()
