"""HTML alternative: find quotes, signatures and link targets by the HTML of an email.

A client that writes HTML and plain text puts signatures, small print and quotes into HTML elements.
In the plain text, nothing separates them from what the person typed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice

from pbem.mail.message.html_text import html_text

_TELLING = ("signature", "mailautosig", "yahoo_quoted")
"""Words in HTML that mark what the text leaves unmarked. HTML without them is not laid out."""
_SMALL = re.compile(r"font-size:\s?[1-8](?:\.\d)?pt")
"""Marks small print."""
_QUOTING = ("<blockquote", "protonmail_quote", "border-left:", "moz-cite-prefix")
"""Words that mark quotes, checked only if the text has no quote marks."""
_NAMED_QUOTE = re.compile(r"name=\"?quote")
"""Marks a quote by its name."""
_MARK = re.compile(r"^[^\W\d_]{0,4}>", re.MULTILINE)
_LINK = re.compile(r"<(?:https?|mailto|tel):[^<>\s]{1,2000}>|\[(?:cid|image):[^\[\]\n]{1,200}\]")
"""The target of a link or picture, written after its name."""
_NO_LETTERS = re.compile(r"[\W_]+")
_ADDED = "\x01"
"""Mark of lines added by HTML. No text contains it, unlike `>`, which people may type."""
_MOST_RUNS = 50
_MOST_PLACES = 20


def marked_by(html: str, plain: str) -> str:
    """Mark lines of the plain text with `>` if the HTML says that the person did not write them."""
    if not _tells_more(html.casefold(), plain):
        return plain
    page = _Letters.of(plain.split("\n"))
    marked, at = set[int](), 0
    for letters, above in islice(_added(html_text(html, _ADDED)), _MOST_RUNS):
        found = page.find(letters, at, above.count(letters))
        marked.update(found)
        at = page.starts[found[0]] + len(letters) if found else at
    return "\n".join(
        f"> {line}" if number in marked and line.strip() else line
        for number, line in enumerate(page.lines)
    )


def _tells_more(html: str, plain: str) -> bool:
    """Return whether case-folded HTML may know which lines the person did not write.

    It searches for plain words, which is fast even in a large page.
    """
    if any(word in html for word in _TELLING) or _SMALL.search(html):
        return True
    quotes = any(word in html for word in _QUOTING) or _NAMED_QUOTE.search(html) is not None
    return quotes and not _MARK.search(plain)


_SHORT = 300


def stands_for(html: str, plain: str) -> bool:
    """Return whether a short plain text only says that there is HTML to read."""
    if len(plain) > _SHORT or "html" not in (letters := _letters(plain)):
        return False
    shown = _letters(html_text(html))
    return bool(shown) and letters not in shown


def _added(text: str) -> Iterator[tuple[str, str]]:
    """Yield the letters of each run of marked lines, and of everything above it."""
    above = ""
    lines = (line for line in text.split("\n") if line.strip())
    for marked, run in groupby(lines, key=lambda line: line.startswith(_ADDED)):
        letters = _letters("".join(run))
        if marked and letters:
            yield letters, above
        above += letters


def _letters(text: str) -> str:
    """Return only the letters and digits of a text, case-folded, without link targets."""
    return _NO_LETTERS.sub("", _LINK.sub("", text)).casefold()


@dataclass(frozen=True)
class _Letters:
    """Lines, and their letters in one string, since clients break lines differently."""

    lines: list[str]
    letters: str
    starts: list[int]
    """Index of the first letter of each line."""

    @classmethod
    def of(cls, lines: list[str]) -> _Letters:
        words = [_letters(line) for line in lines]
        starts, at = list[int](), 0
        for word in words:
            starts.append(at)
            at += len(word)
        return cls(lines, "".join(words), starts)

    def find(self, letters: str, at: int, said: int) -> range:
        """Return the first lines from an index that have exactly these letters.

        Skips as many earlier occurrences as `said`: an opponent's note may be the same as the move
        played above it.
        """
        at = max(at, self._behind(letters, said))
        for _ in range(_MOST_PLACES):
            start = self.letters.find(letters, at)
            if start < 0:
                break
            if lines := self._whole_lines(start, start + len(letters)):
                return lines
            at = start + 1
        return range(0)

    def _behind(self, letters: str, said: int) -> int:
        """Return the index after that many occurrences, or the end if there are fewer."""
        parts = self.letters.split(letters, said)
        return len(self.letters) - len(parts[-1]) if len(parts) > said else len(self.letters)

    def _whole_lines(self, start: int, stop: int) -> range:
        """Return the lines that start and end at these letters, none if they end elsewhere."""
        first, end = bisect_left(self.starts, start), bisect_left(self.starts, stop)
        begins = first < len(self.lines) and self.starts[first] == start
        if not begins or (end < len(self.lines) and self.starts[end] != stop):
            return range(0)
        while end < len(self.lines) and self._says_nothing(end):
            end += 1
        while first < end and not self.lines[first].strip(" .\u2026"):
            first += 1  # a lone full stop is a turn, and has no letters to find
        return range(first, end)

    def _says_nothing(self, at: int) -> bool:
        """Return whether a line only has a link target, in place of a picture."""
        return _LINK.search(self.lines[at]) is not None and not _letters(self.lines[at])


_UUENCODED = re.compile(
    r"^begin(?:-base64)? [0-7]{3,4} [^\n]{1,200}\n(?:[!-`][ -`]{0,84}\n)*(?:[` ]?\n)?end[ ]*$",
    re.MULTILINE,
)
"""A file inside the text (POSIX uuencode)."""

_SIGNED = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----\s*$", re.MULTILINE)
_ESCAPED_DASH = re.compile(r"^- ", re.MULTILINE)


def letter_alone(text: str) -> str:
    """Return text without embedded files and without the dashes that PGP signing adds."""
    if "\nend" in text:
        text = _UUENCODED.sub("", text)
    signed = _SIGNED.search(text)
    if signed:  # RFC 9580 section 7.2
        text = text[: signed.end()] + _ESCAPED_DASH.sub("", text[signed.end() :])
    return text


_COMMAND = re.compile(
    r"<<|<param>[^<]{0,500}</param>|<(/?)([A-Za-z0-9-]{1,60})>|\n+", re.IGNORECASE
)


def enriched_text(source: str) -> str:
    """Convert text/enriched (RFC 1896). One line end becomes a space; several lose one."""
    return _COMMAND.sub(_Enriched().replacement, source)


class _Enriched:
    """Converts one text/enriched text from start to end."""

    def __init__(self) -> None:
        self._as_it_is = 0
        self._quotes = 0

    def replacement(self, found: re.Match[str]) -> str:
        """Return the replacement of a command, a `<<` or line ends."""
        if found[0] == "<<":
            return "<"
        if found[0][0] == "\n":
            ends = found[0] if self._as_it_is > 0 else found[0][1:]
            return ends.replace("\n", self._line()) or " "
        change = -1 if found[1] else 1
        name = (found[2] or "").lower()
        if name in ("nofill", "verbatim"):
            self._as_it_is += change
        if name != "excerpt":
            return ""
        self._quotes = max(0, self._quotes + change)
        return self._line()

    def _line(self) -> str:
        """Return the start of a line, marked inside an excerpt (RFC 1896 section 3.4)."""
        return "\n> " if self._quotes else "\n"


LINK = re.compile(r"<(?:https?://|mailto:)[^<>\s]{1,2000}>")
"""A link target on one line, written after its name."""

_SIGN = r"[\w%&=?@.+~!$*;:/,#'-]"
_MARKS = r"\n[ \t>|]*+"
_FOLDED = rf"(?:{_MARKS}{_SIGN}*[%&=]{_SIGN}*+)*+"
"""Further lines of an address. None can be an action, since each has characters of a query.

Otherwise a person who types between the lines of a quote could lose a line, because another
player's note looks like the start of an address.
"""
_REST = rf"{_FOLDED}(?:{_MARKS}{_SIGN}{{0,76}})?"
_KIND = r"[ \t]*(?:url:)?(?:mailto:|https?://|[^\s<>()\[\]\"]{1,200}@[\w.-]{1,255}\?)"
_TARGET = re.compile(
    rf"hyperlink[ \t]+\"{_KIND}[^\"\n]*+{_REST}\""
    rf"|<{_KIND}[^<>\n]*+{_REST}>"
    rf"|\({_KIND}[^()\n]*+{_REST}\)"
    rf"|\[{_KIND}[^\[\]\n]*+{_REST}\]"
    rf"|(?<!{_SIGN})mailto:{_SIGN}*+(?:{_FOLDED}(?=[ \t]*$))?",
    re.IGNORECASE | re.MULTILINE,
)
_TITLE = (
    r"(?:^[ \t>|]*(?:visible )?(?:links|references|verweise|liens|enlaces|odnośniki|odsyłacze):?"
    r"[ \t]*\n(?:[ \t>|]*[-_=]{3,80}[ \t]*\n)?(?:[ \t>|]*\n)?){0,2}"
)
_FOOTNOTE = re.compile(
    rf"{_TITLE}^(?P<marks>[ \t>|]*)(?:\[(\d{{1,3}})\]:?|(\d{{1,3}})[.:])"
    rf"(?:[ \t]+|{_MARKS})<?(?:mailto:|https?://){_SIGN}*+{_FOLDED}>?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_REFERENCE = re.compile(
    r"(?<=\S)(?:[ \t]|\n[ \t>|]*+)?\[(\d{1,3})\](?!\w)|\[(\d{1,3})\](?=[^\s.,;:)])"
)
"""Number of a footnote after or right before the words of its link, never alone."""
_QUERY = re.compile(r"(?:\?|%3f|&|%26)(?:amp;)?(?:subject|body)(?:=|%3d)")


_SIGN_OF_ONE, _WORDS_ABOVE = "\ue010", "\ue011"
"""Private-use characters: one replaces a target, one says its words are the line above."""
_SIGNS = re.compile(f"[{_SIGN_OF_ONE}{_WORDS_ABOVE}]")
_BODY = re.compile(r"body=([^&<>()\[\]\s\"]*)", re.IGNORECASE)
_ENCODED = re.compile(r"%([0-9a-f]{2})", re.IGNORECASE)
_AROUND_WORDS = " \t>|*\u2022-."


def without_targets(text: str) -> str:
    """Return text without the targets of answer links, and without references to them."""
    return _SIGNS.sub("", with_signs(text))


def with_signs(text: str) -> str:
    """Return text with a placeholder in place of each target of an answer link."""
    text = _SIGNS.sub("", text)
    low = text.casefold()
    if "mailto" not in low and "?subject=" not in low:
        return text
    return _TARGET.sub(_left, _without_footnotes(text))


def marked_by_signs(text: str) -> str:
    """Quote the lines with placeholders, and the words of their links: nobody types those.

    So a list of legal actions is recognised even without quote marks.
    """
    if not _SIGNS.search(text):
        return text
    lines = text.split("\n")
    signed = {at for at, line in enumerate(lines) if _SIGNS.search(line)}
    signed |= {at - 1 for at in signed if _WORDS_ABOVE in lines[at]}
    bare = (_SIGNS.sub("", line) for line in lines)
    return "\n".join(
        f"> {line}" if at in signed and line.strip() and not line.lstrip().startswith(">") else line
        for at, line in enumerate(bare)
    )


def _left(found: re.Match[str]) -> str:
    if not _holds_an_answer(found[0]):
        return found[0]
    before = found.string[max(0, found.start() - 200) : found.start()].split("\n")
    body = _BODY.search(re.sub(_MARKS, "", found[0]))
    words = (
        _ENCODED.sub(lambda at: chr(int(at[1], 16)), body[1]).strip().removesuffix("...")
        if body
        else ""
    )
    above = before[-2].strip(_AROUND_WORDS) if len(before) > 1 else ""
    told = not before[-1].strip(_AROUND_WORDS) and above and above == words.strip(_AROUND_WORDS)
    return _SIGN_OF_ONE + _WORDS_ABOVE * bool(told)


def _holds_an_answer(target: str) -> bool:
    low = re.sub(_MARKS, "", target).casefold()
    return ("mailto" in low or "@" in low) and _QUERY.search(low) is not None


def _without_footnotes(text: str) -> str:
    """Remove the footnotes with link targets if any of them is an answer link."""
    found = list(_FOOTNOTE.finditer(text))
    if not any(_holds_an_answer(each[0]) for each in found):
        return text
    numbers = {number for each in found for number in each.groups()[1:] if number}
    text = _FOOTNOTE.sub(r"\g<marks>", text)
    return _REFERENCE.sub(lambda at: _SIGN_OF_ONE if (at[1] or at[2]) in numbers else at[0], text)
