"""The mail between a club and its people: on servers, or on the fakes."""

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
    """Mailboxes of everybody, seen as mail programs see them; and what the club is given of it."""

    def add(self, address: str) -> None:
        """A mailbox more."""

    def inbox(self, address: str, after: int = 0) -> list[bytes]:
        """Mails of an inbox without the first so many, oldest first."""

    def takes(self, sender: str, recipient: str, raw: bytes) -> None:
        """Somebody hands a mail over."""

    def puts(self, address: str, raw: bytes, at: datetime) -> None:
        """A mail is in an inbox, received at that moment."""

    def mailbox(self, address: str, done_folder: str) -> Mailbox:
        """The club's mailbox."""

    def transport(self) -> Transport:
        """What the club sends with."""


def mailbox_of(address: str) -> str:
    """The mailbox that takes the mail of an address: without what follows a plus (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


class Servers:
    """On a mail server in earnest, without TLS."""

    def __init__(self, server: DovecotMail) -> None:
        self.server = server

    def add(self, address: str) -> None:
        self.server.add(mailbox_of(address), PASSWORD)

    @contextmanager
    def hand(self, address: str) -> Iterator[imaplib.IMAP4]:
        """A mail program that has logged in."""
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
    """Without servers; mail is received by the clock of the test."""

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
