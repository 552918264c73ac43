"""Delivery status notifications: a server's report in the fields of RFC 3464."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_string
from email.message import Message
from itertools import islice
from typing import NamedTuple

from pbem.mail.bounce.failure import CODE, DeliveryFailure, failure_of
from pbem.mail.message.charsets import decode, transfer_decoded
from pbem.mail.message.headers import addresses, decoded_words


class DsnReport(NamedTuple):
    """A server's report about recipients."""

    failures: tuple[DeliveryFailure, ...]
    """Failures. An address is empty if its fields do not name one."""
    others: bool
    """Whether the email reached another recipient."""


def report_of(message: Message, text: str) -> DsnReport:
    """Return the report in an email, by its fields.

    `text` is the email's text for people. It counts if the fields give no reason and report only
    one recipient.
    """
    blocks = list(_blocks(message))
    failures = [_failure(fields, text if len(blocks) == 1 else "") for fields in blocks]
    return DsnReport(tuple(each for each in failures if each is not None), None in failures)


def refused_by(message: Message) -> str:
    """Return the address whose filter sent an email back, or "".

    The filter does so with a receipt (RFC 5429 section 2.1.3).
    """
    for part in outer_parts(message):
        if part.get_content_type() == "message/disposition-notification":
            fields = next(_of_status(part), None)
            if fields is not None and _UNSEEN.search(_field(fields, "disposition").lower()):
                return next(iter(addresses(_field(fields, name) for name in _NAMING)), "")
    return ""


_UNSEEN = re.compile(r";\s{0,9}(?:deleted|failed|denied|error)")

_STATUS = ("message/delivery-status", "message/global-delivery-status")
_TELLS = ("action", "final-recipient", "status", "original-recipient")


def _blocks(message: Message) -> Iterator[Message]:
    """Yield the fields about each recipient (RFC 3464 section 2.3).

    Some servers put them into a text, or all fields into one block.
    """
    parts = list(outer_parts(message))
    status = [part for part in parts if part.get_content_type() in _STATUS]
    if status:
        found = (block for part in status for block in _of_status(part))
    else:
        found = (block for part in parts for block in _of_text(part))
    yield from (block for block in found if _is_about_recipient(block))


def outer_parts(message: Message) -> Iterator[Message]:
    """Yield the parts of an email, but not those of an attached email."""
    yield message
    if message.get_content_maintype() == "multipart":
        for part in parts_of(message):
            yield from outer_parts(part)


def parts_of(message: Message) -> list[Message]:
    """Return the direct parts of a part, none for a text.

    This does not read the charset of a text, which may be anything.
    """
    payload = message.get_payload() if message.is_multipart() else ()
    return [part for part in payload if isinstance(part, Message)]


def _is_about_recipient(block: Message) -> bool:
    return any(name in block for name in _TELLS)


def _of_status(part: Message) -> Iterator[Message]:
    text = "\n\n".join(map(_as_text, parts_of(part)))
    encoding = str(part.get("content-transfer-encoding", "")).strip().lower()
    if encoding in ("base64", "quoted-printable"):
        text = decode(transfer_decoded(text.encode("utf-8", "replace"), encoding))
    yield from _split(text)


def _as_text(block: Message) -> str:
    """Return fields and the text below them."""
    fields = "\n".join(f"{name}: {value}" for name, value in block.items())
    rest = None if block.is_multipart() else block.get_payload(decode=True)
    return f"{fields}\n\n{decode(rest) if isinstance(rest, bytes) else ''}"


def _of_text(part: Message) -> Iterator[Message]:
    content = None if part.is_multipart() else part.get_payload(decode=True)
    if isinstance(content, bytes) and part.get_content_maintype() in ("text", "application"):
        blocks = _split(content.decode("utf-8", "replace"))
        yield from (block for block in blocks if "final-recipient" in block)


_BLANK_LINES = re.compile(r"\r?\n[ \t]*\r?\n")
MAX_BLOCKS = 200


def _split(text: str) -> Iterator[Message]:
    blocks = (block.lstrip() for block in _BLANK_LINES.split(text))
    for block in islice(filter(None, blocks), MAX_BLOCKS):
        yield message_from_string(block)


# One recipient

_REACHED = ("delivered", "relayed", "expanded", "deliverable", "success", "transferred")
_WAITING = ("delayed", "delay", "deferred", "warning", "queued", "retrying", "transient")


def _failure(fields: Message, text: str) -> DeliveryFailure | None:
    """Return the failure reported by the fields about one recipient, None if there is none.

    Anything not delivered or delayed has failed: servers write `failure`, `expired`, `error`,
    though RFC 3464 section 2.3.3 only knows `failed`.
    """
    action, code = _field(fields, "action").lower(), CODE.search(_field(fields, "status"))
    status = code[1] if code else _number(_field(fields, "status"))
    if action.startswith(_REACHED) or (status.startswith("2") and not action.startswith("fail")):
        return None
    named = (_field(fields, name) for name in _NAMING)
    address = next(iter(addresses(named)), "")
    diagnostic = _field(fields, "diagnostic-code")
    words = diagnostic.partition(";")[2] or diagnostic
    delayed = action.startswith(_WAITING)
    return failure_of(address, status, words, delayed=delayed, otherwise=text)


_NAMING = (
    *("original-recipient", "final-recipient", "x-actual-recipient", "original-rcpt"),
    *("x-original-recipient", "remote-recipient"),
)


def _number(status: str) -> str:
    """Return a status such as `511`, as some servers write it, as a code."""
    found = re.match(r"([245])(\d)(\d)\b", status.strip())
    return ".".join(found.groups()) if found else ""


def _field(fields: Message, name: str) -> str:
    return decoded_words(str(fields.get(name, "")))
