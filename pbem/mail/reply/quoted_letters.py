"""Quoted letters: the emails that a text may quote, as plain text and as HTML.

Clients mark, break and join lines and change quotation marks and bullets, but keep the words and
figures of a quote and their order. So only those are compared, whatever the language. Each email
was sent in two forms, and a client quotes one of them.
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
class QuotedLetters:
    """Emails to the author of a text, starting with the answered or likeliest one."""

    letters: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    """Their HTML parts, where they have one."""

    def quoted(self, lines: Sequence[str]) -> FoundLetter:
        """Find the lines of a text that are from these emails, and new lines between them.

        Marks are ignored. Uses the form with more matches, and adds lines that are sure in the
        other.
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
        """Return whether a line is the club's own words in an email, and long enough to be sure."""
        return self._say(content_of(line))

    def _say(self, content: str) -> bool:
        return self._texts.say(content) or self._pages.say(content)

    def has(self, content: str) -> bool:
        """Return whether content is anywhere in an email, in either form."""
        return self._texts.has(content) or self._pages.has(content)

    def say_once(self, content: str) -> bool:
        """Return whether content is in an email, once in each form, and in no other's note."""
        forms = self._texts, self._pages
        return self.has(content) and all(each.say_once(content) for each in forms)

    def has_line(self, line: str) -> bool:
        """Return whether a line is a whole line of an email's plain text, ignoring marks.

        HTML does not count: tapping a link sends its text, and means it.
        """
        return self._texts.has_line(line)

    def foreign_mark(self, lines: Sequence[str]) -> str:
        """Return the mark used for quotes instead of `>`, never `|`, which the club writes.

        List bullets do not count, since they are before few of the club's lines.
        """
        if not self.letters:
            return ""
        marks = Counter(filter(None, map(self._mark, lines)))
        mark, often = marks.most_common(1)[0] if marks else ("", 0)
        return mark if mark and 2 * often >= sum(map(self._say, contents_of(lines))) else ""

    def _mark(self, line: str) -> str:
        """Return the mark before the club's words on a line, unless the email itself has it."""
        mark = _MARK.match(line)
        if mark is None or line.strip() in self._as_written:
            return ""
        return mark[1] if self.says(line[mark.end() :]) else ""

    def _with_bars(self, lines: Sequence[str], contents: Sequence[str]) -> Sequence[str]:
        """Return the lines, with bars instead of marks that no client set for quotes.

        That is so if most of the club's words are unmarked: then marks show a note inside an
        email's HTML, or small print.
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
"""Maximum number of characters of an HTML part. An email has 60,000 at most."""
_HEAD = re.compile(r"<!DOCTYPE[^<>]*>|<head>.*?</head>", re.DOTALL)
_OTHERS = re.compile(r"<blockquote[^<>]*>(.*?)</blockquote>", re.DOTALL)
_PICTURE = re.compile(r'<img[^<>]*? alt="([^"<>]*)"[^<>]*>')
_LINE_END = re.compile(r"</(?:p|div|tr|td|th|li|dt|dd|h[1-6]|pre)>|<br>")
_TAG = re.compile(r"<[^>]*+>")


def page_text(html: str) -> str:
    """Return the text of an email's HTML. Notes of others start with a bar, as in plain text."""
    parts = _OTHERS.split(_HEAD.sub("", html[:_LONGEST]))
    return "\n".join(
        # Every second part is from a blockquote.
        re.sub("^", "| ", _words(part), flags=re.MULTILINE) if at % 2 else _words(part)
        for at, part in enumerate(parts)
    )


def _words(html: str) -> str:
    html = _LINE_END.sub("\n", _PICTURE.sub(r"\1\n", html))
    return unescape(_TAG.sub("", html)).strip("\n")
