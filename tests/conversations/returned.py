"""Returned emails: what servers write about the club's emails, and a server that refuses some."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pbem.mail.addresses.addressing import bounce_address
from pbem.mail.topic import match_key
from pbem.ports.outbox import Delivery, DeliveryReport, PostedMail, Session, Transport
from pbem.service.work import reading
from tests.conversations.house import House, Person

REPORT = """\
Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.mail.example>
To: {to}
Subject: {subject}
Message-ID: <{number}@mx.mail.example>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you of what became of your message.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.mail.example

Final-Recipient: rfc822; {address}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {words}
--b
Content-Type: text/rfc822-headers

From: pbem
Message-ID: {message_id}
--b--
"""

UNKNOWN = ("failed", "5.1.1", "550 5.1.1 User unknown")
FULL = ("failed", "5.2.2", "552 5.2.2 Mailbox full")
DELAYED = ("delayed", "4.4.1", "connection timed out")
DELIVERED = ("delivered", "2.0.0", "250 OK")


def newest(house: House, person: Person, match_id: int = 1) -> PostedMail:
    """Return the newest email about a match to someone, as the club stores it."""
    assert person.player is not None
    with reading(house.club) as work:
        posted = work.outbox.latest(match_key(match_id), person.player.id)
    assert posted is not None
    return posted


def envelope_sender(house: House, posted: PostedMail) -> str:
    """Return the envelope sender, where a server sends a bounce of an email."""
    return bounce_address(house.address, posted.mail.bounce_key or "")


def comes_back(
    house: House,
    posted: PostedMail,
    told: tuple[str, str, str] = UNKNOWN,
    *,
    to: str = "",
    address: str = "",
    message_id: str = "",
    number: int = 0,
) -> None:
    """Report on an email to its envelope sender, about its recipient by default."""
    action, status, words = told
    to = to or envelope_sender(house, posted)
    report = REPORT.format(
        to=to,
        subject="Delivery Status Notification",
        number=number or f"r{posted.id}-{posted.bounces}-{action}",
        address=address or posted.mail.recipient,
        action=action,
        status=status,
        words=words,
        message_id=message_id or posted.mail.message_id,
    )
    house.director.sends(report.replace("\n", "\r\n").encode(), to)
    house.works()


@dataclass
class PickyTransport:
    """A server that refuses some recipients and records envelope senders and recipients."""

    server: Transport
    refused: dict[str, str] = field(default_factory=dict)
    """Replies by recipient."""
    sent: list[tuple[str, str]] = field(default_factory=list)
    """Sender and recipient of every email tried."""

    @contextmanager
    def connect(self) -> Iterator[PickySession]:
        """Connect. Raises TransportError."""
        with self.server.connect() as session:
            yield PickySession(self, session)


@dataclass
class PickySession:
    """A connection to the server."""

    transport: PickyTransport
    session: Session

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        """Send an email. Raises TransportError once the connection is closed."""
        self.transport.sent.append((sender, recipient))
        if reply := self.transport.refused.get(recipient):
            final = reply.startswith("5")
            return DeliveryReport(Delivery.REFUSED if final else Delivery.DEFERRED, reply)
        return self.session.send(sender, recipient, raw)
