"""Message: what pbem takes from a mail, out of whatever bytes came."""

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
from pbem.mail.message.limits import MAX_MAIL, TOO_LARGE, shortened

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
"""Where a server or a client writes down whom a mail was for; there is no one standard field."""


@dataclass(frozen=True)
class Message:
    """A mail, read. Every text in it is harmless: nothing steers, hides or reorders anything."""

    headers: Headers
    message_id: str
    """`<...>`, or empty."""
    from_address: str
    """In lower case; empty unless there is exactly one From with exactly one mailbox."""
    from_name: str
    recipients: tuple[str, ...]
    """Everybody it was for by any of its headers, in lower case."""
    subject: str
    in_reply_to: tuple[str, ...]
    """Message-IDs of In-Reply-To."""
    references: tuple[str, ...]
    """Message-IDs of In-Reply-To and References, in this order, each once."""
    date_header: str
    """As it came: a claim of the sender's clock."""
    text: str
    """The best plain text, lines ended by `\\n`; `>` marks what HTML tells is somebody else's."""
    excess: Phrase | None
    """What was over the limits, in plain words, and has not been read; usually empty."""
    parts: tuple[str, ...]
    """Type of each of its parts, its own first, as `text/calendar; method=reply`."""


_SHORTENED = re.compile(rb"X-Pbem-Shortened: from (\d{1,15}) bytes\r\n")
"""The first line of an email that we have shortened. Anywhere else the sender wrote it."""


def shortened_to(most: int, raw: bytes, size: int = 0) -> bytes:
    """The beginning of an email, with a header field that says how large the whole is.

    `size` is that of the whole, if `raw` is not all of it.
    """
    size = max(size, _size(raw))
    return f"X-Pbem-Shortened: from {size} bytes\r\n".encode() + raw[:most]


def _size(raw: bytes) -> int:
    """Bytes of an email, also of one of which only the beginning is left."""
    told = _SHORTENED.match(raw)
    return max(len(raw), int(told[1])) if told else len(raw)


def read_message(raw: bytes) -> Message:
    """Message of some bytes, whatever they are."""
    headers, body = split_headers(raw)
    too_large = _size(raw) > MAX_MAIL
    return _of(headers, BodyText("", TOO_LARGE) if too_large else body_text(headers, body))


def read_envelope(raw: bytes) -> Message:
    """What a mail tells before it is opened: the message, without its text."""
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
    """Text without the `[Nowak, Clara]` that Outlook can put before what is typed into a quote."""
    preface = f"[{name}] "
    if not name or preface not in text:
        return text
    return "\n".join(line.removeprefix(preface) for line in text.split("\n"))


class MessageIdentity(NamedTuple):
    """What tells a mail from others."""

    message_id: str
    digest: str
    from_address: str


def identity(raw: bytes) -> MessageIdentity:
    """Identity of a mail, whose text is not read for it."""
    headers, body = split_headers(raw)
    claimed = sender(headers.written("from"))
    return MessageIdentity(_message_id(headers), _digest(headers, body), claimed.address)


def _message_id(headers: Headers) -> str:
    return next(iter(message_ids(headers.first("message-id"))), "")


def digest(raw: bytes) -> str:
    """Hash of From, Date and body.

    Trace headers differ each time a mail is delivered and are left out, and so are line ends and
    blank lines at the end, which servers mend.
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
    """A body with `\\n` for line ends and none at its end, piece by piece: it may be large."""
    ends = b""
    for at in range(0, len(body), _PIECE):
        piece = ends + body[at : at + _PIECE]
        text = piece.rstrip(b"\r\n")
        ends = piece[len(text) :]
        yield text.replace(b"\r\n", b"\n")
    yield ends.replace(b"\r\n", b"\n").rstrip(b"\n")
