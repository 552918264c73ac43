"""Filters: parts of a template that are typeset in a way of their own, beside how they read."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from difflib import SequenceMatcher
from html import escape
from itertools import zip_longest
from typing import Any, NamedTuple

from jinja2 import pass_context
from jinja2.runtime import Context

from pbem.games.diagram import WIDTH
from pbem.mail.outgoing import folding
from pbem.mail.outgoing.figure import Figure, Said, in_text, placed
from pbem.mail.outgoing.typeset import lists, markdown, style, tables
from pbem.mail.outgoing.typeset.page import Page
from pbem.mail.outgoing.typeset.tables import cells

MARK = "> "
GAP = "  "
COLUMN = (WIDTH - len(MARK) - len(GAP)) // 2


_BETWEEN = re.compile(r"; (?![^()]*\))")
"""Separates terms, except inside an explanation in brackets."""


class _Row(NamedTuple):
    old: str
    new: str

    @property
    def mark(self) -> str:
        return MARK if self.old != self.new else " " * len(MARK)

    @property
    def lines(self) -> Iterator[str]:
        """In two columns; only its first line has the mark."""
        mark = self.mark
        wrapped = (textwrap.wrap(each, COLUMN) or [""] for each in self)
        for old, new in zip_longest(*wrapped, fillvalue=""):
            yield f"{mark}{old:{COLUMN}}{GAP}{new}".rstrip()
            mark = " " * len(MARK)

    @property
    def html(self) -> tuple[str, str]:
        """Return its cells, in bold if they differ."""
        old, new = escape(self.old, quote=False), escape(self.new, quote=False)
        return (old, new) if self.old == self.new else (old, f"<b>&gt; {new}</b>")


def compared(new: str, old: str, old_title: str, new_title: str) -> Figure:
    """Lines of new and old terms, a term a line, under the titles of both."""
    head, rows = _Row(old_title, new_title), list(_rows(_terms(old), _terms(new)))
    under = f"{' ' * len(MARK)}{head.old:{COLUMN}}{GAP}{head.new}"
    text = "\n".join([under, *(line for row in rows for line in row.lines)])
    titles = (f"<i>{escape(head.old)}</i>", f"<i>{escape(head.new)}</i>")
    return Figure(text, lambda _: cells([titles, *(row.html for row in rows)]))


def _terms(text: str) -> list[str]:
    """A time control says several in one line."""
    lines = (line.strip() for line in text.splitlines() if line.strip())
    return [part for line in lines for part in _BETWEEN.split(line)]


def _rows(old: list[str], new: list[str]) -> Iterator[_Row]:
    for _, first, last, begin, end in SequenceMatcher(None, old, new).get_opcodes():
        for before, after in zip_longest(old[first:last], new[begin:end], fillvalue=""):
            yield _Row(before, after)


def headline(said: str) -> str:
    """What the mail is about, in large letters."""
    return _set(
        said, in_text(said), lambda page: style.element("p", style.HEADLINE, _line(page, said))
    )


def callout(said: str) -> str:
    """What must not be missed."""
    return _set(said, in_text(said), lambda page: style.callout(_line(page, said)))


def indented(said: str, first: int, further: int) -> str:
    """A list, a line an item; in the text indented, and folded where a line is long."""
    text = folding.indented(in_text(said), first, further)
    return placed(Figure(text, lambda page: lists.listed(map(page.line, said.splitlines()))))


def rows(said: str) -> str:
    """A table, a line a row, its cells parted by tabs: the first, and what is said of it."""
    cells = _cells(said)
    text = folding.beside([[in_text(cell) for cell in row] for row in cells])

    def html(page: Page) -> str:
        return tables.cells([[*map(page.line, row)] for row in cells])

    return _set(said, f"{text}\n", html)


def explained(said: str) -> str:
    """Terms and what they are, a line each, parted by a tab; a long term has a line of its own."""
    cells = _cells(said)
    text = folding.explained([[in_text(cell) for cell in row] for row in cells])

    def html(page: Page) -> str:
        return lists.explained([[*map(page.line, row)] for row in cells])

    return _set(said, f"{text}\n", html)


def _cells(said: str) -> list[list[str]]:
    return [line.strip(" ").split("\t") for line in said.splitlines() if line.strip()]


def hanging(said: str, indent: int = 2) -> str:
    """Lines that are folded each by itself."""
    return _set(said, folding.hanging(in_text(said), indent), lambda page: page.blocks(said))


def definitions(said: str) -> str:
    """Terms and what they are."""
    return _set(said, in_text(said), lambda page: lists.definitions(page.line(said)))


def tapped(said: str) -> str:
    """How to answer a question, and below it what answers by a tap."""
    return _set(
        said, in_text(said), lambda page: f"{page.blocks(said)}\n{page.answer}".rstrip(), taps=True
    )


@pass_context  # else Jinja would place a text that never changes when it reads the template
def tap(_context: Context, text: str, label: str = "") -> str:
    """A line that can be sent: in the HTML a link that sends it, by a label of its own or none."""
    return placed(Figure(text, lambda page: page.link(text, label)))


def or_taps(said: str) -> str:
    """Actions that are legal; where no board says so already, as what can be tapped."""

    def html(page: Page) -> str:
        return page.to_tap if page.lists_actions and not page.has_board else page.blocks(said)

    return _set(said, in_text(said), html, taps=True)


def unless_tapped(said: str) -> str:
    """What need not be said where the actions that are legal can be tapped beside the board."""
    return _set(said, in_text(said), lambda page: "" if page.lists_actions else page.blocks(said))


def as_markdown(text: str) -> str:
    """A page in Markdown, which the text shows as it is written."""
    return placed(Figure(text, lambda _: markdown.typeset(text)))


FILTERS: Mapping[str, Callable[..., Any]] = {
    "callout": callout,
    "compared": compared,
    "definitions": definitions,
    "explained": explained,
    "hanging": hanging,
    "headline": headline,
    "indented": indented,
    "markdown": as_markdown,
    "or_taps": or_taps,
    "rows": rows,
    "tap": tap,
    "tapped": tapped,
    "unless_tapped": unless_tapped,
}


def _set(said: str, text: str, html: Callable[[Page], str], *, taps: bool = False) -> Said:
    """A figure; the end of the line that it stands on stays outside."""
    own = placed(Figure(text.rstrip("\n"), html, has_taps=taps))
    return Said(own + "\n" * (len(text) - len(text.rstrip("\n"))))


def _line(page: Page, said: str) -> str:
    return page.line(" ".join(said.split("\n")).strip())
