"""Promises that reading keeps for any email, however broken or hostile."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields

from pbem.games import games
from pbem.games.api import ActionError
from pbem.games.phrases import Phrase
from pbem.inbox.requests import read_requests
from pbem.mail.addresses.addressing import tokens_in, without_secrets
from pbem.mail.bounce.bounce import read_bounce
from pbem.mail.message import size_limits
from pbem.mail.message.message import Message, digest, read_message
from pbem.mail.outgoing.kinds.refusals import RefusedError
from pbem.mail.reply.reply_text import fresh_text
from pbem.mail.screening.absence import is_absence
from pbem.mail.screening.screening import Verdict, screen

CLUB = "club@games.example"
JOINERS = "\u200c\u200d"
NUMBER_SIGNS = (
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Signs of format that can be seen."""


def check(raw: bytes) -> None:
    """Read an email with every reader, and check what each promises."""
    message = read_message(raw)
    check_texts(message)
    check_sizes(message)
    check_screening(message)
    check_fresh(message)
    assert len(digest(raw)) == 64
    tokens_in(message, (CLUB,))
    is_absence(message)
    check_bounce(raw)


def texts_of(message: Message) -> Iterator[str]:
    """Return every text in a message."""
    for pair in message.headers.fields:
        yield from pair
    for field in fields(message):
        value = getattr(message, field.name)
        yield from [value] if isinstance(value, str) else []
        yield from value if isinstance(value, tuple) and not isinstance(value, Phrase) else []


def check_texts(message: Message) -> None:
    """Check that no text controls a terminal, reverses characters or breaks an encoding."""
    for text in texts_of(message):
        assert_harmless(text, lines=text is message.text)


def check_bounce(raw: bytes) -> None:
    """Check a bounce, whose words are emailed to the director."""
    bounce = read_bounce(raw)
    assert_harmless(bounce.words)
    for failure in bounce.recipients:
        assert_harmless(failure.address + failure.status + failure.words)


def assert_harmless(text: str, *, lines: bool = False) -> None:
    """Check that a text can't control, hide or reorder anything."""
    text.encode("utf-8")
    for sign in set(text) - set(JOINERS + NUMBER_SIGNS) - set("\n\t" if lines else ""):
        assert unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp"), ascii(sign)


def check_sizes(message: Message) -> None:
    """Check that everything passed on has a limited size."""
    assert len(message.subject) <= size_limits.MAX_SUBJECT
    assert len(message.from_name) <= size_limits.MAX_SUBJECT
    assert len(message.message_id) <= size_limits.MAX_ID
    assert len(message.references) <= 2 * size_limits.MAX_IDS
    assert message.text.count("\n") < size_limits.MAX_LINES
    assert all(len(line) <= size_limits.MAX_LINE for line in message.text.split("\n"))


def check_screening(message: Message) -> None:
    """Check that an email from a machine or nobody is never answered."""
    verdict = screen(message, (CLUB,)).verdict
    submitted = message.headers.first("auto-submitted").lower()
    if submitted and not submitted.startswith("no"):
        assert verdict is not Verdict.ANSWER
    if not message.from_address or message.from_address == CLUB:
        assert verdict is not Verdict.ANSWER


def check_fresh(message: Message) -> None:
    """Check that each line is fresh or left out, no quoted line is fresh, and all of it parses."""
    found = fresh_text(message.text)
    assert said(found.fresh) + said(found.quoted) == said(message.text)
    again = "\n".join(f"> {line}" for line in found.fresh.split("\n"))
    assert fresh_text(again).fresh == ""
    for game in (None, *games()):
        try:
            requests = read_requests(found.fresh, game)
        except (ActionError, RefusedError):
            continue
        assert len(requests.items) <= size_limits.MAX_REQUESTS
        assert said("\n".join(requests.note)) <= said(without_secrets(found.fresh))


def said(text: str) -> Counter[str]:
    """Return the lines that are not blank, without blanks at their ends."""
    return Counter(line.rstrip() for line in text.split("\n") if line.strip())
