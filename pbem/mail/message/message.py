"""Message: the fields and text that pbem reads from an email, whatever its bytes are."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games.phrases import Phrase
from pbem.mail.message.body import BodyText, body_text
from pbem.mail.message.headers import (
    Headers,
    addresses,
    decoded_words,
    message_ids,
    sender,
    split_headers,
)
from pbem.mail.message.size_limits import MAX_MAIL, TOO_LARGE, shortened

_RECIPIENTS = (
    "to",
    "cc",
    "bcc",
    "delivered-to",
    "x-delivered-to",
    "x-original-to",
    "envelope-to",
    "x-envelope-to",
    "x-rcpt-to",
    "apparently-to",
    "resent-to",
    "resent-cc",
)
"""Fields in which servers and clients note recipients, since there is no single standard field."""


@dataclass(frozen=True)
class Message:
    """A parsed email. Its texts contain no control or invisible characters."""

    headers: Headers
    message_id: str
    """`<...>`, or empty."""
    from_address: str
    """In lower case. Empty unless there is exactly one From with exactly one mailbox."""
    from_name: str
    recipients: tuple[str, ...]
    """All recipients in any header field, in lower case."""
    subject: str
    in_reply_to: tuple[str, ...]
    """Message-IDs in In-Reply-To."""
    references: tuple[str, ...]
    """Message-IDs in In-Reply-To and References, in this order, without repeats."""
    date_header: str
    """The Date field as received, set by the sender's clock."""
    text: str
    r"""The best plain text, with `\n` line ends. `>` marks quotes found in the HTML."""
    excess: Phrase | None
    """The limit that was passed, in a player's words. None if the email was read completely."""
    parts: tuple[str, ...]
    """Types of the email and its parts, such as `text/calendar; method=reply`."""


_SHORTENED = re.compile(rb"X-Pbem-Shortened: from (\d{1,15}) bytes\r\n")
"""First line of an email shortened by pbem. Anywhere else, the sender wrote it."""


def shortened_to(most: int, raw: bytes, size: int = 0) -> bytes:
    """Return the beginning of an email, with a header field that gives the full size.

    `size` is the full size if `raw` is already shortened.
    """
    size = max(size, _size(raw))
    return f"X-Pbem-Shortened: from {size} bytes\r\n".encode() + raw[:most]


def _size(raw: bytes) -> int:
    """Return the full size of an email in bytes, even if it was shortened."""
    told = _SHORTENED.match(raw)
    return max(len(raw), int(told[1])) if told else len(raw)


def read_message(raw: bytes) -> Message:
    """Parse an email, whatever its bytes are."""
    headers, body = split_headers(raw)
    too_large = _size(raw) > MAX_MAIL
    return _of(headers, BodyText("", TOO_LARGE) if too_large else body_text(headers, body))


def read_envelope(raw: bytes) -> Message:
    """Parse only the header fields of an email."""
    headers, _ = split_headers(raw)
    return _of(headers, BodyText(""))


def _of(headers: Headers, text: BodyText) -> Message:
    claimed = sender(headers.written("from"))
    in_reply_to = message_ids(" ".join(headers.all("in-reply-to")))
    references = message_ids(" ".join(headers.all("references")))
    return Message(
        headers=headers,
        message_id=_message_id(headers),
        from_address=claimed.address,
        from_name=shortened(claimed.name),
        recipients=addresses(headers.all(*_RECIPIENTS)),
        subject=shortened(decoded_words(headers.first("subject"))),
        in_reply_to=in_reply_to,
        references=tuple(dict.fromkeys(in_reply_to + references)),
        date_header=headers.first("date"),
        text=_without_prefaces(text.text, claimed.name),
        excess=text.excess,
        parts=text.parts,
    )


def _without_prefaces(text: str, name: str) -> str:
    """Remove the `[Nowak, Clara]` that Outlook can put before text typed into a quote."""
    preface = f"[{name}] "
    if not name or preface not in text:
        return text
    return "\n".join(line.removeprefix(preface) for line in text.split("\n"))


class MessageIdentity(NamedTuple):
    """The values that identify an email."""

    message_id: str
    digest: str
    from_address: str


def identity(raw: bytes) -> MessageIdentity:
    """Return the identity of an email, without reading its text."""
    headers, body = split_headers(raw)
    claimed = sender(headers.written("from"))
    return MessageIdentity(_message_id(headers), _digest(headers, body), claimed.address)


def _message_id(headers: Headers) -> str:
    return next(iter(message_ids(headers.first("message-id"))), "")


def digest(raw: bytes) -> str:
    """Return a hash of From, Date and body.

    Leaves out trace fields, which differ between deliveries, and line ends and trailing blank
    lines, which servers change.
    """
    return _digest(*split_headers(raw))


def _digest(headers: Headers, body: bytes) -> str:
    claims = "\0".join((*headers.all("from"), *headers.all("date")))
    hashed = hashlib.sha256(claims.encode() + b"\0\0")
    for piece in _unified(body):
        hashed.update(piece)
    return hashed.hexdigest()


_PIECE = 1024 * 1024


def _unified(body: bytes) -> Iterator[bytes]:
    r"""Yield a body in pieces, as it may be large, with `\n` line ends and none at the end."""
    ends = b""
    for at in range(0, len(body), _PIECE):
        piece = ends + body[at : at + _PIECE]
        text = piece.rstrip(b"\r\n")
        ends = piece[len(text) :]
        yield text.replace(b"\r\n", b"\n")
    yield ends.replace(b"\r\n", b"\n").rstrip(b"\n")
