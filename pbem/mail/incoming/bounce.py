"""Bounces: which recipients a mail did not reach, whether for good, and which mail that was.

Delivery status notifications are read by their fields (RFC 3464); what other forms there are, by
flufl.bounce, which knows many of them but not whether an address is wrong or its mailbox just full.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from flufl.bounce import all_failures

from pbem.mail.incoming.bounce_words import MAILBOX_FULL, NOT_DELIVERED, STILL_TRYING
from pbem.mail.incoming.headers import decoded_words
from pbem.mail.incoming.limits import MAX_PARTS
from pbem.mail.incoming.mailboxes import addresses
from pbem.mail.incoming.message import read_message

MAX_READ = 128 * 1024
"""Bytes of a bounce that are read: what has failed stands before the mail that is returned."""
MAX_NESTED = 20
"""Parts in it that may hold other parts; no more are read, so that nothing nests deeper."""
MAX_LINES = 1000
"""Lines in which the heuristics look; they try a hundred patterns on each."""
MAX_RECIPIENTS = 100
MAX_WORDS = 300
"""Characters kept of what a server said."""

logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())  # it logs what it cannot read


class Fault(StrEnum):
    """Why a mail has not arrived."""

    HARD = "hard"
    """It was refused for good."""
    SOFT = "soft"
    """The server gave up for now: a full mailbox, a server away."""
    DELAYED = "delayed"
    """The server goes on trying; nothing has failed yet."""


class Failure(NamedTuple):
    """One recipient that a mail has not reached."""

    address: str
    fault: Fault
    status: str
    """As RFC 3463 has it, such as `5.1.1`; empty if none is told."""
    words: str
    """What the server said, on one line."""


@dataclass(frozen=True)
class Bounce:
    """What a bounce says."""

    recipients: tuple[Failure, ...]
    """Whom the mail has not reached, yet or for good."""
    message_ids: tuple[str, ...]
    """Of the mails it returns."""
    reported: bool = False
    """Whether it holds a delivery status notification, so that nothing is left to guess."""
    unnamed: bool = False
    """Whether it says that a mail was not delivered, but not to whom."""
    words: str = ""
    """What it says to people, on one line."""

    @property
    def failed(self) -> tuple[Failure, ...]:
        """Recipients on whom the server has given up."""
        return tuple(each for each in self.recipients if each.fault is not Fault.DELAYED)


def read_bounce(raw: bytes) -> Bounce:
    """Bounce of some bytes, whatever they are."""
    raw = _bounded(raw)
    message, read = message_from_bytes(raw), read_message(raw)
    reports = list(_reports(message))
    recipients = [failure for fields in reports for failure in _of_report(fields)]
    if not reports:
        recipients = _by_heuristics(raw, read.text) or _by_words(read.subject, read.text)
    return Bounce(
        recipients=tuple({each.address: each for each in recipients[:MAX_RECIPIENTS]}.values()),
        message_ids=tuple(dict.fromkeys(_returned_ids(message))),
        reported=bool(reports),
        unnamed=not reports and not recipients and _says_undelivered(read.subject, read.text),
        words=_one_line(read.text),
    )


_HOLDS_PARTS = re.compile(rb"multipart/|message/", re.IGNORECASE)
_BEGINS_PART = re.compile(rb"^--", re.MULTILINE)
_LINE = re.compile(rb"^", re.MULTILINE)


def _bounded(raw: bytes) -> bytes:
    """The beginning of a mail, without parts nested deep: the parser would recurse."""
    return _up_to(_up_to(raw[:MAX_READ], _HOLDS_PARTS, MAX_NESTED), _BEGINS_PART, MAX_PARTS)


def _up_to(raw: bytes, sign: re.Pattern[bytes], most: int) -> bytes:
    """What stands before a sign comes once more than it may."""
    over = next(islice(sign.finditer(raw), most, None), None)
    return raw[: over.start()] if over else raw


# By the fields of RFC 3464


def _reports(message: Message) -> Iterator[Message]:
    """Fields about each recipient (RFC 3464 section 2.3)."""
    for part in message.walk():
        blocks = part.get_payload() if part.get_content_type() == _STATUS else ()
        if isinstance(blocks, list):
            yield from (block for block in blocks if isinstance(block, Message))


_STATUS = "message/delivery-status"
_CODE = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)", re.ASCII)


def _of_report(fields: Message) -> Iterator[Failure]:
    action = _field(fields, "action").lower()
    if action.startswith(("failed", "delayed", "error")):  # the last one is OpenSMTPD's
        status = _CODE.search(_field(fields, "status"))
        words = _field(fields, "diagnostic-code").partition(";")[2]
        told = _field(fields, "original-recipient"), _field(fields, "final-recipient")
        for address in addresses(told)[:1]:
            delayed = action.startswith("delayed")
            yield _failure(address, status[1] if status else "", words, delayed=delayed)


def _field(fields: Message, name: str) -> str:
    return decoded_words(str(fields.get(name, "")))


def _failure(address: str, status: str, words: str, *, delayed: bool) -> Failure:
    said = _CODE.search(words)
    if said and (not status or status.endswith(".0.0")):
        status = said[1]
    fault = Fault.DELAYED if delayed else _fault(status, words)
    return Failure(address, fault, status, _one_line(words))


def _fault(status: str, words: str) -> Fault:
    """Hard or soft; X.2.2 is a full mailbox, whatever class it is given (RFC 3463 section 3.3)."""
    if status and not status.endswith(".0.0"):
        return Fault.SOFT if status[0] != "5" or status == "5.2.2" else Fault.HARD
    full = any(sign in words.casefold() for sign in MAILBOX_FULL)
    return Fault.SOFT if full or status[:1] == "4" else Fault.HARD


def refusal(recipient: str, reply: str) -> Failure | None:
    """What the last reply of an SMTP server says of a recipient; None if it is about the mail.

    A refusal of our address or of the content must not count against that of a player.
    """
    found = _CODE.search(reply)
    status = found[1] if found else ""
    if reply[:1] == "5" and (
        "sender" in reply.casefold()
        or status in ("5.1.7", "5.1.8")
        or (status[:4] if status else reply[:3]) not in _ABOUT_RECIPIENTS
    ):
        return None
    fault = _fault(status, reply) if reply[:1] == "5" else Fault.HARD
    return Failure(recipient.casefold(), fault, status, _one_line(reply))


_ABOUT_RECIPIENTS = ("5.1.", "5.2.", "5.4.", "550", "551", "552", "553", "556")
"""Addressing, mailbox, routing (RFC 3463 section 3); replies to RCPT (RFC 5321 section 4.3.2)."""


# By what other forms have in common


def _by_heuristics(raw: bytes, text: str) -> list[Failure]:
    """What flufl.bounce finds; what it calls permanent may be a full mailbox all the same."""
    # It expects headers to be ASCII, and so are the addresses it can find.
    message = message_from_bytes(_up_to(raw, _LINE, MAX_LINES).translate(_ASCII))
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # noqa: BLE001  whatever a stranger's mail does to a heuristic
        return []
    found = [(each, True) for each in sorted(temporary)]
    waits = _says(STILL_TRYING, _said_of("", text))
    found += [(each, waits) for each in sorted(permanent - temporary)]
    return [
        _failure(address, "", _said_of(address, text), delayed=delayed)
        for each, delayed in found
        for address in addresses([each.decode("ascii", "replace")])
    ]


_ASCII = bytes(range(128)) + b"?" * 128
_COPY = re.compile(r"^--.{0,80}?(?:copy|original|below|returned)", re.IGNORECASE | re.MULTILINE)


def _said_of(address: str, text: str) -> str:
    """What stands in a text from an address on, up to the copy of the mail."""
    at = max(text.casefold().find(address), 0)
    copy = _COPY.search(text, at)
    return text[at : copy.start() if copy else len(text)][: MAX_WORDS * 2]


def _by_words(subject: str, text: str) -> list[Failure]:
    """The one address that a text names which says that something was not delivered."""
    named = addresses([_said_of("", text)])
    if len(named) != 1 or not _says_undelivered(subject, text):
        return []
    delayed = _says(STILL_TRYING, text)
    return [_failure(named[0], "", text[: MAX_WORDS * 2], delayed=delayed)]


def _says_undelivered(subject: str, text: str) -> bool:
    return _says(NOT_DELIVERED, f"{subject} {text}")


def _says(any_of: tuple[str, ...], text: str) -> bool:
    told = " ".join(text.casefold().split())
    return any(words in told for words in any_of)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:MAX_WORDS]


# Which mail it was


_ID_LINE = re.compile(
    r"^[> \t]*(?:x-)?(?:original-)?message-id:\s{0,9}(<[^<>\s]{1,250}>)",
    re.IGNORECASE | re.MULTILINE,
)
_ID_FIELDS = ("message-id", "original-message-id", "x-original-message-id")


def _returned_ids(message: Message) -> Iterator[str]:
    """Message-IDs in the fields of parts and in texts that hold headers; not the bounce's own."""
    for part in message.walk():
        if part is not message:
            for name in _ID_FIELDS:
                yield from re.findall(r"<[^<>\s]{1,250}>", str(part.get(name, "")))[:1]
        content = None if part.is_multipart() else part.get_payload(decode=True)
        if isinstance(content, bytes):
            yield from _ID_LINE.findall(content.decode("latin-1"))
