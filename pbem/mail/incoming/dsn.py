"""Delivery status notifications: what a server reports by the fields of RFC 3464."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message

from pbem.mail.incoming.failure import CODE, Failure, failure_of
from pbem.mail.incoming.headers import decoded_words
from pbem.mail.incoming.mailboxes import addresses


def reports(message: Message) -> Iterator[Message]:
    """Fields about each recipient (RFC 3464 section 2.3)."""
    for part in message.walk():
        blocks = part.get_payload() if part.get_content_type() == _STATUS else ()
        if isinstance(blocks, list):
            yield from (block for block in blocks if isinstance(block, Message))


_STATUS = "message/delivery-status"


def failures_in(fields: Message) -> Iterator[Failure]:
    """The failure that the fields about one recipient tell of, if they do."""
    action = _field(fields, "action").lower()
    if action.startswith(("failed", "delayed", "error")):  # the last one is OpenSMTPD's
        status = CODE.search(_field(fields, "status"))
        words = _field(fields, "diagnostic-code").partition(";")[2]
        told = _field(fields, "original-recipient"), _field(fields, "final-recipient")
        for address in addresses(told)[:1]:
            delayed = action.startswith("delayed")
            yield failure_of(address, status[1] if status else "", words, delayed=delayed)


def _field(fields: Message, name: str) -> str:
    return decoded_words(str(fields.get(name, "")))
