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
from itertools import islice

from flufl.bounce import all_failures

from pbem.mail.incoming.bounce_words import NOT_DELIVERED, STILL_TRYING
from pbem.mail.incoming.dsn import failures_in, reports
from pbem.mail.incoming.failure import MAX_WORDS, Failure, Fault, failure_of, one_line
from pbem.mail.incoming.limits import MAX_PARTS
from pbem.mail.incoming.mailboxes import addresses
from pbem.mail.incoming.message import read_message

MAX_READ = 128 * 1024
"""Bytes of a bounce that are read: what has failed stands before the mail that is returned."""
MAX_NESTED = 20
"""Parts in it that may hold other parts; no more are read, so that nothing nests deeper."""
MAX_LINES = 1000
"""Lines in which the heuristics look; they try a hundred patterns on each."""
MAX_BLANK = 2000
"""Blank lines; each may end a block of fields, which is a message of its own to the parser."""
MAX_RECIPIENTS = 100

logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())  # it logs what it cannot read


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
    found = list(reports(message))
    recipients = [failure for fields in found for failure in failures_in(fields)]
    if not found:
        recipients = _by_heuristics(raw, read.text) or _by_words(read.subject, read.text)
    return Bounce(
        recipients=tuple({each.address: each for each in recipients[:MAX_RECIPIENTS]}.values()),
        message_ids=tuple(dict.fromkeys(_returned_ids(message))),
        reported=bool(found),
        unnamed=not found and not recipients and _says_undelivered(read.subject, read.text),
        words=one_line(read.text),
    )


_HOLDS_PARTS = re.compile(rb"multipart/|message/", re.IGNORECASE)
_BEGINS_PART = re.compile(rb"^--", re.MULTILINE)
_BLANK = re.compile(rb"(?:\r\n|\r(?!\n)|\n)(?=[\r\n])")
_MOST = ((_HOLDS_PARTS, MAX_NESTED), (_BEGINS_PART, MAX_PARTS), (_BLANK, MAX_BLANK))
_LINE = re.compile(rb"^", re.MULTILINE)


def _bounded(raw: bytes) -> bytes:
    """The beginning of a mail, without parts nested deep: the parser would recurse."""
    raw = raw[:MAX_READ]
    for sign, most in _MOST:
        raw = _up_to(raw, sign, most)
    return raw


def _up_to(raw: bytes, sign: re.Pattern[bytes], most: int) -> bytes:
    """What stands before a sign comes once more than it may."""
    over = next(islice(sign.finditer(raw), most, None), None)
    return raw[: over.start()] if over else raw


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
        failure_of(address, "", _said_of(address, text), delayed=delayed)
        for each, delayed in found
        for address in addresses([each.decode("ascii", "replace")])
    ]


_ASCII = bytes(range(128)) + b"?" * 128
_COPY = re.compile(r"^--.{0,80}?(?:copy|original|below|returned)", re.IGNORECASE | re.MULTILINE)


def _said_of(address: str, text: str) -> str:
    """What stands in a text from an address on, up to the copy of the mail."""
    at = max(text.lower().find(address), 0)
    copy = _COPY.search(text, at)
    return text[at : copy.start() if copy else len(text)][: MAX_WORDS * 2]


def _by_words(subject: str, text: str) -> list[Failure]:
    """The one address that a text names which says that something was not delivered."""
    named = addresses([_said_of("", text)])
    if len(named) != 1 or not _says_undelivered(subject, text):
        return []
    delayed = _says(STILL_TRYING, text)
    return [failure_of(named[0], "", text[: MAX_WORDS * 2], delayed=delayed)]


def _says_undelivered(subject: str, text: str) -> bool:
    return _says(NOT_DELIVERED, f"{subject} {text}")


def _says(any_of: tuple[str, ...], text: str) -> bool:
    told = " ".join(text.casefold().split())
    return any(words in told for words in any_of)


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
