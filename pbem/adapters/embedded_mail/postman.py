"""What takes mail in by SMTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakSet

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.adapters.embedded_mail.store import Store


class Postman:
    """Takes mail in by SMTP; the hooks' names are aiosmtpd's."""

    def __init__(self, store: Store, open_mailbox: Callable[[str], None]) -> None:
        self._store = store
        self._open_mailbox = open_mailbox
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

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._store.owner(address) is None:
            self._open_mailbox(address)
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._store.owner(address) is None:
            self._open_mailbox(address)
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
