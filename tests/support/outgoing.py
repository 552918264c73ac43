"""Outgoing email for the contract tests: one interface to each kind of server."""

from __future__ import annotations

import imaplib
from collections.abc import Iterator
from contextlib import contextmanager
from ssl import SSLContext
from typing import Literal, Protocol

import pytest

from pbem.adapters.smtp_transport import SmtpSettings, SmtpTransport
from pbem.ports.outbox import Transport
from tests.fakes.clock import FakeClock
from tests.fakes.mail import FakeTransport
from tests.fakes.post_office import FakePostOffice
from tests.support.certificates import Certificates
from tests.support.mail_servers import DovecotMail
from tests.support.outside import on_servers
from tests.support.smtp import SmtpServer

PASSWORD = "open sesame"
USER = "club"


class Outgoing(Protocol):
    """A transport, and two people who get email by it: anna and bob."""

    domain: str
    transport: Transport

    def arrived(self, name: str) -> list[bytes]:
        """Return emails to anna or bob, oldest first."""


class FakeOutgoing:
    """On the fakes."""

    domain = "games.example"

    def __init__(self) -> None:
        self._office = FakePostOffice(FakeClock())
        for name in ("anna", "bob"):
            self._office.add(f"{name}@{self.domain}")
        self.transport: Transport = FakeTransport(self._office)

    def arrived(self, name: str) -> list[bytes]:
        inbox = self._office.folders(f"{name}@{self.domain}")["INBOX"]
        return [each.raw for each in inbox.messages.values()]


class ServerOutgoing:
    """On a whole mail server, read by IMAP."""

    def __init__(self, server: DovecotMail, domain: str) -> None:
        self._server = server
        self.domain = domain
        for name in ("anna", "bob"):
            server.add(f"{name}@{domain}", PASSWORD)
        self.transport: Transport = SmtpTransport(
            SmtpSettings(server.host, server.smtp_port, "", "", "none", timeout_s=5)
        )

    def arrived(self, name: str) -> list[bytes]:
        with imaplib.IMAP4(self._server.host, self._server.imap_port) as client:
            client.login(f"{name}@{self.domain}", PASSWORD)
            client.select("INBOX")
            numbers = client.search(None, "ALL")[1][0].split()
            parts = [client.fetch(number.decode(), "(BODY.PEEK[])")[1][0] for number in numbers]
        return [part[1] for part in parts if isinstance(part, tuple)]


class SecureOutgoing:
    """On an SMTP server that requires TLS and a login, and keeps what it gets."""

    domain = "games.example"

    def __init__(self, settings: SmtpSettings, kept: list[tuple[str, bytes]]) -> None:
        self.settings = settings
        self.transport: Transport = SmtpTransport(settings)
        self._kept = kept

    def arrived(self, name: str) -> list[bytes]:
        return [raw for recipient, raw in self._kept if recipient == f"{name}@{self.domain}"]


@contextmanager
def secure(
    security: Literal["tls", "starttls"], context: SSLContext, certificates: Certificates
) -> Iterator[SecureOutgoing]:
    """Return an SMTP server of that kind and a transport that can use it."""
    kept: list[tuple[str, bytes]] = []
    server = SmtpServer(
        lambda sender, recipient, raw: kept.append((recipient, raw)),
        knows=lambda recipient: recipient.startswith(("anna@", "bob@")),
        security=security,
        context=context,
        logins={USER: PASSWORD},
    )
    with server:
        settings = SmtpSettings(
            "localhost", server.port, USER, PASSWORD, security, 5, certificates.ca_file
        )
        yield SecureOutgoing(settings, kept)


@pytest.fixture(params=("fake", *on_servers("dovecot", "starttls", "tls")))
def outgoing(
    request: pytest.FixtureRequest,
    domain: str,
    server_tls: SSLContext,
    certificates: Certificates,
) -> Iterator[Outgoing]:
    """Outgoing email by each kind of server."""
    if request.param == "fake":
        yield FakeOutgoing()
    elif request.param == "dovecot":
        yield ServerOutgoing(request.getfixturevalue("dovecot_mail"), domain)
    else:
        with secure(request.param, server_tls, certificates) as made:
            yield made
