"""Subject: find signs of machines and people in an email's subject.

Words of machines are certain only as a label, `Automatic reply: ...` or `[auto] ...`. At the start
of a sentence they count unless something shows a person, and inside one they never count: "Sorry
for the automatic reply" is a person's.
"""

from __future__ import annotations

import re

from pbem.mail.bounce.bounce_words import says_undelivered
from pbem.mail.message.message import Message
from pbem.mail.reply.reply_text import fresh_text
from pbem.mail.screening import person_words, subject_words

_REPLY = re.compile(r"(\w{1,8})(?:\[\d{1,3}\])?\s{0,3}[:：]")
_OURS = re.compile(r"\[[^\[\]]{1,60} \d{1,9}\]")
"""Start of the subject of a match's emails."""


def is_reply(message: Message) -> bool:
    """Return whether the subject has a client's prefix for an answer or a forwarded email."""
    found = _REPLY.match(message.subject.casefold())
    return found is not None and found[1] in person_words.REPLY_PREFIXES


def answers_us(message: Message) -> bool:
    """Return whether an email looks like a client's answer to one of our emails."""
    return is_reply(message) and _OURS.search(message.subject) is not None


def has_in_subject(message: Message, any_of: tuple[str, ...]) -> bool:
    """Return whether the subject contains one of several phrases."""
    subject = _subject(message)
    return any(words in subject for words in any_of)


def labelled(message: Message, any_of: tuple[str, ...]) -> bool:
    """Return whether a phrase is a part set off by a colon, brackets or a dash."""
    return not is_reply(message) and any(part in any_of for part in _parts(message))


def begins(message: Message, any_of: tuple[str, ...]) -> bool:
    """Return whether a phrase starts or labels the subject, with no sign of a person."""
    if is_reply(message):
        return False
    opened = _subject(message).lstrip(_FRAME).startswith(any_of)
    return labelled(message, any_of) or (opened and not is_spoken(message))


def announces(message: Message, any_of: tuple[str, ...]) -> bool:
    """Return the same, unless someone speaks for themself in the text, as only people do."""
    return begins(message, any_of) and not speaks_in_text(message)


def tells_of_failure(message: Message) -> bool:
    """Return whether the subject says that an email was not delivered.

    If it does not start with that, the text must say so too.
    """
    if announces(message, subject_words.UNDELIVERED):
        return True
    undelivered = has_in_subject(message, subject_words.UNDELIVERED)
    person = is_reply(message) or is_spoken(message) or speaks_in_text(message)
    return undelivered and not person and says_undelivered("", message.text[:_READ])


def repeats_ours(message: Message) -> bool:
    """Return whether the subject contains that of a match's email, or the text has nothing new."""
    return _OURS.search(message.subject) is not None or not fresh_text(message.text).fresh


def tells_of_absence(message: Message) -> bool:
    """Return whether a mailbox's responder says that its owner is away."""
    if begins(message, subject_words.AUTO_REPLIES):
        return True
    if is_reply(message) or is_spoken(message):
        return False
    return any(_is_away(message, part) for part in _parts(message))


def is_spoken(message: Message) -> bool:
    """Return whether a person wrote the subject, or typed the email in a client.

    Only the words before one of our subjects count, since we wrote the rest.
    """
    if _typed(message):
        return True
    subject = _subject(message)
    ours = _OURS.search(subject)
    said = subject[: ours.start()] if ours and ours.start() else subject
    asked = said.rstrip().endswith(("?", "？")) or "? " in said
    formerly = any(words in said for words in person_words.FORMERLY)
    words = set(_WORD.findall(_without(person_words.I_AM, said)))
    speaks = person_words.SPEAKS | person_words.FIRST_PERSON
    return asked or formerly or not speaks.isdisjoint(words)


def speaks_in_text(message: Message) -> bool:
    """Return whether someone speaks for themself in the fresh text."""
    new = fresh_text(message.text[:_READ]).fresh.casefold()
    return not person_words.FIRST_PERSON.isdisjoint(_WORD.findall(new))


_READ = 1000
"""Characters of a text in which a person says "I" at least once."""


_WORD = re.compile(r"[^\W\d_]{1,30}")
_FRAME = "*[](){}<>!#=-_ \"'"
_BETWEEN = re.compile(r"[:：\[\]()（）{}|»*]| [-–—] ")
_CLIENTS = ("iphone mail", "ipad mail", "apple mail", "k-9 mail")


def _subject(message: Message) -> str:
    return " ".join(message.subject.casefold().replace("’", "'").split())


def _parts(message: Message) -> list[str]:
    """Return the parts set off by colons, brackets and dashes."""
    return [part.strip(_FRAME) for part in _BETWEEN.split(_subject(message))]


def _typed(message: Message) -> bool:
    """Return whether a program for people sent it. Mail servers also set X-Mailer."""
    mailer = message.headers.first("x-mailer").lower()
    return "user-agent" in message.headers or mailer.startswith(_CLIENTS)


def _is_away(message: Message, part: str) -> bool:
    """Return whether a part says "I am out of the office", or "Anna Berg is out of the office"."""
    if _names_sender(message, part):
        return any(words in part for words in (*subject_words.AWAY, *subject_words.IS_AWAY))
    return _without(person_words.I_AM, part).startswith(subject_words.AWAY)


def _names_sender(message: Message, part: str) -> bool:
    """Return whether a part starts with the sender's own name."""
    named = f"{message.from_name} {message.from_address.partition('@')[0]}".casefold()
    first = _WORD.match(part)
    return first is not None and first[0] in _WORD.findall(named)


def _without(beginnings: tuple[str, ...], text: str) -> str:
    return next((text.removeprefix(each) for each in beginnings if text.startswith(each)), text)
