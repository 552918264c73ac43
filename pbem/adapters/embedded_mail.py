"""A small mail server of our own, on this machine only: SMTP in, IMAP out, mailboxes in memory.

For trying out and for tests. Whatever is sent to it stays on it, and is gone when it stops.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from secrets import compare_digest
from types import TracebackType
from typing import Final, Self
from weakref import WeakSet

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from proxyprotocol.reader import ProxyProtocolReader
from pymap.backend.dict import Config, Login
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet
from pymap.concurrent import Event, Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.selected import SelectedMailbox
from pymap.user import UserMetadata
from pysasl import SASLAuth
from pysasl.hashing import Cleartext

HOST: Final = "127.0.0.1"
"""Loopback alone: nothing here is encrypted, and anybody may send."""

_STARTS_WITHIN_S: Final = 10.0

_Accept = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class EmbeddedMail:
    """An SMTP and an IMAP server with a mailbox for each address.

    A mailbox takes plus-addresses too (RFC 5233): club+anything@host is club@host.
    """

    host = HOST

    def __init__(
        self, mailboxes: Mapping[str, str], *, smtp_port: int = 0, imap_port: int = 0
    ) -> None:
        self.smtp_port = smtp_port
        self.imap_port = imap_port
        self._store = _Store()
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
        postman = _Postman(self._store)
        smtp = await self._loop.create_server(postman.receive, HOST, self.smtp_port)
        imap = await asyncio.start_server(self._store.imap(), HOST, self.imap_port)
        self.smtp_port, self.imap_port = map(_port, (smtp, imap))
        self._started.set()
        await self._stop.wait()
        # Not as context managers: since Python 3.12.1 these wait until the clients hang up.
        smtp.close()
        imap.close()
        postman.hang_up()


class _Store:
    """The mailboxes, and who may read them."""

    def __init__(self) -> None:
        self._config = _Config.quick()
        self._login = Login(self._config)

    def add(self, address: str, password: str) -> None:
        name = address.casefold()
        self._login.users_dict[name] = UserMetadata(self._config, name, password=password)
        self._config.set_cache.setdefault(name, (_Folders(), FilterSet()))

    def owner(self, address: str) -> str | None:
        """The mailbox that mail for an address goes to."""
        local, _, domain = address.casefold().rpartition("@")
        names = (f"{local}@{domain}", f"{local.partition('+')[0]}@{domain}")
        return next((name for name in names if name in self._config.set_cache), None)

    def knows(self, name: str, password: str) -> bool:
        user = self._login.users_dict.get(name.casefold())
        return user is not None and compare_digest(str(user.password).encode(), password.encode())

    async def put(self, owner: str, raw: bytes) -> None:
        folders, _ = self._config.set_cache[owner]
        inbox = await folders.get_mailbox("INBOX")
        await inbox.append(AppendMessage(raw, datetime.now(UTC)), recent=True)

    def imap(self) -> _Accept:
        """What takes an IMAP connection."""
        server = IMAPServer(self._login, self._config)
        return ProxyProtocolReader(self._config.proxy_protocol).get_callback(server)


class _Postman:
    """Takes mail in by SMTP; the hooks' names are aiosmtpd's."""

    def __init__(self, store: _Store) -> None:
        self._store = store
        self._visitors: WeakSet[SMTP] = WeakSet()

    def receive(self) -> SMTP:
        """What takes an SMTP connection."""
        visitor = SMTP(
            self,
            hostname="localhost",
            ident="pbem, embedded",
            authenticator=self._authenticate,
            # Loopback only, and nobody has to log in; a mail program that wants to, may.
            auth_require_tls=False,
            loop=asyncio.get_running_loop(),
        )
        self._visitors.add(visitor)
        return visitor

    def hang_up(self) -> None:
        for visitor in self._visitors:
            if visitor.transport is not None:
                visitor.transport.close()

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._store.owner(address) is None:
            return "550 5.1.1 There is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        for address in envelope.rcpt_tos:
            owner = self._store.owner(address)
            if owner is not None:
                await self._store.put(owner, _delivered(envelope, address))
        return "250 2.0.0 OK"

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        known = isinstance(data, LoginPassword) and self._store.knows(
            data.login.decode(errors="replace"), data.password.decode(errors="replace")
        )
        return AuthResult(success=known, handled=False)


def _delivered(envelope: Envelope, address: str) -> bytes:
    # RFC 5321 section 4.4: the last server notes who sent the mail; Delivered-To as others do.
    trace = f"Return-Path: <{envelope.mail_from or ''}>\r\nDelivered-To: {address}\r\n"
    content = envelope.content or b""
    return trace.encode() + (content if isinstance(content, bytes) else content.encode())


class _Config(Config):
    """pymap's settings, without what costs time a connection or serves other purposes."""

    @classmethod
    def quick(cls) -> Self:
        arguments = Namespace(
            debug=False, host=HOST, port=0, cert=None, key=None, tls=False,
            proxy_protocol=None, passlib_cfg=None,
            demo_data=False, demo_user="", demo_password="",
        )  # fmt: skip
        return cls.from_args(
            arguments,
            hash_context=Cleartext(),
            cpu_subsystem=Subsystem.for_asyncio(),
            invalid_user_sleep=0.0,
            ssl_context=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER),
        )

    @cached_property
    def tls_auth(self) -> SASLAuth:
        """Kept: pysasl looks through all installed packages each time it is asked."""
        return SASLAuth.defaults()

    @property
    def greeting(self) -> bytes:
        """pymap's asks the name service for our name."""
        return b"pbem, embedded"


class _Inbox(MailboxData):
    """pymap's folder, with news that came just before an IDLE told at once.

    pymap waits for the next change without looking whether there has been one, and so keeps
    silent about mail that came between two commands.
    """

    async def update_selected(
        self, selected: SelectedMailbox, *, wait_on: Event | None = None
    ) -> SelectedMailbox:
        if selected.mod_sequence != self._mod_sequences.highest:
            wait_on = None
        return await super().update_selected(selected, wait_on=wait_on)


class _Folders(MailboxSet):
    """The folders of one mailbox."""

    def __init__(self) -> None:
        super().__init__()
        self._inbox = _Inbox(self._content_cache, self._thread_cache)


def _port(server: asyncio.Server) -> int:
    return int(server.sockets[0].getsockname()[1])


def _quiet() -> None:
    """Both libraries report every connection as if it were news."""
    for name in ("mail.log", "pymap"):
        logging.getLogger(name).setLevel(logging.WARNING)
