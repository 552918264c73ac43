"""Failure: why a mail has not reached a recipient, told by status codes (RFC 3463) and words."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from pbem.mail.incoming.bounce_words import MAILBOX_FULL

MAX_WORDS = 300
"""Characters kept of what a server said."""


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


CODE = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)", re.ASCII)
"""A status code."""


def failure_of(address: str, status: str, words: str, *, delayed: bool) -> Failure:
    """Failure by what is told of it; a code in the words is better than none."""
    said = CODE.search(words)
    if said and (not status or status.endswith(".0.0")):
        status = said[1]
    fault = Fault.DELAYED if delayed else _fault(status, words)
    return Failure(address, fault, status, one_line(words))


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
    found = CODE.search(reply)
    status = found[1] if found else ""
    if reply[:1] == "5" and (
        "sender" in reply.casefold()
        or status in ("5.1.7", "5.1.8")
        or (status[:4] if status else reply[:3]) not in _ABOUT_RECIPIENTS
    ):
        return None
    fault = _fault(status, reply) if reply[:1] == "5" else Fault.HARD
    return Failure(recipient.lower(), fault, status, one_line(reply))


_ABOUT_RECIPIENTS = ("5.1.", "5.2.", "5.4.", "550", "551", "552", "553", "556")
"""Addressing, mailbox, routing (RFC 3463 section 3); replies to RCPT (RFC 5321 section 4.3.2)."""


def one_line(text: str) -> str:
    """The beginning of what was said, on one line."""
    return " ".join(text.split())[:MAX_WORDS]
