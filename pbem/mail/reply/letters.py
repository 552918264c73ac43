"""Letters: emails of the club in a normal form, to recognise their lines in quotes.

Clients mark, break and join lines and change quotation marks and bullets, but keep the words and
figures of a quote and their order. So only those are compared, whatever the language.
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
"""Characters around a line, besides its own, that identify its place in an email."""
_TELLING = 12
"""Characters of a line that is probably unique."""
_END = "\n"
"""Separates two emails. No line contains it."""
_NEAR = 8
"""Lines to look back for one with text, counting empty ones."""
_MOST = 50_000
"""Maximum length of the emails searched, together, since each line of a text is searched in all."""


class QuotePlace(NamedTuple):
    """The place of a line in the emails, by its first character and the one after its last."""

    start: int
    end: int


@dataclass(frozen=True)
class Letters:
    """Emails in normal form, starting with the answered or likeliest one."""

    letters: tuple[str, ...] = ()

    def found(self, lines: Sequence[str], contents: list[str]) -> FoundLetter:
        """Find the lines of a text that are from these emails, and new lines between them.

        Marks are ignored. `contents` are the normal forms of the lines.
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
        """Return whether content is the club's own words in an email, and long enough to tell."""
        return len(content) >= _TELLING and content in self._own_words

    def has(self, content: str) -> bool:
        """Return whether content is anywhere in an email."""
        return content in self._content

    def say_once(self, content: str) -> bool:
        """Return whether content is there at most once, and in no other person's note."""
        times = self._content.count(content)
        return times == self._own_words[:_MOST].count(content) <= 1

    def has_line(self, line: str) -> bool:
        """Return whether a line is a whole line of an email, ignoring marks."""
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
        """Return the place of a line, None if it is alone, as people do play the example's move.

        It counts together with the text above it. It also counts with the text below it, unless it
        repeats the last known line.
        """
        if len(above) == _ENOUGH and (start := self._find(above + own, last.end - _ENOUGH)) >= 0:
            return _place(start + _ENOUGH, own)
        start = self._find(own + below, last.end) if len(below) == _ENOUGH else -1
        return None if start < 0 or _place(start, own) == last else _place(start, own)

    def _is_feigned(self, lines: Sequence[str], at: int, above: str, place: QuotePlace) -> bool:
        """Return whether only a line above a possible quote head itself matches an email.

        An opponent's note could contain a move and then the start of the quote head. It must not
        make that move disappear.
        """
        if _END not in self._others_left_out[place.start : place.end]:
            return False
        known = self._content.startswith(above, place.start - _ENOUGH)
        below = next((line for line in lines[at + 1 : at + 1 + _NEAR] if line.strip()), "")
        return not (len(above) == _ENOUGH and known) and _MAY_BE_HEAD.search(below) is not None

    def _find(self, text: str, last: int) -> int:
        """Return the index of a text, preferably after a place."""
        first = self._content.find(text)
        if first < 0 or first >= last:  # most texts are not found, so this searches only once
            return first
        found = self._content.find(text, last)
        return found if found >= 0 else first

    def _in_order(
        self, contents: list[str], gap: Gap, places: dict[int, QuotePlace]
    ) -> dict[int, QuotePlace]:
        """Return the lines in a gap that are also in the email there, in order.

        Above the first known line, and below the last, only long ones count.
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
        """Return the range of the emails in which the lines of a gap would be."""
        if gap.above is None:
            end = 0 if gap.below is None else places[gap.below].start
            return self._content.rfind(_END, 0, end) + 1, end
        start = places[gap.above].end
        if gap.below is not None:
            return start, places[gap.below].start
        end = self._content.find(_END, start)
        return start, end if end >= 0 else len(self._content)

    def _is_over(self, end: int) -> bool:
        """Return whether an email has little text after a place."""
        rest = self._content[end : end + _ENOUGH]
        return len(rest) < _ENOUGH or _END in rest

    def _is_retold(self, contents: list[str], gap: Gap, places: dict[int, QuotePlace]) -> bool:
        """Return whether lines in a gap are the email's own, in a form that was not recognised.

        If the email has no text there, they were typed there. Below the last line of a quote, they
        must be very similar to the email.
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
        """The content with each character of other people's notes replaced."""
        texts = ("".join(each.with_notes_as(lambda note: _END * len(note))) for each in self._told)
        return _END.join(texts)[:_MOST]

    @cached_property
    def _own_words(self) -> str:
        """The content without other people's notes."""
        return _END.join("".join(each.with_notes_as(lambda _: _END)) for each in self._told)

    @cached_property
    def _lines(self) -> frozenset[str]:
        return frozenset(line for each in self._told for line in each.said)

    @cached_property
    def _told(self) -> list[_Told]:
        return [_Told.of(each.split("\n")) for each in self.letters]


class _Told(NamedTuple):
    """Content of an email's lines, and the numbers of those with a bar, which others wrote."""

    said: list[str]
    notes: list[int]

    @classmethod
    def of(cls, lines: list[str]) -> _Told:
        """Return the content of some lines."""
        notes = [at for at, line in enumerate(lines) if line.startswith("|")]
        return cls(contents_of(lines), notes)

    def with_notes_as(self, said_instead: Callable[[str], str]) -> list[str]:
        """Return the content with the notes of others replaced."""
        lines = self.said.copy()
        for at in self.notes:
            lines[at] = said_instead(lines[at])
        return lines


class FoundLetter(NamedTuple):
    """The parts of a text recognised in emails of the club."""

    lines: frozenset[int] = frozenset()
    """Lines of the emails."""
    new: frozenset[int] = frozenset()
    """Lines inserted between them."""
    last: frozenset[int] = frozenset()
    """Last lines of the emails."""
    sure: frozenset[int] = frozenset()
    """Lines recognised by the text just above or below them, wherever they are."""
    extent: int = 0
    """Number of recognised characters."""


_MAY_BE_HEAD = re.compile(r"[\d@:：]|-{4}|_{4}")


def _place(start: int, own: str) -> QuotePlace:
    return QuotePlace(start, start + len(own))


def _between_marks(lines: Sequence[str], at: int) -> bool:
    """Return whether an unmarked line was inserted into a marked quote.

    It was not if it may be the rest of the marked line just above.
    """
    if lines[at].startswith(">"):
        return False
    above = next((line for line in reversed(lines[max(0, at - _NEAR) : at]) if line.strip()), "")
    return above.startswith(">") and not lines[at - 1].strip(" \t>")


class Gap(NamedTuple):
    """Unmarked lines that are not recognised, next to recognised ones."""

    above: int | None
    between: list[int]
    below: int | None


def gaps(lines: Sequence[str], places: Container[int]) -> Iterator[Gap]:
    """Yield the gaps of a text in order. `places` are the numbers of recognised lines."""
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
"""Characters of an email in which a changed line is looked for."""
_PIECE = 4
"""Length of the pieces by which similar texts are compared."""


def is_like(text: str, other: str) -> bool:
    """Return whether at least half of a text's pieces are in another text."""
    pieces = _pieces(text[:_FAR])
    return bool(pieces) and 2 * len(pieces & _pieces(other[:_FAR])) >= len(pieces)


def _pieces(text: str) -> set[str]:
    return {text[at : at + _PIECE] for at in range(len(text) - _PIECE + 1)}


_MARKS = b"\"'`*_|>~- \t\r\v\f\x1c\x1d\x1e\x1f"
_TYPOGRAPHY = re.compile(r"[^\x00-\x7f\w]")
"""Spaces and symbols beyond ASCII belong to it."""


def content_of(text: str) -> str:
    """Return the parts of a text that no client changes, case-folded."""
    return "".join(contents_of(text.split("\n")))


def contents_of(lines: Iterable[str]) -> list[str]:
    """Return the content of each line, in one pass for speed."""
    text = LINK.sub("", unicodedata.normalize("NFKC", "\n".join(lines)).casefold())
    # Bytes are removed all at once, characters of text one by one. None of these bytes is part of a
    # longer character.
    bare = text.encode(errors="surrogatepass").translate(None, _MARKS)
    text = bare.decode(errors="surrogatepass")
    return (text if text.isascii() else _TYPOGRAPHY.sub("", text)).split("\n")
