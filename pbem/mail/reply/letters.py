"""Letters: texts in one form, by which their lines are known again in a mail that quotes them.

Clients mark, break and join lines, set quotation marks and bullets as they like, but leave the
words and figures of a quote and their order as they were; so those alone are compared, in whatever
language a letter is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pbem.mail.message.html_alternative import LINK

_ENOUGH = 24
"""Characters, the line's own aside, that tell where in a letter a line stands."""
_TELLING = 12
"""Characters of a line that is likely nobody else's."""
_END = "\n"
"""Between two letters; no line holds it."""
_NEAR = 8
"""Lines up to the last one that says something, empty ones counted."""
_MOST = 50_000
"""Characters of letters that are looked at; each line of a text is sought in all of them."""


class QuotePlace(NamedTuple):
    """Where in the letters a line stands: from, and up to, which character."""

    start: int
    end: int


@dataclass(frozen=True)
class Letters:
    """Letters in one form, the one that is answered or the likeliest first."""

    letters: tuple[str, ...] = ()

    def found(self, lines: Sequence[str], contents: list[str]) -> FoundLetter:
        """Which lines of a text are these letters', their marks aside, and what is between them.

        `contents` are those of the lines.
        """
        if not self._content or sum(map(len, contents)) <= _ENOUGH:
            return FoundLetter()
        sure = dict(self._places(lines, contents))
        places = dict(sure)
        for gap in list(gaps(lines, places)):
            places |= self._in_order(contents, gap, places)
        retold, new = set[int](), set[int]()
        for gap in gaps(lines, places):
            if gap.above is not None and self._is_retold(contents, gap, places):
                retold.update(gap.between if gap.below is not None else gap.between[:1])
            elif gap.above is not None and gap.below is not None:
                new.update(gap.between)
        last = {at for at, place in places.items() if self._is_over(place.end)}
        extent = sum(place.end - place.start for place in places.values())
        known = frozenset((*places, *retold))
        return FoundLetter(known, frozenset(new), frozenset(last), frozenset(sure), extent)

    def say(self, content: str) -> bool:
        """Whether the content of a line is the club's own words in a letter, and telling."""
        return len(content) >= _TELLING and content in self._own_words

    def has_line(self, line: str) -> bool:
        """Whether a line stands in a letter as one, its marks aside."""
        return content_of(line) in self._lines

    def _places(
        self, lines: Sequence[str], contents: list[str]
    ) -> Iterator[tuple[int, QuotePlace]]:
        text, start, last = "".join(contents), 0, QuotePlace(0, 0)
        for at, own in enumerate(contents):
            end = start + len(own)
            above, below = text[max(0, start - _ENOUGH) : start], text[end : end + _ENOUGH]
            if own and not _between_marks(lines, at):
                place = self._place(above, own, below, last)
                if place is not None and not self._is_feigned(lines, at, above, place):
                    last = place
                    yield at, place
            start = end

    def _place(self, above: str, own: str, below: str, last: QuotePlace) -> QuotePlace | None:
        """A line alone proves nothing, since people do play the move of the example.

        It counts together with what is above it; or with what is below, unless it only repeats the
        last line that was known.
        """
        if len(above) == _ENOUGH and (start := self._find(above + own, last.end - _ENOUGH)) >= 0:
            return _place(start + _ENOUGH, own)
        start = self._find(own + below, last.end) if len(below) == _ENOUGH else -1
        return None if start < 0 or _place(start, own) == last else _place(start, own)

    def _is_feigned(self, lines: Sequence[str], at: int, above: str, place: QuotePlace) -> bool:
        """Whether a line right above what may be the head of a quote is known by it alone.

        An opponent's note could hold a move, and then how the head will begin: it must not make the
        move vanish.
        """
        if _END not in self._others_left_out[place.start : place.end]:
            return False
        known = self._content.startswith(above, place.start - _ENOUGH)
        below = next((line for line in lines[at + 1 : at + 1 + _NEAR] if line.strip()), "")
        return not (len(above) == _ENOUGH and known) and _MAY_BE_HEAD.search(below) is not None

    def _find(self, text: str, last: int) -> int:
        """Where a text stands, rather behind a place than before it."""
        first = self._content.find(text)
        if first < 0 or first >= last:  # most are nowhere: all is searched but once
            return first
        found = self._content.find(text, last)
        return found if found >= 0 else first

    def _in_order(
        self, contents: list[str], gap: Gap, places: dict[int, QuotePlace]
    ) -> dict[int, QuotePlace]:
        """Lines between two of a letter that stand there in it too, after one another.

        Above the first line that is known, and below the last, only long ones count.
        """
        start, end = self._between(gap, places)
        least = 1 if gap.above is not None and gap.below is not None else _ENOUGH
        found = dict[int, QuotePlace]()
        for at in gap.between:
            own = contents[at]
            here = self._content.find(own, start, end) if len(own) >= least else -1
            if here >= 0:
                found[at] = _place(here, own)
                start = found[at].end
        return found

    def _between(self, gap: Gap, places: dict[int, QuotePlace]) -> tuple[int, int]:
        """From where and up to where the lines of a gap would stand."""
        if gap.above is None:
            end = 0 if gap.below is None else places[gap.below].start
            return self._content.rfind(_END, 0, end) + 1, end
        start = places[gap.above].end
        if gap.below is not None:
            return start, places[gap.below].start
        end = self._content.find(_END, start)
        return start, end if end >= 0 else len(self._content)

    def _is_over(self, end: int) -> bool:
        """Whether a letter says little from a place on."""
        rest = self._content[end : end + _ENOUGH]
        return len(rest) < _ENOUGH or _END in rest

    def _is_retold(self, contents: list[str], gap: Gap, places: dict[int, QuotePlace]) -> bool:
        """Whether lines between two of a letter are what it says there, in a form not known again.

        What stands where the letter says nothing was typed there. Below the last line of a quote
        only what is much like the letter is taken for it.
        """
        start, end = self._between(gap, places)
        there = self._content[start:end]
        if gap.below is None:
            own = contents[gap.between[0]]
            return len(own) >= _TELLING and is_like(own, there)
        own = "".join(contents[at] for at in gap.between)
        if _END in there or not there:
            return not own
        return max(len(own), len(there)) <= _ENOUGH or is_like(own, there)

    @cached_property
    def _content(self) -> str:
        return _END.join("".join(each.said) for each in self._told)[:_MOST]

    @cached_property
    def _others_left_out(self) -> str:
        """The same, each character of what others wrote replaced."""
        texts = ("".join(each.with_notes_as(lambda note: _END * len(note))) for each in self._told)
        return _END.join(texts)[:_MOST]

    @cached_property
    def _own_words(self) -> str:
        """The same without what others wrote."""
        return _END.join("".join(each.with_notes_as(lambda _: _END)) for each in self._told)

    @cached_property
    def _lines(self) -> frozenset[str]:
        return frozenset(line for each in self._told for line in each.said)

    @cached_property
    def _told(self) -> list[_Told]:
        return [_Told.of(each.split("\n")) for each in self.letters]


class _Told(NamedTuple):
    """What the lines of a letter say, and which of them others wrote: those have a bar."""

    said: list[str]
    notes: list[int]

    @classmethod
    def of(cls, lines: list[str]) -> _Told:
        """What some lines say."""
        notes = [at for at, line in enumerate(lines) if line.startswith("|")]
        return cls(contents_of(lines), notes)

    def with_notes_as(self, said_instead: Callable[[str], str]) -> list[str]:
        """What is said, with something else in place of what others wrote."""
        lines = self.said.copy()
        for at in self.notes:
            lines[at] = said_instead(lines[at])
        return lines


class FoundLetter(NamedTuple):
    """What of a text is known by letters."""

    lines: frozenset[int] = frozenset()
    """Lines of the letters."""
    new: frozenset[int] = frozenset()
    """Lines that were put between them."""
    last: frozenset[int] = frozenset()
    """Those of the lines with which a letter ends."""
    sure: frozenset[int] = frozenset()
    """Those that are known by what is right above or below them, wherever they stand."""
    extent: int = 0
    """Characters of the letters that were found again."""


_MAY_BE_HEAD = re.compile(r"[\d@:：]|-{4}|_{4}")


def _place(start: int, own: str) -> QuotePlace:
    return QuotePlace(start, start + len(own))


def _between_marks(lines: Sequence[str], at: int) -> bool:
    """Whether a line without a mark was put into a quote with marks.

    It was, unless it may be the rest of the marked line right above.
    """
    if lines[at].startswith(">"):
        return False
    above = next((line for line in reversed(lines[max(0, at - _NEAR) : at]) if line.strip()), "")
    return above.startswith(">") and not lines[at - 1].strip(" \t>")


class Gap(NamedTuple):
    """Lines without a mark that are not known, next to some that are."""

    above: int | None
    between: list[int]
    below: int | None


def gaps(lines: Sequence[str], places: Container[int]) -> Iterator[Gap]:
    """Those of a text, in order; `places` are the numbers of the lines that are known."""
    above: int | None = None
    between = list[int]()
    for at, line in enumerate(lines):
        if line.startswith(">"):
            above, between = None, []
        elif at in places:
            if between:
                yield Gap(above, between, at)
            above, between = at, []
        elif line.strip():
            between.append(at)
    if between and above is not None:
        yield Gap(above, between, None)


_FAR = 1000
"""Characters of a letter among which a line in another form is looked for."""
_PIECE = 4
"""Characters by which texts are compared that are not the same."""


def is_like(text: str, other: str) -> bool:
    """Whether half of a text's pieces stand in the other."""
    pieces = _pieces(text[:_FAR])
    return bool(pieces) and 2 * len(pieces & _pieces(other[:_FAR])) >= len(pieces)


def _pieces(text: str) -> set[str]:
    return {text[at : at + _PIECE] for at in range(len(text) - _PIECE + 1)}


_MARKS = b"\"'`*_|>~- \t\r\v\f\x1c\x1d\x1e\x1f"
_TYPOGRAPHY = re.compile(r"[^\x00-\x7f\w]")
"""Spaces and pictures beyond ASCII are of it, too."""


def content_of(text: str) -> str:
    """What of a line or a text no client changes; case-folded."""
    return "".join(contents_of(text.split("\n")))


def contents_of(lines: Iterable[str]) -> list[str]:
    """The same of each of one or more lines, in the time of a few."""
    text = LINK.sub("", unicodedata.normalize("NFKC", "\n".join(lines)).casefold())
    # Of bytes they are taken at once, of text one by one; none is a part of a longer character.
    bare = text.encode(errors="surrogatepass").translate(None, _MARKS)
    text = bare.decode(errors="surrogatepass")
    return (text if text.isascii() else _TYPOGRAPHY.sub("", text)).split("\n")
