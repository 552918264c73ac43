"""Page: a mail's text by lines, and which of them are quoted by a mark or known as our own."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pbem.mail.reply.client_words import FORWARD_ENDS, LABELS
from pbem.mail.reply.witness import Witness

_REMEMBERED = 64
"""Lines that are remembered: each is asked about with all that are near it."""
_TYPOGRAPHY = str.maketrans("’\xa0\u202f\u2009\t", "'    ", "\u200b\u200e\u200f\u2060\ufeff")


_INITIALS = re.compile(r"^\s{0,3}[^\W\d_]{1,4}(?=>)")
"""Of who is quoted, before the mark, as The Bat! and FidoNet have it: `CN> [8-B]`."""
_NAME = re.compile(r"^\s{0,12}([^\W\d_]{1,20})(?=>(?:[ >]|$))")
"""The same with a name, as Supercite and Gnus have it: `    Anna> [8-B]`."""


@dataclass(frozen=True)
class ReplyPage:
    """A text by lines."""

    lines: list[str]
    keys: list[str]
    """The lines as rules compare them: case-folded, no spaces at the ends."""
    witness: Witness
    ours: frozenset[int]
    """Lines of the club's letters, whatever has become of their marks."""
    breaks: list[int]
    """Where an unmarked quote of a letter ends: below it, or at what is new inside it."""
    ends: list[int]
    """Where any other ends: below a line that says so."""
    author: frozenset[str]
    """Words of the sender's name."""

    @classmethod
    def of(cls, lines: list[str], author: str, witness: Witness) -> ReplyPage:
        """A text, the name of its author, and the letters that it may quote."""
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
        """Whether a line is a quote by its mark, or known as ours."""
        return self._marked[at]

    @cached_property
    def _marked(self) -> list[bool]:
        """The same for each line: rules ask about it with all that are near it."""
        return [has_mark(key) or at in self.ours for at, key in enumerate(self.keys)]

    @cached_property
    def lone_words(self) -> list[int]:
        """Count, for each line, the lines right above it that hold one unmarked word each."""
        counts, count = [0], 0
        for at, key in enumerate(self.keys[:-1]):
            lone = len(key.split(None, 1)) == 1 and not self.marked(at)
            count = count + 1 if lone else 0
            counts.append(count)
        return counts

    def marked_by_client(self, at: int) -> bool:
        """Whether marks tell here what is quoted: a bar may be our own, in a quote without any."""
        key = self.keys[at]
        if not has_bar(key):
            return has_mark(key)
        return self.witness.says(key.removeprefix("|"))

    def rest(self, at: int, first: int) -> int:
        """How many lines an unmarked quote has, given its head and its first line below.

        It goes up to where a letter of ours ends if it is one, else up to the end.
        """
        breaks = self.breaks if first in self.ours else self.ends
        index = bisect_right(breaks, at)
        end = breaks[index] if index < len(breaks) else len(self.lines)
        return end - at

    def names_author(self, at: int, lines: int) -> bool:
        """Whether some lines from one on have the whole name of the sender."""
        words = words_of(" ".join(self.keys[at : at + lines]))
        return bool(self.author) and self.author <= words

    def run(self, at: int, most: int) -> list[str]:
        """Keys from a line on, up to a blank or a marked one."""
        keys: list[str] = []
        for line in range(at, min(at + most, len(self.lines))):
            if not self.keys[line] or self.marked(line):
                break
            keys.append(self.keys[line])
        return keys

    def next_line(self, at: int) -> int | None:
        """The next line that is not blank, from this one on; None if it is far away."""
        few = range(at, min(at + 20, len(self.lines)))
        return next((line for line in few if self.keys[line]), None)

    def quote_follows(self, at: int) -> bool:
        """Whether the next line that is not blank, from this one on, is marked."""
        line = self.next_line(at)
        return line is not None and self.marked(line)


def _next(keys: list[str], at: int) -> int:
    """The next line that says something, from one on."""
    while at < len(keys) and not keys[at]:
        at += 1
    return at


def has_mark(key: str) -> bool:
    """Whether a line is marked as somebody else's: by `>`, or `|` that is no side of a table."""
    return key.startswith(">") or (has_bar(key) and not (key.endswith("|") and label(key)))


def has_bar(key: str) -> bool:
    """Whether a line begins with the bar that the club puts before what others wrote."""
    return key.startswith("| ") or key == "|"


@lru_cache(_REMEMBERED)
def label(key: str) -> str:
    """Which field of a header a line gives, empty if none."""
    head, colon, _ = key[:60].replace("：", ":").partition(":")
    return LABELS.get(head.strip("*_-|•· "), "") if colon else ""


def _without_names(lines: list[str]) -> list[str]:
    """Lines without the names before their marks; one that stands there once may be a text."""
    found = [None if line.startswith(">") else _NAME.match(line) for line in lines]
    often = Counter(name[1] for name in found if name)
    return [
        line[name.end() :] if name and often[name[1]] > 1 else _INITIALS.sub(">", line, count=1)
        for line, name in zip(lines, found, strict=True)
    ]


_WORD = re.compile(r"\w+")


def words_of(text: str) -> frozenset[str]:
    """The words of a line, in whatever order."""
    return frozenset(_WORD.findall(text.casefold()))


def _with_usual_mark(line: str, mark: str) -> str:
    bare = line.lstrip()
    return ">" + bare.removeprefix(mark) if bare.startswith(mark) else line


_FRAME = "-_=*–—~#+<•·|"


def framed(key: str) -> str:
    """Words of a line like `-----Original Message-----`, empty if it is none."""
    if len(key) < 2 or key[0] not in _FRAME or key[1] not in _FRAME:
        return ""
    inner = key.strip(_FRAME + "> ")
    return inner if len(key) - len(inner) >= 4 else ""


def closes(key: str) -> bool:
    """Whether a line says that a mail inside the text ends above it."""
    words = framed(key)
    return words == "end of pbem mail" or words.startswith(FORWARD_ENDS)
