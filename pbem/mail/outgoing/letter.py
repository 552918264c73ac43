"""A mail of the club as bytes: addresses, thread, text and HTML parts (RFC 5322, 3834)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr

from pbem.mail.outgoing.render import to_html


@dataclass(frozen=True)
class Letter:
    """What goes to one person."""

    message_id: str
    from_name: str
    from_address: str
    to_name: str
    to_address: str
    subject: str
    text: str
    references: Sequence[str] = ()
    """Message-IDs of the thread, oldest first; the last one is answered."""
    answers: bool = False
    """Whether it is the answer to a mail (RFC 3834: auto-replied), else auto-generated."""


def to_bytes(letter: Letter, date: datetime) -> bytes:
    """The message in wire form."""
    message = EmailMessage(policy=SMTP)
    message["From"] = _mailbox(letter.from_name, letter.from_address)
    message["To"] = _mailbox(letter.to_name, letter.to_address)
    message["Reply-To"] = letter.from_address
    message["Subject"] = one_line(letter.subject)
    message["Date"] = format_datetime(date)
    message["Message-ID"] = letter.message_id
    if letter.references:
        message["In-Reply-To"] = letter.references[-1]
        message["References"] = " ".join(letter.references)
    message["Auto-Submitted"] = "auto-replied" if letter.answers else "auto-generated"
    # Outlook and Exchange know only this one.
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    message.set_content(letter.text)
    message.add_alternative(to_html(letter.text), subtype="html")
    return message.as_bytes()


def _mailbox(name: str, address: str) -> Address:
    local, _, host = parseaddr(address)[1].rpartition("@")
    return Address(one_line(name), local, host)


def one_line(text: str) -> str:
    """Text fit for a header: a name or subject can never start a header of its own."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
