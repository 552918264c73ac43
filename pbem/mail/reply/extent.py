"""Extent: how much of an email a text quotes, to find the email that is quoted."""

from __future__ import annotations

from pbem.mail.message.charsets import lines_of
from pbem.mail.reply.letters import content_of
from pbem.mail.reply.page import ReplyPage
from pbem.mail.reply.quoted_letters import QuotedLetters

MOST_LINES = 1000
"""Maximum number of lines compared with each email, enough to identify it."""


def extent_of(letter: QuotedLetters, text: str) -> int:
    """Return the number of characters in a text that quote an email, even in changed form."""
    page = ReplyPage.of(lines_of(text)[:MOST_LINES], "", letter)
    return sum(len(content_of(page.keys[at])) for at in page.ours)
