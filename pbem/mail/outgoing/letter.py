"""A mail of the club as bytes: addresses, thread, text and HTML parts (RFC 5322, 3834)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.charset import QP, Charset
from email.header import Header
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.mime.text import MIMEText
from email.policy import compat32
from email.utils import format_datetime, formataddr

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
    """The message in wire form.

    Built on the older half of `email`: the newer one parses every header it is given, which made up
    most of what a mail cost.
    """
    message = MIMEMultipart("alternative")
    for name, value in _headers(letter, date):
        message[name] = value
    for text, subtype in ((letter.text, "plain"), (to_html(letter.text), "html")):
        message.attach(_part(text, subtype))
    return message.as_bytes(policy=_WIRE)


def _part(text: str, subtype: str) -> MIMENonMultipart:
    if text.isascii():
        return MIMEText(text, subtype, "us-ascii")
    part = MIMENonMultipart("text", subtype, charset="utf-8")
    part.set_payload(text, _UTF_8)
    return part


_WIRE = compat32.clone(linesep="\r\n")
_UTF_8 = Charset("utf-8")
_UTF_8.body_encoding = QP
LONGEST_HEADER = 76


def _headers(letter: Letter, date: datetime) -> Iterator[tuple[str, str]]:
    yield "From", _mailbox(letter.from_name, letter.from_address)
    yield "To", _mailbox(letter.to_name, letter.to_address)
    yield "Reply-To", letter.from_address
    yield "Subject", _words(one_line(letter.subject))
    yield "Date", format_datetime(date)
    yield "Message-ID", letter.message_id
    if letter.references:
        yield "In-Reply-To", letter.references[-1]
        yield "References", "\r\n ".join(letter.references)
    yield "Auto-Submitted", "auto-replied" if letter.answers else "auto-generated"
    # Outlook and Exchange know only this one.
    yield "X-Auto-Response-Suppress", "OOF, AutoReply"


def _mailbox(name: str, address: str) -> str:
    if not address.isascii():  # for reading only: the envelope says where it goes
        return _words(one_line(f"{name} <{address}>"))
    return formataddr((one_line(name), address), "utf-8")


def _words(text: str) -> str:
    """A header as it is, or in encoded words where it is not ASCII (RFC 2047)."""
    return text if text.isascii() else Header(text, "utf-8", LONGEST_HEADER).encode(linesep="\r\n")


def one_line(text: str) -> str:
    """Text fit for a header: a name or subject can never start a header of its own."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
