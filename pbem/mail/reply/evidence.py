"""Evidence: what a text tells of a mail: when it was, where from, and that somebody wrote it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pbem.mail.reply.client_words import MONTHS, WROTE

_MONTHS = "|".join(MONTHS)
DAY = re.compile(
    r"\b\d{1,2}([./-]) ?\d{1,2}\1 ?\d{2,4}\b|\b(?:19|20)\d\d([./-]) ?\d{1,2}\2 ?\d{1,2}\b"
    rf"|(?:19|20)\d\d年|\b\d{{1,2}}(?:\.|º|st|nd|rd|th|er)? (?:de )?(?:{_MONTHS})"
    rf"|\b(?:{_MONTHS})[^\W\d]{{0,9}}\.?,? \d{{1,2}}\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d(?!\d)")
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\b\d{1,2} ?(?:[ap]\.?m\b|uhr\b)")
_ADDRESS = re.compile(r"[^\s@]@[^\s@]|mailto:")
WORD = re.compile(r"[\w()']+")
_REMEMBERED = 64


@dataclass(frozen=True)
class Evidence:
    """What a line, or lines joined, tell of a mail."""

    words: list[str]
    address: bool
    day: bool
    year: bool
    time: bool
    wrote: bool
    colon: bool

    @classmethod
    @lru_cache(_REMEMBERED)
    def of(cls, text: str) -> Evidence:
        """What a text tells, case-folded; each line is asked about with all that are near it."""
        words, day = WORD.findall(text), DAY.search(text) is not None
        return cls(
            words=words,
            address=_ADDRESS.search(text) is not None,
            day=day,
            year=_YEAR.search(text) is not None,
            time=_TIME.search(DAY.sub(" ", text) if day else text) is not None,
            wrote=not WROTE.isdisjoint(words),
            colon=text.endswith((":", "：")),
        )

    @property
    def evident(self) -> bool:
        """Whether it tells when a mail was, or where from."""
        return self.address or self.day or self.year or self.time

    @property
    def kinds(self) -> set[str]:
        """What of it is there."""
        kinds = ("address", "day", "year", "time", "wrote")
        return {kind for kind in kinds if getattr(self, kind)}
