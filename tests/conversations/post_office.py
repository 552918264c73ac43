"""The email between a club and its people, on servers or on the fakes."""

from __future__ import annotations

import imaplib
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol

from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp_transport import SmtpSettings, SmtpTransport
from pbem.ports.inbound import Mailbox
from pbem.ports.outbox import Delivery, Transport
from pbem.ports.process import WallClock
from tests.fakes.mail import FakeMailbox, FakeTransport
from tests.fakes.post_office import FakePostOffice, Stored
from tests.support.mail_servers import DovecotMail

PASSWORD = "open sesame"


class PostOffice(Protocol):
    """Everyone's mailboxes as email programs see them, and the adapters that the club gets."""

    def add(self, address: str) -> None:
        """Add a mailbox."""

    def inbox(self, address: str, after: int = 0) -> list[bytes]:
        """Return the emails of an inbox, oldest first, without the first few."""

    def takes(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send an email."""

    def puts(self, address: str, raw: bytes, at: datetime) -> None:
        """Put an email into an inbox, received at that moment."""

    def mailbox(self, address: str, done_folder: str) -> Mailbox:
        """Return the club's mailbox."""

    def transport(self) -> Transport:
        """Return the club's transport."""


def mailbox_of(address: str) -> str:
    """Return the mailbox of an address: the address without its plus part (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


class Servers:
    """A real mail server, without TLS."""

    def __init__(self, server: DovecotMail) -> None:
        self.server = server

    def add(self, address: str) -> None:
        self.server.add(mailbox_of(address), PASSWORD)

    @contextmanager
    def hand(self, address: str) -> Iterator[imaplib.IMAP4]:
        """Return a logged-in email program."""
        with imaplib.IMAP4(self.server.host, self.server.imap_port) as client:
            client.login(mailbox_of(address), PASSWORD)
            yield client

    def inbox(self, address: str, after: int = 0) -> list[bytes]:
        with self.hand(address) as client:
            client.select("INBOX")
            numbers = client.search(None, "ALL")[1][0].split()[after:]
            answers = [client.fetch(number.decode(), "(BODY.PEEK[])")[1] for number in numbers]
        return [part[1] for answer in answers for part in answer if isinstance(part, tuple)]

    def takes(self, sender: str, recipient: str, raw: bytes) -> None:
        with smtplib.SMTP(self.server.host, self.server.smtp_port) as client:
            client.sendmail(sender, [recipient], raw)

    def puts(self, address: str, raw: bytes, at: datetime) -> None:
        with self.hand(address) as client:
            client.append("INBOX", "", imaplib.Time2Internaldate(at), raw)

    def mailbox(self, address: str, done_folder: str) -> Mailbox:
        host, port = self.server.host, self.server.imap_port
        return ImapMailbox(
            ImapSettings(host, port, address, PASSWORD, "none", done_folder=done_folder)
        )

    def transport(self) -> Transport:
        settings = SmtpSettings(self.server.host, self.server.smtp_port, "", "", "none")
        return SmtpTransport(settings)


class Fakes:
    """No servers. The test's clock dates received emails."""

    def __init__(self, clock: WallClock) -> None:
        self.office = FakePostOffice(clock)

    def add(self, address: str) -> None:
        self.office.add(address)

    def inbox(self, address: str, after: int = 0) -> list[bytes]:
        messages = self.office.folders(address)["INBOX"].messages
        return [messages[uid].raw for uid in sorted(messages)][after:]

    def takes(self, sender: str, recipient: str, raw: bytes) -> None:
        with self.transport().connect() as session:
            report = session.send(sender, recipient, raw)
        assert report.delivery is Delivery.SENT, report

    def puts(self, address: str, raw: bytes, at: datetime) -> None:
        self.office.put(address, "INBOX", Stored(raw, at))

    def mailbox(self, address: str, done_folder: str) -> Mailbox:
        return FakeMailbox(self.office, address, "INBOX", done_folder)

    def transport(self) -> Transport:
        return FakeTransport(self.office)
