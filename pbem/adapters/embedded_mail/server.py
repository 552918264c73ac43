"""Both servers, in a thread of their own."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pbem.adapters.embedded_mail.postman import Postman
from pbem.adapters.embedded_mail.reading_room import ReadingRoom
from pbem.adapters.embedded_mail.store import Store

HOST: Final = "127.0.0.1"
"""Loopback alone: nothing here is encrypted, and anybody may send."""

_STARTS_WITHIN_S: Final = 10.0


class EmbeddedMail:
    """An SMTP and an IMAP server with a mailbox for each address.

    A mailbox takes plus-addresses too (RFC 5233): club+anything@host is club@host. Mail is kept in
    the folder, if one is given. Whoever sends or is sent a mail without having a mailbox is told to
    open_mailbox, which adds one or lets it be.
    """

    host = HOST

    def __init__(
        self,
        mailboxes: Mapping[str, str],
        *,
        smtp_port: int = 0,
        imap_port: int = 0,
        folder: Path | None = None,
        open_mailbox: Callable[[str], None] = lambda address: None,
    ) -> None:
        self.smtp_port = smtp_port
        self.imap_port = imap_port
        self._store = Store(folder)
        self._open_mailbox = open_mailbox
        for address, password in mailboxes.items():
            self.add(address, password)
        self._thread: threading.Thread | None = None
        self._started = threading.Event()
        self._failure: OSError | None = None

    def add(self, address: str, password: str) -> None:
        """A mailbox more, or another password for one; also while the servers run."""
        self._store.add(address, password)

    def start(self) -> None:
        """Returns when both servers listen; ports that were 0 are known then. Raises OSError."""
        _quiet()
        self._started.clear()
        self._failure = None
        self._thread = threading.Thread(target=self._run, name="embedded-mail", daemon=True)
        self._thread.start()
        self._started.wait(_STARTS_WITHIN_S)
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Ends both servers and every connection."""
        if self._thread is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self._failure = error
        finally:
            self._started.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        postman, room = Postman(self._store, self._open_mailbox), ReadingRoom(self._store)
        # Servers as context managers would wait, since Python 3.12.1, until all clients hang up.
        with ExitStack() as closing:
            smtp = await self._loop.create_server(postman.receive, HOST, self.smtp_port)
            closing.callback(smtp.close)
            closing.callback(postman.hang_up)
            imap = await asyncio.start_server(room.receive, HOST, self.imap_port)
            closing.callback(imap.close)
            self.smtp_port, self.imap_port = map(_port, (smtp, imap))
            self._started.set()
            await self._stop.wait()


def _port(server: asyncio.Server) -> int:
    return int(server.sockets[0].getsockname()[1])


def _quiet() -> None:
    """Both report every connection, and aiosmtpd at each login a property of its own."""
    for name in ("mail.log", "pymap"):
        logging.getLogger(name).setLevel(logging.ERROR)
