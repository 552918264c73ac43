"""Extent: how much of a letter a text quotes, by which one letter of several is told."""

from __future__ import annotations

from pbem.mail.message.charsets import lines_of
from pbem.mail.reply.letters import content_of
from pbem.mail.reply.page import ReplyPage
from pbem.mail.reply.witness import Witness

MOST_LINES = 1000
"""Lines that are looked at, for each letter anew; so many tell which one it is."""


def extent_of(letter: Witness, text: str) -> int:
    """How many characters of a text are a letter's, whatever has become of their form."""
    page = ReplyPage.of(lines_of(text)[:MOST_LINES], "", letter)
    return sum(len(content_of(page.keys[at])) for at in page.ours)
