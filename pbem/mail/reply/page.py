"""Page: the lines of an email's text, and which of them are marked or recognised as quotes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pbem.mail.reply.client_words import FORWARD_ENDS, LABELS
from pbem.mail.reply.quoted_letters import QuotedLetters

_REMEMBERED = 64
"""Number of cached lines, since each is checked with all lines near it."""
_TYPOGRAPHY = str.maketrans("’\xa0\u202f\u2009\t", "'    ", "\u200b\u200e\u200f\u2060\ufeff")


_INITIALS = re.compile(r"^\s{0,3}[^\W\d_]{1,4}(?=>)")
"""Initials of the quoted person before the mark, as in The Bat! and FidoNet: `CN> [8-B]`."""
_NAME = re.compile(r"^\s{0,12}([^\W\d_]{1,20})(?=>(?:[ >]|$))")
"""Their name, as in Supercite and Gnus: `    Anna> [8-B]`."""


@dataclass(frozen=True)
class ReplyPage:
    """A text split into lines."""

    lines: list[str]
    keys: list[str]
    """The lines as rules compare them: case-folded and stripped."""
    witness: QuotedLetters
    ours: frozenset[int]
    """Lines of the club's emails, with or without marks."""
    breaks: list[int]
    """Ends of an unmarked quote of a club email: below it, or at new text inside it."""
    ends: list[int]
    """Ends of any other unmarked quote: below a line that says so."""
    author: frozenset[str]
    """Words of the sender's name."""

    @classmethod
    def of(cls, lines: list[str], author: str, witness: QuotedLetters) -> ReplyPage:
        """Return the page of a text, given the name of its author and the emails it may quote."""
        flat = "\n".join(lines).translate(_TYPOGRAPHY).casefold().split("\n")
        flat = _without_names(flat)
        if mark := witness.foreign_mark(flat):
            flat = [_with_usual_mark(line, mark) for line in flat]
        keys = [line.strip() for line in flat]
        ends = [at + 1 for at, key in enumerate(keys) if closes(key)]
        quotes = witness.quoted(keys)
        below = [at + 1 for at in quotes.last if _next(keys, at + 1) not in quotes.lines]
        breaks = sorted((*ends, *quotes.new, *below))
        return cls(lines, keys, witness, quotes.lines, breaks, ends, words_of(author))

    def marked(self, at: int) -> bool:
        """Return whether a line is quoted, by its mark or because the club wrote it."""
        return self._marked[at]

    @cached_property
    def _marked(self) -> list[bool]:
        """The same for each line, cached since each is checked with all lines near it."""
        return [has_mark(key) or at in self.ours for at, key in enumerate(self.keys)]

    @cached_property
    def lone_words(self) -> list[int]:
        """For each line, the number of lines just above it with a single unmarked word."""
        counts, count = [0], 0
        for at, key in enumerate(self.keys[:-1]):
            lone = len(key.split(None, 1)) == 1 and not self.marked(at)
            count = count + 1 if lone else 0
            counts.append(count)
        return counts

    def marked_by_client(self, at: int) -> bool:
        """Return whether marks show what is quoted here. A bar may be the club's own."""
        key = self.keys[at]
        if not has_bar(key):
            return has_mark(key)
        return self.witness.says(key.removeprefix("|"))

    def rest(self, at: int, first: int) -> int:
        """Return the number of lines in an unmarked quote.

        Starts from its head and its first line below. The quote continues to the end of the club's
        email if it is one, otherwise to the end of the text.
        """
        breaks = self.breaks if first in self.ours else self.ends
        index = bisect_right(breaks, at)
        end = breaks[index] if index < len(breaks) else len(self.lines)
        return end - at

    def names_author(self, at: int, lines: int) -> bool:
        """Return whether some lines contain the sender's whole name."""
        words = words_of(" ".join(self.keys[at : at + lines]))
        return bool(self.author) and self.author <= words

    def run(self, at: int, most: int) -> list[str]:
        """Return the keys from a line on, up to a blank or marked one."""
        keys: list[str] = []
        for line in range(at, min(at + most, len(self.lines))):
            if not self.keys[line] or self.marked(line):
                break
            keys.append(self.keys[line])
        return keys

    def next_line(self, at: int) -> int | None:
        """Return the next line with text, this one included, None if there is none nearby."""
        few = range(at, min(at + 20, len(self.lines)))
        return next((line for line in few if self.keys[line]), None)

    def quote_follows(self, at: int) -> bool:
        """Return whether the next line with text, this one included, is quoted."""
        line = self.next_line(at)
        return line is not None and self.marked(line)


def _next(keys: list[str], at: int) -> int:
    """Return the next line with text, this one included."""
    while at < len(keys) and not keys[at]:
        at += 1
    return at


def has_mark(key: str) -> bool:
    """Return whether a line is marked as a quote: by `>`, or by `|` that is not part of a table."""
    return key.startswith(">") or (has_bar(key) and not (key.endswith("|") and label(key)))


def has_bar(key: str) -> bool:
    """Return whether a line starts with the bar that the club puts before notes of others."""
    return key.startswith("| ") or key == "|"


@lru_cache(_REMEMBERED)
def label(key: str) -> str:
    """Return the header field that a line shows, empty if none."""
    head, colon, _ = key[:60].replace("：", ":").partition(":")
    return LABELS.get(head.strip("*_-|•· "), "") if colon else ""


def _without_names(lines: list[str]) -> list[str]:
    """Remove the names before marks. A name that occurs only once may be text."""
    found = [None if line.startswith(">") else _NAME.match(line) for line in lines]
    often = Counter(name[1] for name in found if name)
    return [
        line[name.end() :] if name and often[name[1]] > 1 else _INITIALS.sub(">", line, count=1)
        for line, name in zip(lines, found, strict=True)
    ]


_WORD = re.compile(r"\w+")


def words_of(text: str) -> frozenset[str]:
    """Return the set of words in a text."""
    return frozenset(_WORD.findall(text.casefold()))


def _with_usual_mark(line: str, mark: str) -> str:
    bare = line.lstrip()
    return ">" + bare.removeprefix(mark) if bare.startswith(mark) else line


_FRAME = "-_=*–—~#+<•·|"


def framed(key: str) -> str:
    """Return the words of a line like `-----Original Message-----`, empty for any other line."""
    if len(key) < 2 or key[0] not in _FRAME or key[1] not in _FRAME:
        return ""
    inner = key.strip(_FRAME + "> ")
    return inner if len(key) - len(inner) >= 4 else ""


def closes(key: str) -> bool:
    """Return whether a line says that an email inside the text ends above it."""
    words = framed(key)
    return words == "end of pbem mail" or words.startswith(FORWARD_ENDS)
