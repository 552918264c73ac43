"""Failure: why an email did not reach a recipient, by status codes (RFC 3463) and words.

One policy covers reports, bounces in words and SMTP replies: an address is given up at once only if
the refusal is about the address, whatever class its code has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from pbem.mail.bounce import refusal_words as words_of

MAX_WORDS = 300
"""Characters kept of a server's text."""
MAX_READ = 1000
"""Characters read of a server's text."""


class Fault(StrEnum):
    """Why an email did not arrive."""

    HARD = "hard"
    """Refused for good."""
    SOFT = "soft"
    """Given up for now, because of a full mailbox, a server problem or a filter."""
    DELAYED = "delayed"
    """Still being tried. Nothing has failed yet."""


class Subject(StrEnum):
    """The cause of a refusal (the second number of RFC 3463 section 3, and words)."""

    ADDRESS = "address"
    """The address does not exist. Only this makes a failure hard."""
    FULL = "full"
    """The mailbox is full, and accepts email again once it is cleared."""
    POLICY = "policy"
    """The content, the way or the sender of the email was rejected."""
    TROUBLE = "trouble"
    """A server or network was out of order."""
    UNKNOWN = "unknown"


class DeliveryFailure(NamedTuple):
    """One recipient not reached by an email."""

    address: str
    fault: Fault
    status: str
    """Status code of RFC 3463, such as `5.1.1`. Empty if there is none."""
    words: str
    """The server's text, on one line."""
    subject: Subject = Subject.UNKNOWN


CODE = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)", re.ASCII)
"""A status code."""


def failure_of(
    address: str, status: str, words: str, *, delayed: bool, otherwise: str = ""
) -> DeliveryFailure:
    """Return a failure from all that is known. A code in the words is better than none.

    `otherwise` is other text, used if the words are unclear.
    """
    said = CODE.search(words)
    if said and (not status or status.endswith(".0.0")):
        status = said[1]
    subject = subject_of(status, words)
    if subject is Subject.UNKNOWN and otherwise:
        subject = subject_of(status, otherwise)
    fault = Fault.HARD if subject is Subject.ADDRESS else Fault.SOFT
    words = one_line(words) or one_line(otherwise)
    return DeliveryFailure(address, Fault.DELAYED if delayed else fault, status, words, subject)


def refusal(recipient: str, reply: str) -> DeliveryFailure:
    """Return the failure that an SMTP server's last reply reports for a recipient."""
    return failure_of(recipient.lower(), "", reply, delayed=False)


def one_line(text: str) -> str:
    """Return the beginning of a text on one line."""
    return " ".join(text.split())[:MAX_WORDS]


# The cause


def subject_of(status: str, words: str) -> Subject:
    """Return the cause of a refusal. Words count more than codes.

    Servers put 5.1.1 before "rejected as spam" and 5.7.1 before "user unknown". If there are words
    of both kinds, the address may be good.
    """
    said = _readable(words)
    return _by_words(said) or _by_codes(status, said)


def _by_words(said: str) -> Subject | None:
    if _any(words_of.NO_ROOM, said) or _beside(words_of.FULL, words_of.MAILBOX, said):
        return Subject.FULL
    if _any(words_of.POLICY, said):
        return Subject.POLICY
    if _any(words_of.TROUBLE, said):
        return Subject.TROUBLE
    if _any(words_of.NOBODY_THERE, said) or _beside(words_of.GONE, words_of.WHO, said):
        return Subject.ADDRESS
    return None


_NOBODY = {"1.1", "1.2", "1.3", "1.6", "1.10", "2.1", "4.4", "7.17", "7.18"}
"""Codes that show, in class 5, that an address is wrong for good.

They mean a missing address, host or mailbox (RFC 3463 section 3, RFC 7505), a missing route, or
another owner (RFC 7293).
"""
_ABOUT = {"2.2": Subject.FULL, "3.4": Subject.POLICY, "1.7": Subject.POLICY, "1.8": Subject.POLICY}
_ABOUT_ALL = {"4": Subject.TROUBLE, "6": Subject.POLICY, "7": Subject.POLICY}


def _by_codes(status: str, said: str) -> Subject:
    """Return the cause by all codes. One for the address counts only if no other contradicts it."""
    codes = [code for code in dict.fromkeys((status, *CODE.findall(said))) if code]
    found = {_by_code(code, said) for code in codes if not code.endswith(".0.0")}
    if _never(said, codes):
        found.add(Subject.ADDRESS)
    spoken = found - {Subject.UNKNOWN}
    against = spoken - {Subject.ADDRESS}
    return min(against or spoken, default=Subject.UNKNOWN)


def _by_code(code: str, said: str) -> Subject:
    class_, _, about = code.partition(".")
    if class_ == "5" and about in _NOBODY:
        return Subject.ADDRESS
    if class_ == "5" and about == "1.0" and _any(words_of.REJECTED_ADDRESS, said):
        return Subject.ADDRESS
    known = _ABOUT.get(about) or _ABOUT_ALL.get(about.partition(".")[0])
    return known or (Subject.TROUBLE if class_ == "4" else Subject.UNKNOWN)


def _never(said: str, codes: list[str]) -> bool:
    """Return whether a reply is permanent: 556 (RFC 7504), or 550 for an unavailable mailbox."""
    if said.startswith("556"):
        return True
    for_good = "550" in said or any(code[0] == "5" for code in codes)
    return for_good and _any(words_of.PERHAPS_GONE, said)


_BEFORE, _AFTER = 70, 45
"""Characters before and after a word in which a second one must be."""


def _beside(some: tuple[str, ...], others: tuple[str, ...], said: str) -> bool:
    """Return whether one of some words is near one of others."""
    around = (said[max(0, at - _BEFORE) : end + _AFTER] for at, end in _places(some, said))
    return any(_any(others, near) for near in around)


def _places(some: tuple[str, ...], said: str) -> Iterator[tuple[int, int]]:
    for word in some:
        at = said.find(word)
        while at >= 0:
            yield at, at + len(word)
            at = said.find(word, at + len(word))


def _any(some: tuple[str, ...], said: str) -> bool:
    return any(word in said for word in some)


def _readable(words: str) -> str:
    """Return a text on one line, without the misleading names of hosts, addresses and links.

    For example, a filter may be at `antispam.example`, and a page of explanations may be
    `spam.html`.
    """
    said = words[:MAX_READ].casefold().split()
    before = ("", *said)
    kept = (_no_name(last, word) for last, word in zip(before, said, strict=False))
    text = " ".join(filter(None, kept))
    for nothing in words_of.NO_REASON:
        text = text.replace(nothing, "")
    return text


_PIECES = re.compile(r"[!-~]+|[^!-~]+")


def _no_name(last: str, word: str) -> str:
    """Return a word, or "" for a name. In scripts without spaces, an address may be part of it."""
    if "@" in word and not word.isascii():
        return " ".join(piece for piece in _PIECES.findall(word) if "@" not in piece)
    return "" if _is_name(last, word) else word


_OF_EXCHANGE = ("resolver.", "storedrv.")
"""Reasons that look like names of hosts."""


def _is_name(last: str, word: str) -> bool:
    if "@" in word or "://" in word or word.startswith("www."):
        return True
    labels = [label for label in word.strip("().,:;'\"<>").split(".") if label]
    if word.startswith(_OF_EXCHANGE):
        return False
    named = len(labels) > 1 and not labels[-1].isdigit()
    return named and (last in ("host", "server") or "[" in word or len(labels) > 2)
