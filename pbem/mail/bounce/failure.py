"""Failure: why a mail has not reached a recipient, identified by status codes (RFC 3463) and words.

One policy for reports, for bounces in words and for what a server says at delivery: the address is
given up at once only if the refusal is about the address, whatever class its code is of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from pbem.mail.bounce import refusal_words as words_of

MAX_WORDS = 300
"""Characters kept of what a server said."""
MAX_READ = 1000
"""Characters of it that are read."""


class Fault(StrEnum):
    """Why a mail has not arrived."""

    HARD = "hard"
    """It was refused for good."""
    SOFT = "soft"
    """The server gave up for now: a full mailbox, a server away, a filter."""
    DELAYED = "delayed"
    """The server goes on trying; nothing has failed yet."""


class Subject(StrEnum):
    """What a refusal is about (the second number of RFC 3463 section 3, and words)."""

    ADDRESS = "address"
    """Nobody is there, for good: the one subject that makes a failure hard."""
    FULL = "full"
    """The mailbox takes mail again once it is cleared."""
    POLICY = "policy"
    """The content of the mail, how it came, or whom from."""
    TROUBLE = "trouble"
    """A server or a network was out of order."""
    UNKNOWN = "unknown"


class DeliveryFailure(NamedTuple):
    """One recipient that a mail has not reached."""

    address: str
    fault: Fault
    status: str
    """As RFC 3463 has it, such as `5.1.1`; empty if there is none."""
    words: str
    """What the server said, on one line."""
    subject: Subject = Subject.UNKNOWN


CODE = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)", re.ASCII)
"""A status code."""


def failure_of(
    address: str, status: str, words: str, *, delayed: bool, otherwise: str = ""
) -> DeliveryFailure:
    """Failure by what is known of it; a code in the words is better than none.

    `otherwise` is what else was said, which counts where the words tell nothing.
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
    """What the last reply of an SMTP server says of a recipient."""
    return failure_of(recipient.lower(), "", reply, delayed=False)


def one_line(text: str) -> str:
    """The beginning of what was said, on one line."""
    return " ".join(text.split())[:MAX_WORDS]


# What it is about


def subject_of(status: str, words: str) -> Subject:
    """What a refusal is about: its words tell more than its codes.

    Servers put 5.1.1 before "rejected as spam" and 5.7.1 before "user unknown"; where words of both
    kinds stand together, the address may be good.
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
"""Address, host or mailbox that is not there (RFC 3463 section 3, RFC 7505), no route to it,
another owner (RFC 7293); all others, and those of class 4, say nothing for good."""
_ABOUT = {"2.2": Subject.FULL, "3.4": Subject.POLICY, "1.7": Subject.POLICY, "1.8": Subject.POLICY}
_ABOUT_ALL = {"4": Subject.TROUBLE, "6": Subject.POLICY, "7": Subject.POLICY}


def _by_codes(status: str, said: str) -> Subject:
    """By all codes given; one that speaks for the address counts if none speaks against."""
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
    """Replies whose number says it for good: 556 (RFC 7504), and 550 to a mailbox unavailable."""
    if said.startswith("556"):
        return True
    for_good = "550" in said or any(code[0] == "5" for code in codes)
    return for_good and _any(words_of.PERHAPS_GONE, said)


_BEFORE, _AFTER = 70, 45
"""Characters around a word in which another one belongs to it."""


def _beside(some: tuple[str, ...], others: tuple[str, ...], said: str) -> bool:
    """Whether one of some words stands near one of others."""
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
    """What was said on one line, without names of hosts, addresses and links, which say anything.

    A filter may live at `antispam.example`, and a page that explains may be called `spam.html`.
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
    """A word, nothing if it is a name; in scripts without spaces an address stands inside one."""
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
