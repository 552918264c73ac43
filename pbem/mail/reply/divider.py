"""Divider: a line between a text and the mail below it."""

from __future__ import annotations

import re

from pbem.mail.reply.client_words import DIVIDERS, FORWARDS, MESSAGES
from pbem.mail.reply.evidence import WORD, Evidence
from pbem.mail.reply.page import closes, framed

_LONGEST = 400
_FEW = 9
"""Words that a divider has."""


def is_divider(key: str) -> bool:
    """Whether a line divides a text from the mail below, like `-----Original Message-----`."""
    if closes(key) or (key.endswith(":") and key.startswith(FORWARDS)):
        return True
    words = framed(key)
    if not words:
        return _names_original(key)
    if words.startswith(("begin pgp", "end pgp")) or "[" in words:
        return False
    found = Evidence.of(words)
    return (
        words.startswith("pbem")
        or any(word in words for word in DIVIDERS)
        or bool(found.address or found.day)
        or (_FRAMED_WELL.match(key) is not None and len(found.words) <= _FEW)
    )


_FRAMED_WELL = re.compile(r"[^\w\s]{4,200} ?[^\W\d].{1,100}[^\w\s]{4}$")
"""No frame of a few characters, as people draw it around a word."""


def _names_original(key: str) -> bool:
    """Whether a line says "original message" alone, or by which program."""
    words = WORD.findall(key[:_LONGEST])
    if not 2 <= len(words) <= _FEW:
        return False
    pairs = (words[:2], words[1::-1])
    names = any(a.startswith(DIVIDERS) and b.startswith(MESSAGES) for a, b in pairs)
    names = names or " ".join(words).startswith(_DIVIDING_PHRASES)
    return names and (len(words) == 2 or key.endswith(":") or not _BY.isdisjoint(words))


_DIVIDING_PHRASES = tuple(words for words in DIVIDERS if " " in words)
_BY = frozenset({"by", "from", "de", "von", "przez", "par", "por", "da", "door"})
