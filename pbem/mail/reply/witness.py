"""Witness: the letters that a mail may quote, as text and as HTML.

Clients mark, break and join lines, set quotation marks and bullets as they like, but leave the
words and figures of a quote and their order as they were; so those alone are compared, in whatever
language a letter is. Each letter has gone out in two forms, and a client quotes one of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape

from pbem.mail.message.html_alternative import without_targets
from pbem.mail.reply.letters import FoundLetter, Letters, content_of, contents_of


@dataclass(frozen=True)
class Witness:
    """Letters to the author of a mail, the one that is answered or the likeliest first."""

    letters: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    """The same letters in HTML, of those that had one of their own."""

    def quoted(self, lines: Sequence[str]) -> FoundLetter:
        """Which lines of a text are these letters', their marks aside, and what is between them.

        By the form of which more is found; what the other knows for sure is quoted as well.
        """
        if not self.letters:
            return FoundLetter()
        contents = contents_of(lines)
        lines = self._with_bars(lines, contents)
        text = self._texts.found(lines, contents)
        if not self.pages:
            return text
        page = self._pages.found(lines, contents)
        better, other = (page, text) if page.extent > text.extent else (text, page)
        return better._replace(lines=better.lines | other.sure, new=better.new - other.sure)

    def says(self, line: str) -> bool:
        """Whether a line is the club's own words in a letter, and telling."""
        return self._say(content_of(line))

    def _say(self, content: str) -> bool:
        return self._texts.say(content) or self._pages.say(content)

    def has_line(self, line: str) -> bool:
        """Whether a line stands in a letter as one, its marks aside.

        In the text: what a link shows may be sent by tapping it, and is meant then.
        """
        return self._texts.has_line(line)

    def foreign_mark(self, lines: Sequence[str]) -> str:
        """What is written before quoted lines instead of `>`; never `|`, which the club writes.

        Bullets of a list are none, which stand before few of the club's lines.
        """
        if not self.letters:
            return ""
        marks = Counter(filter(None, map(self._mark, lines)))
        mark, often = marks.most_common(1)[0] if marks else ("", 0)
        return mark if mark and 2 * often >= sum(map(self._say, contents_of(lines))) else ""

    def _mark(self, line: str) -> str:
        """What stands before the club's words on a line, and not in the letter."""
        mark = _MARK.match(line)
        if mark is None or line.strip() in self._as_written:
            return ""
        return mark[1] if self.says(line[mark.end() :]) else ""

    def _with_bars(self, lines: Sequence[str], contents: Sequence[str]) -> Sequence[str]:
        """Lines, with bars for marks that no client has set to tell what is quoted.

        None has, where more of the club's words stand without them: they mark a note inside a
        letter's HTML, or what is small.
        """
        marked = [line.startswith(">") for line in lines]
        if not (self.pages and any(marked)):
            return lines
        ours = [mark for mark, said in zip(marked, contents, strict=True) if self._say(said)]
        if 2 * sum(ours) >= len(ours):
            return lines
        return ["|" + line[1:] if mark else line for mark, line in zip(marked, lines, strict=True)]

    @cached_property
    def _texts(self) -> Letters:
        return Letters(tuple(map(without_targets, self.letters)))

    @cached_property
    def _pages(self) -> Letters:
        return Letters(tuple(map(page_text, self.pages)))

    @cached_property
    def _as_written(self) -> frozenset[str]:
        letters = (*self._texts.letters, *self._pages.letters)
        return frozenset(line.strip() for each in letters for line in each.casefold().split("\n"))


_MARK = re.compile(r"([^\w\s>|\"'(\[]{1,2}) ?")


_LONGEST = 200_000
"""Characters; a letter has 60,000 at most."""
_HEAD = re.compile(r"<!DOCTYPE[^<>]*>|<head>.*?</head>", re.DOTALL)
_OTHERS = re.compile(r"<blockquote[^<>]*>(.*?)</blockquote>", re.DOTALL)
_PICTURE = re.compile(r'<img[^<>]*? alt="([^"<>]*)"[^<>]*>')
_LINE_END = re.compile(r"</(?:p|div|tr|td|th|li|dt|dd|h[1-6]|pre)>|<br>")
_TAG = re.compile(r"<[^>]*+>")


def page_text(html: str) -> str:
    """Text of a letter's HTML; lines that others wrote begin with a bar, as in its plain text."""
    parts = _OTHERS.split(_HEAD.sub("", html[:_LONGEST]))
    return "\n".join(
        # Every second part stands in a blockquote.
        re.sub("^", "| ", _words(part), flags=re.MULTILINE) if at % 2 else _words(part)
        for at, part in enumerate(parts)
    )


def _words(html: str) -> str:
    html = _LINE_END.sub("\n", _PICTURE.sub(r"\1\n", html))
    return unescape(_TAG.sub("", html)).strip("\n")
