"""Returned mail: which one a bounce brings back, and whom it was for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from html import unescape

from pbem.mail.message.headers import addresses, decoded_words

_ID = r"<[^<>\s]{1,250}>"
_IDS = re.compile(_ID)
_ID_LINE = re.compile(
    rf"^[> \t|]*(?:x-)?(?:original-|returned-)?message[- ]id\s?:\s{{0,9}}({_ID})",
    re.IGNORECASE | re.MULTILINE,
)
_ID_OF_OURS = re.compile(
    r"(?<![\w.+-])\d{1,9}-\d{1,9}-[a-z0-9]{1,16}-[a-z2-7]{16}\.[\w-]{1,64}@[\w.-]{1,200}", re.ASCII
)
"""A Message-ID as the club's mails of a match have it, wherever and without brackets."""
_ID_FIELDS = ("message-id", "original-message-id", "x-original-message-id")
_OWN_FIELDS = (
    *("original-message-id", "x-original-message-id", "x-message-id", "x-failed-message-id"),
    *("x-returned-message-id", "x-ms-exchange-parent-message-id", "subject", "x-autorespond"),
)
"""Fields of the bounce itself that may tell."""


def returned_ids(message: Message) -> tuple[str, ...]:
    """Message-IDs of the mails that a bounce returns, in order; not its own."""
    return tuple(dict.fromkeys(_ids(message)))


def _ids(message: Message) -> Iterator[str]:
    for name in _OWN_FIELDS:
        for value in message.get_all(name, []):
            yield from _IDS.findall(str(value))[:1]
            yield from _ours_in(decoded_words(str(value)))
    for part in message.walk():
        if part is not message:
            for name in _ID_FIELDS:
                yield from _IDS.findall(str(part.get(name, "")))[:1]
        text = unescape(_text_of(part))
        yield from _ID_LINE.findall(text)
        yield from _ours_in(text)


def _ours_in(text: str) -> Iterator[str]:
    for found in _ID_OF_OURS.findall(text):
        yield f"<{found.rstrip('.-')}>"


def _text_of(part: Message) -> str:
    content = None if part.is_multipart() else part.get_payload(decode=True)
    return content.decode("latin-1") if isinstance(content, bytes) else ""


# Whom it was for

_TO_LINE = re.compile(r"^[> \t|]*to:[ \t]{0,9}(\S[^\r\n]{0,300})", re.IGNORECASE | re.MULTILINE)


def returned_to(message: Message) -> str:
    """The one address that a bounce says has failed, or that the returned mail was for."""
    failed = addresses(str(value) for value in message.get_all("x-failed-recipients", []))
    for named in (failed, *_named(message)):
        if len(named) == 1:
            return named[0]
    return ""


def _named(message: Message) -> Iterator[tuple[str, ...]]:
    for part in message.walk():
        if part is not message and "message-id" in part:
            yield addresses(decoded_words(str(value)) for value in part.get_all("to", []))
        text = _text_of(part)
        found = _ID_LINE.search(text)
        if found:
            yield addresses(_TO_LINE.findall(text)[:1])
