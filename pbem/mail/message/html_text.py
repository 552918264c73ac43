"""HTML text: convert an email's HTML to plain text, with quotes marked by `>`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree
from lxml.html import HtmlElement as Element, HTMLParser, document_fromstring

from pbem.mail.message.charsets import tidy

_QUOTES = frozenset(
    {
        "yahoo_quoted",
        "protonmail_quote",
        "moz-cite-prefix",
        "mail-editor-reference-message-container",  # Outlook on phones
    }
)
"""Classes and ids of the div that clients put around the answered email."""

_OPENS, _CLOSES = "\ue000", "\ue001"
_ADDED, _ENDS_ADDED = "\ue002", "\ue003"
_NOTED, _ENDS_NOTED = "\ue004", "\ue005"
"""Private-use characters that mark start and end of special text while HTML is converted.

The text is a quote, an addition by the client (signature, small print), or a note inside an email
of the club.
"""

_ENDS = re.compile(f"([{_OPENS}-{_ENDS_NOTED}])")
_BAR = re.compile(
    r"border-left:(?![^;]{0,40}\b(?:none|hidden|0(?:px|pt|em)?)\b)[^;]{0,40}\bsolid\b"
)
"""The line on the left that Outlook and others draw beside a quote."""
_NOTE = re.compile(r"border-left:\s{0,3}3px solid")
"""The line that the club's emails draw beside another player's note."""
_SMALL = re.compile(r"font-size:\s*(?:[1-8](?:\.\d{1,4})?pt|(?:\d|10)(?:\.\d{1,4})?px)")
"""Text too small for people to write in: at most 8 points or 10 pixels."""
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"' ]{0,2}([A-Za-z0-9._-]{1,40})", re.IGNORECASE)


def declared_charset(data: bytes) -> str:
    """Return the charset that an HTML document declares, empty if none."""
    found = _CHARSET.search(data, 0, 2048)
    return found[1].decode() if found else ""


def html_text(source: str, mark: str = "> ") -> str:
    """Return the text of HTML as a reader sees it. A line the person did not write is marked.

    Drops anything nested 256 deep, so that parsing stays linear.
    """
    tree = _tree(source)
    if tree is None:
        return ""
    page = _Page()
    page.read(tree, _Look())
    return "\n".join(_marked(page.text(), mark))


def _tree(source: str) -> Element | None:
    """Parse HTML, None if it is empty.

    The text of each element is cleaned here. An opponent's note may contain anything, and once
    lines are marked, nothing may turn into a line end or the end of a quote.
    """
    try:
        tree = document_fromstring(tidy(source).encode(), parser=HTMLParser(encoding="utf-8"))
    except etree.ParserError:
        return None
    etree.strip_tags(tree, etree.Comment, etree.ProcessingInstruction, etree.Entity)
    for element in tree.iter("*"):
        if element.text:
            element.text = _ENDS.sub("", tidy(element.text))
        if element.tail:
            element.tail = _ENDS.sub("", tidy(element.tail))
    return tree


def _is_quote(tag: str, attributes: Mapping[str, str]) -> bool:
    if tag == "blockquote":
        return not _indents_only(attributes)
    if _BAR.search(attributes.get("style", "").lower()):
        return True
    # GMX and WEB.DE. Yahoo puts "ydp" and a number before names.
    return attributes.get("name") == "quote" or any(
        word in _QUOTES or "yahoo_quoted" in word
        for key in ("class", "id")
        for word in attributes.get(key, "").split()
    )


def _is_note(attributes: Mapping[str, str]) -> bool:
    """Return whether an element is another player's note in a quoted email of the club.

    Its lines get the same bar as in the text part. A quote mark would be wrong: the lines below
    lack one and would seem new.
    """
    if {"type", "cite", "class", "id"} & set(attributes):
        return False
    return _NOTE.search(attributes.get("style", "").lower()) is not None


def _is_added(attributes: Mapping[str, str]) -> bool:
    """Return whether the client added an element: one named as a signature, or small print.

    `_MailAutoSig` is Word's bookmark for a signature, here or in a style.
    """
    names = " ".join(attributes.get(key, "") for key in ("class", "id", "name", "data-smartmail"))
    style = attributes.get("style", "").lower()
    signature = "signature" in names.lower() or "_MailAutoSig" in names
    return signature or "_mailautosig" in style or _SMALL.search(style) is not None


def _indents_only(attributes: Mapping[str, str]) -> bool:
    """Return whether an element is the writer's own text after Gmail's "indent more"."""
    style = attributes.get("style", "").replace(" ", "").lower()
    return "border:none" in style and not {"type", "cite", "class"} & set(attributes)


def _signs(tag: str, attributes: Mapping[str, str]) -> tuple[str, str]:
    """Return the start and end marks of an element's text, both empty for most."""
    if tag == "blockquote" and _is_note(attributes):
        return _NOTED, _ENDS_NOTED
    if tag in _MAY_QUOTE and _is_quote(tag, attributes):
        return _OPENS, _CLOSES
    return (_ADDED, _ENDS_ADDED) if _is_added(attributes) else ("", "")


class _Look(NamedTuple):
    """Appearance of an element."""

    tag: str = ""
    shown: bool = True
    kept: bool = False
    """Whether blanks and line ends are kept."""

    @property
    def block(self) -> bool:
        """Whether it starts and ends a line."""
        return self.shown and self.tag in _BLOCKS

    def of(self, tag: str, style: str) -> _Look:
        """Return the look of an element inside this one."""
        shown = self.shown and tag not in _UNSEEN
        kept = tag in _PREFORMATTED or (self.kept and tag in _SIGNED)
        for rule in style.lower().split(";"):
            key, _, value = (part.strip() for part in rule.partition("!")[0].partition(":"))
            shown = shown and (key, value) != ("display", "none")
            kept = kept or (key == "white-space" and value in _KEEPS_LINES)
        return _Look(tag, shown, kept)


@dataclass
class _Page:
    """Text of HTML, written line by line.

    An element is a line or part of one. Columns, margins and indentation have no meaning here. They
    would hide the `>` of plain text inside, and a small email could ask for gigabytes of blanks.
    """

    lines: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    """Pieces of the current line."""
    blank: bool = True
    """Whether another blank would follow a blank or start a line."""
    gap: bool = True
    """Whether an empty line or nothing is above."""
    bullets: list[str] = field(default_factory=list)
    """Bullets of the open blocks, empty if there is none or it has been written."""
    lists: list[str | int] = field(default_factory=list)
    """The bullet of each open list, or the number of its next item."""

    def text(self) -> str:
        self._end_line()
        return "\n".join(self.lines)

    def read(self, element: Element, outer: _Look) -> None:
        """Write an element and everything inside it."""
        tag = element.tag
        look = outer.of(tag, element.get("style", ""))
        opening, closing = _signs(tag, element.attrib) if tag in _SIGNED else ("", "")
        self._write(opening, look)
        if tag == "br" and not self._end_line():
            self.lines.append("")
        if tag in _LISTS:
            self.lists.append(1 if tag == "ol" else _BULLETS[len(self.lists) % len(_BULLETS)])
        bullet = self._bullet() if tag == "li" else ""
        if look.block:
            self._end_block(bullet)
            self.bullets.append(bullet)
            self._space(tag in _SPACED or outer.tag in _SPACED)
        self._write(element.text, look)
        for inner in element:
            self.read(inner, look)
        self._write(closing, look)
        if tag in _LISTS:
            self.lists.pop()
        if look.block:
            self._end_block(bullet)
            self.bullets.pop()
            self._space(tag in _SPACED)
        self._write(element.tail, outer)

    def _write(self, text: str | None, look: _Look) -> None:
        if not text or not look.shown:
            return
        if look.tag == "q":
            text = f'"{text}"'
        if not look.kept:
            text = _BLANKS.sub(" ", text)
            text = text.lstrip(" ") if self.blank else text
        if text:
            self.line += [text] if self.line else [self._open_bullet(), text]
            self.blank = not look.kept and text.endswith(" ")

    def _end_line(self) -> bool:
        """End the line. Return whether there was one."""
        if not self.line:
            return False
        line = "".join(self.line)
        self.lines.append(line.removesuffix(" ") if self.blank else line)
        self.line, self.blank, self.gap = [], True, False
        return True

    def _end_block(self, bullet: str) -> None:
        """End the line. At the edges of an item, write a bullet without text."""
        if not self._end_line() and bullet and (alone := self._open_bullet()):
            self.lines.append(alone)
            self.gap = False

    def _space(self, wanted: bool) -> None:
        if wanted and not self.gap:
            self.lines.append("")
            self.gap = True

    def _bullet(self) -> str:
        """Return the bullet of the next item, and count it."""
        bullet = self.lists[-1] if self.lists else _BULLETS[0]
        if isinstance(bullet, str):
            return bullet
        self.lists[-1] = bullet + 1
        return f"{bullet}. "

    def _open_bullet(self) -> str:
        """Take the innermost unwritten bullet, empty if there is none."""
        for place in reversed(range(len(self.bullets))):
            if bullet := self.bullets[place]:
                self.bullets[place] = ""
                return bullet
        return ""


_BLANKS = re.compile(r"\s+")
_KEEPS_LINES = ("pre", "pre-wrap", "pre-line", "break-spaces")
_LISTS = ("ul", "ol")
_BULLETS = ("* ", "+ ", "o ", "- ")
_UNSEEN = frozenset({"head", "link", "meta", "script", "title", "style"})
_PREFORMATTED = frozenset({"pre", "xmp", "listing", "plaintext"})
_SPACED = frozenset({"p", "figure", "h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _PREFORMATTED | _SPACED | {"address", "article", "aside", "blockquote", "div", "hr"}
_BLOCKS |= {"figcaption", "footer", "header", "hgroup", "layer", "main", "nav"}
_BLOCKS |= {"li", "ol", "ul", "table", "td", "th", "tr"}
_MAY_QUOTE = frozenset({"blockquote", "div"})
_SIGNED = _MAY_QUOTE | {"p", "span", "font", "pre", "a", "section", "footer", "b", "i", "u", "em"}
_SIGNED |= {"strong", "code", "tt", "s", "small", "big", "o:p"}
"""Elements that can be a quote or an addition by the client, or that keep lines."""


def _marked(text: str, mark: str) -> Iterator[str]:
    """Yield lines, with a mark if any part of one is in a quote, or was added below other text.

    A line with any part in a note gets a bar.
    """
    depth = _Depth()
    for line in text.split("\n"):
        pieces = _ENDS.split(line)
        said = [depth.place_of(piece) for piece in pieces]
        marked, noted = (any(each) for each in zip(*said, strict=True))
        bare = "".join(piece for piece in pieces if not _ENDS.match(piece)).rstrip()
        depth.written = depth.written or bool(bare.strip() and not marked and not noted)
        if bare or len(pieces) == 1:
            yield mark * marked + "| " * noted + bare


@dataclass
class _Depth:
    """Counts of open quotes, additions and notes."""

    quotes: int = 0
    added: int = 0
    notes: int = 0
    written: bool = False
    """Whether the person has written something, since clients only add below that."""

    def place_of(self, piece: str) -> tuple[bool, bool]:
        """Return whether a piece is another person's, and whether it is a note. Counts marks."""
        self.quotes = max(0, self.quotes + (piece == _OPENS) - (piece == _CLOSES))
        self.notes = max(0, self.notes + (piece == _NOTED) - (piece == _ENDS_NOTED))
        if self.written or self.added:
            self.added = max(0, self.added + (piece == _ADDED) - (piece == _ENDS_ADDED))
        said = bool(piece.strip()) and not _ENDS.match(piece)
        return said and self.quotes + self.added > 0, said and self.notes > 0
