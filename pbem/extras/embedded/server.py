"""The SMTP and POP3 servers, in one thread."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import ExitStack
from mailbox import Maildir
from pathlib import Path
from secrets import compare_digest
from types import TracebackType
from typing import Final, Self
from weakref import WeakSet

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.extras.embedded.pop3 import Pop3Session, maildir_of
from pbem.mail.message.size_limits import MAX_MAIL
from pbem.ports.inbound import HandedMail
from pbem.ports.process import StorageUnavailable

HOST: Final = "127.0.0.1"
"""Loopback only, since nothing here is encrypted and anybody may send."""

_STARTS_WITHIN_S: Final = 10.0


class EmbeddedMail:
    """An SMTP and a POP3 server, with a Maildir for each address in a folder.

    Email for the club is not kept but passed to `take`. Mailboxes accept plus-addresses too (RFC
    5233). If a sender or recipient has no mailbox, `open_mailbox` may add one. The hooks'
    names come from aiosmtpd.
    """

    host = HOST

    def __init__(
        self,
        folder: Path,
        *,
        is_club: Callable[[str], bool],
        take: Callable[[HandedMail], object],
        open_mailbox: Callable[[str], None] = lambda address: None,
    ) -> None:
        self.smtp_port = self.pop3_port = 0
        self._folder = folder
        self._is_club = is_club
        self._take = take
        self._open_mailbox = open_mailbox
        self._passwords: dict[str, str] = {}
        self._senders: WeakSet[SMTP] = WeakSet()
        self._readers: WeakSet[asyncio.StreamWriter] = WeakSet()
        self._thread: threading.Thread | None = None
        self._started = threading.Event()
        self._failure: OSError | None = None

    def add(self, address: str, password: str) -> None:
        """Add a mailbox, or change its password, even while the servers run."""
        name = address.casefold()
        self._folder.mkdir(exist_ok=True, mode=0o700)
        Maildir(maildir_of(self._folder, name))
        self._passwords[name] = password

    def start(self) -> None:
        """Start both servers and wait until they listen. Sets ports that were 0. Raises OSError."""
        # aiosmtpd logs every connection, and warns at each login.
        logging.getLogger("mail.log").setLevel(logging.ERROR)
        self._started.clear()
        self._failure = None
        self._thread = threading.Thread(target=self._run, name="embedded-mail", daemon=True)
        self._thread.start()
        self._started.wait(_STARTS_WITHIN_S)
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Stop both servers and close every connection."""
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
        # As context managers, servers would wait for all clients since Python 3.12.1.
        with ExitStack() as closing:
            closing.callback(self._hang_up)
            smtp = await self._loop.create_server(self._receive, HOST, self.smtp_port)
            closing.callback(smtp.close)
            pop3 = await asyncio.start_server(self._read, HOST, self.pop3_port)
            closing.callback(pop3.close)
            self.smtp_port, self.pop3_port = map(_port, (smtp, pop3))
            self._started.set()
            await self._stop.wait()

    def _hang_up(self) -> None:
        for connection in (*(each.transport for each in self._senders), *self._readers):
            if connection is not None:
                connection.close()

    def _receive(self) -> SMTP:
        sender = SMTP(
            self,
            hostname="localhost",
            ident="pbem, embedded",
            data_size_limit=MAX_MAIL,
            authenticator=self._authenticate,
            # On loopback, logging in is optional.
            auth_require_tls=False,
            loop=self._loop,
        )
        self._senders.add(sender)
        return sender

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._readers.add(writer)
        await Pop3Session(self._maildir, writer).run(reader)

    def _maildir(self, name: str, password: str) -> Path | None:
        known = self._passwords.get(name.casefold(), "")
        right = known and compare_digest(known.encode(), password.encode())
        return maildir_of(self._folder, name.casefold()) if right else None

    def _owner(self, address: str) -> str | None:
        """Return the mailbox that receives email for an address, None if there is none."""
        local, _, domain = address.casefold().rpartition("@")
        names = (f"{local}@{domain}", f"{local.partition('+')[0]}@{domain}")
        return next((name for name in names if name in self._passwords), None)

    def _is_known(self, address: str) -> bool:
        if self._is_club(address):
            return True
        if self._owner(address) is None:
            self._open_mailbox(address)
        return self._owner(address) is not None

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Open a mailbox for the sender, so that they can read the answer."""
        self._is_known(address)
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Refuse a recipient without a mailbox."""
        if not self._is_known(address):
            return "550 5.1.1 There is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Pass the club its email, and deliver the rest to mailboxes."""
        sender, content = envelope.mail_from or "", envelope.original_content or b""
        club = tuple(each for each in envelope.rcpt_tos if self._is_club(each))
        if club:
            mail = HandedMail(sender, club, content, "")
            try:
                await asyncio.to_thread(self._take, mail)
            except StorageUnavailable:
                return "451 4.3.0 The email cannot be recorded now. Try again later"
        for address in envelope.rcpt_tos:
            owner = self._owner(address)
            if owner is not None and address not in club:
                trace = f"Return-Path: <{sender}>\nDelivered-To: {address}\n".encode()
                kept = trace + content.replace(b"\r\n", b"\n")
                Maildir(maildir_of(self._folder, owner)).add(kept)
        return "250 2.0.0 OK"

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
    ) -> AuthResult:
        known = isinstance(data, LoginPassword) and self._maildir(
            data.login.decode(errors="replace"), data.password.decode(errors="replace")
        )
        return AuthResult(success=bool(known), handled=False)


def _port(server: asyncio.Server) -> int:
    return int(server.sockets[0].getsockname()[1])
