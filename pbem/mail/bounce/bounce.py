"""Bounces: which recipients an email did not reach, whether for good, and which email it was.

Delivery status notifications are read by their fields (RFC 3464). For other forms there is
flufl.bounce, which knows many of them, but not whether an address is wrong or its mailbox just
full.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from html import unescape
from itertools import islice

from flufl.bounce import all_failures

from pbem.mail.bounce.bounce_words import STILL_TRYING, says, says_undelivered
from pbem.mail.bounce.dsn import refused_by, report_of
from pbem.mail.bounce.failure import (
    MAX_WORDS,
    DeliveryFailure,
    Fault,
    Subject,
    failure_of,
    one_line,
    subject_of,
)
from pbem.mail.message.headers import addresses, decoded_words
from pbem.mail.message.message import read_message
from pbem.mail.message.size_limits import MAX_PARTS

MAX_READ = 128 * 1024
"""Bytes read of a bounce. The report is before the returned email."""
MAX_NESTED = 20
"""Maximum number of parts that may contain other parts. Reading stops there, to limit nesting."""
MAX_LINES = 1000
"""Maximum number of lines for the heuristics, which try a hundred patterns on each."""
MAX_BLANK = 2000
"""Maximum number of blank lines. Each may end a block of fields, which the parser takes for a
message.
"""
MAX_RECIPIENTS = 100

logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())  # it logs what it cannot read


@dataclass(frozen=True)
class Bounce:
    """The information in a bounce."""

    recipients: tuple[DeliveryFailure, ...]
    """Recipients not reached, yet or for good. An address is empty if none is named."""
    message_ids: tuple[str, ...]
    """Message-IDs of the returned emails."""
    reported: bool = False
    """Whether fields report the recipients, so that nothing must be guessed."""
    waits: bool = False
    """Whether it says that delivery is only delayed."""
    unnamed: bool = False
    """Whether it says that an email was not delivered, but not to which address."""
    words: str = ""
    """Text of the bounce on one line."""

    @property
    def failed(self) -> tuple[DeliveryFailure, ...]:
        """Recipients for whom the server has given up."""
        return tuple(each for each in self.recipients if each.fault is not Fault.DELAYED)

    @property
    def tells(self) -> bool:
        """Whether it says what happened to an email: failed, arrived, or still on its way."""
        return bool(self.recipients) or self.reported or self.waits or self.unnamed


def read_bounce(raw: bytes) -> Bounce:
    """Read a bounce, whatever its bytes are."""
    raw = _bounded(raw)
    message, read = message_from_bytes(raw), read_message(raw)
    report = report_of(message, _said_of("", read.text))
    recipients = list(report.failures)
    reported = bool(recipients) or report.others
    if not reported:
        recipients = _by_receipt(message, read.text) or _by_heuristics(raw, read.text)
    undelivered = _says_undelivered(read.subject, read.text)
    waits = says(STILL_TRYING, f"{read.subject} {_said_of('', read.text)}")
    if not reported and not recipients and undelivered:
        recipients = _by_words(message, read.text, delayed=waits)
    recipients = [_named(each, message) for each in recipients[:MAX_RECIPIENTS]]
    return Bounce(
        recipients=tuple({each.address: each for each in recipients}.values()),
        message_ids=returned_ids(message),
        reported=reported,
        waits=waits and not reported,
        unnamed=not reported and not recipients and undelivered and not waits,
        words=one_line(read.text),
    )


def _says_undelivered(subject: str, text: str) -> bool:
    """Return whether a text says that an email was not delivered, or why."""
    said = subject_of("", _said_of("", text))
    return said in (Subject.ADDRESS, Subject.FULL) or says_undelivered(subject, text)


def _named(failure: DeliveryFailure, message: Message) -> DeliveryFailure:
    """Return a failure with the recipient of the returned email if it has no address."""
    return failure if failure.address else failure._replace(address=returned_to(message))


_HOLDS_PARTS = re.compile(rb"multipart/|message/", re.IGNORECASE)
_BEGINS_PART = re.compile(rb"^--", re.MULTILINE)
_BLANK = re.compile(rb"(?:\r\n|\r(?!\n)|\n)(?=[\r\n])")
_MOST = ((_HOLDS_PARTS, MAX_NESTED), (_BEGINS_PART, MAX_PARTS), (_BLANK, MAX_BLANK))
_LINE = re.compile(rb"^", re.MULTILINE)


def _bounded(raw: bytes) -> bytes:
    """Return the beginning of an email without deeply nested parts, since the parser recurses."""
    raw = raw[:MAX_READ]
    for pattern, most in _MOST:
        raw = _up_to(raw, pattern, most)
    return raw


def _up_to(raw: bytes, pattern: re.Pattern[bytes], most: int) -> bytes:
    """Return the bytes before the first match too many."""
    over = next(islice(pattern.finditer(raw), most, None), None)
    return raw[: over.start()] if over else raw


def _by_receipt(message: Message, text: str) -> list[DeliveryFailure]:
    """Return the recipient in a receipt of Sieve's reject.

    The user wrote its text, so no code shows that the address is gone.
    """
    address = refused_by(message)
    return [failure_of(address, "", _said_of("", text), delayed=False)] if address else []


# Other forms, by common features


def _by_heuristics(raw: bytes, text: str) -> list[DeliveryFailure]:
    """Return flufl.bounce's findings. Its permanent failures may just be full mailboxes."""
    # It expects ASCII headers, and can only find ASCII addresses.
    message = message_from_bytes(_up_to(raw, _LINE, MAX_LINES).translate(_ASCII))
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # noqa: BLE001  a stranger's email may break the heuristics in any way
        return []
    waits = says(STILL_TRYING, _said_of("", text))
    found = [(each, True) for each in sorted(temporary)]
    found += [(each, waits) for each in sorted(permanent - temporary)]
    alone = len(found) == 1
    return [
        _failure(address, text, alone=alone, delayed=delayed)
        for each, delayed in found
        for address in addresses([each.decode("ascii", "replace")])
    ]


_ASCII = bytes(range(128)) + b"?" * 128
_COPY = re.compile(r"^--.{0,80}?(?:copy|original|below|returned)", re.IGNORECASE | re.MULTILINE)


def _said_of(address: str, text: str) -> str:
    """Return a text from an address on, up to the copy of the email."""
    at = max(text.lower().find(address), 0)
    copy = _COPY.search(text, at)
    return text[at : copy.start() if copy else len(text)][: MAX_WORDS * 2]


def _failure(address: str, text: str, *, alone: bool, delayed: bool) -> DeliveryFailure:
    """Return a failure by the text below an address, or by all of it if the address is alone.

    Text above it may say that the mailbox is full, with only a code below.
    """
    below, all_ = _said_of(address, text), _said_of("", text) if alone else ""
    if subject_of("", all_) is Subject.FULL:
        below = all_
    return failure_of(address, "", below, delayed=delayed, otherwise=all_)


def _by_words(message: Message, text: str, *, delayed: bool) -> list[DeliveryFailure]:
    """Return the single address named in a text about a failed delivery."""
    named = addresses([_WITHOUT_SPACES.sub(" ", _said_of("", text))])
    address = returned_to(message) or (named[0] if len(named) == 1 else "")
    return [_failure(address, text, alone=True, delayed=delayed)] if address else []


_WITHOUT_SPACES = re.compile("[\u2e80-\ud7af\uff00-\uffef]")
"""Scripts that need no spaces around an address."""


_ID = r"<[^<>\s]{1,250}>"
_IDS = re.compile(_ID)
_ID_LINE = re.compile(
    rf"^[> \t|]*(?:x-)?(?:original-|returned-)?message[- ]id\s?:\s{{0,9}}({_ID})",
    re.IGNORECASE | re.MULTILINE,
)
_ID_OF_OURS = re.compile(
    r"(?<![\w.+-])\d{1,9}-\d{1,9}-[a-z0-9]{1,16}-[a-z2-7]{16}\.[\w-]{1,64}@[\w.-]{1,200}", re.ASCII
)
"""A Message-ID of the club's match emails, found anywhere and without brackets."""
_ID_FIELDS = ("message-id", "original-message-id", "x-original-message-id")
_OWN_FIELDS = (
    *("original-message-id", "x-original-message-id", "x-message-id", "x-failed-message-id"),
    *("x-returned-message-id", "x-ms-exchange-parent-message-id", "subject", "x-autorespond"),
)
"""Fields of the bounce itself that may name the email."""


def returned_ids(message: Message) -> tuple[str, ...]:
    """Return the Message-IDs of the emails that a bounce returns, in order, without its own."""
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


# The recipient

_TO_LINE = re.compile(r"^[> \t|]*to:[ \t]{0,9}(\S[^\r\n]{0,300})", re.IGNORECASE | re.MULTILINE)


def returned_to(message: Message) -> str:
    """Return the single address that failed, or to which the returned email was sent."""
    failed = addresses(str(value) for value in message.get_all("x-failed-recipients", []))
    for named in (failed, *_named_in_parts(message)):
        if len(named) == 1:
            return named[0]
    return ""


def _named_in_parts(message: Message) -> Iterator[tuple[str, ...]]:
    for part in message.walk():
        if part is not message and "message-id" in part:
            yield addresses(decoded_words(str(value)) for value in part.get_all("to", []))
        text = _text_of(part)
        found = _ID_LINE.search(text)
        if found:
            yield addresses(_TO_LINE.findall(text)[:1])
