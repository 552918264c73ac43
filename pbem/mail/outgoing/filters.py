"""Filters of the templates: lay out parts of an email as text and HTML, and fold long lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import zip_longest
from typing import Any, NamedTuple

from jinja2 import pass_context
from jinja2.runtime import Context

from pbem.games.diagram import WIDTH
from pbem.mail.message.charsets import columns, harmless
from pbem.mail.outgoing.look import in_block
from pbem.mail.outgoing.typeset import markdown
from pbem.mail.outgoing.typeset.page import (
    HEADLINE,
    Figure,
    Page,
    Said,
    callout as page_callout,
    definitions as definition_list,
    element,
    explained as explained_list,
    in_text,
    listed,
    placed,
)
from pbem.mail.outgoing.typeset.tables import cells as table_of_cells
from pbem.matches.zones import minute

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
        """The lines of two columns. Only the first has the mark."""
        mark = self.mark
        wrapped = (textwrap.wrap(each, COLUMN) or [""] for each in self)
        for old, new in zip_longest(*wrapped, fillvalue=""):
            yield f"{mark}{old:{COLUMN}}{GAP}{new}".rstrip()
            mark = " " * len(MARK)

    @property
    def html(self) -> tuple[str, str]:
        """Return the cells, the new one in bold if they differ."""
        old, new = escape(self.old, quote=False), escape(self.new, quote=False)
        return (old, new) if self.old == self.new else (old, f"<b>&gt; {new}</b>")


def compared(new: str, old: str, old_title: str, new_title: str) -> Figure:
    """Compare new and old terms in two columns with titles, one term per line."""
    head, rows = _Row(old_title, new_title), list(_rows(_terms(old), _terms(new)))
    under = f"{' ' * len(MARK)}{head.old:{COLUMN}}{GAP}{head.new}"
    text = "\n".join([under, *(line for row in rows for line in row.lines)])
    titles = (f"<i>{escape(head.old)}</i>", f"<i>{escape(head.new)}</i>")
    return Figure(text, lambda _: table_of_cells([titles, *(row.html for row in rows)]))


def _terms(text: str) -> list[str]:
    """Split a text into terms. A time control has several on one line."""
    lines = (line.strip() for line in text.splitlines() if line.strip())
    return [part for line in lines for part in _BETWEEN.split(line)]


def _rows(old: list[str], new: list[str]) -> Iterator[_Row]:
    for _, first, last, begin, end in SequenceMatcher(None, old, new).get_opcodes():
        for before, after in zip_longest(old[first:last], new[begin:end], fillvalue=""):
            yield _Row(before, after)


def headline(said: str) -> str:
    """Set a text as a headline."""
    return _set(said, in_text(said), lambda page: element("h1", HEADLINE, _line(page, said)))


def callout(said: str) -> str:
    """Set a text as a callout that readers must not miss."""
    return _set(said, in_text(said), lambda page: page_callout(_line(page, said)))


def indented(said: str, first: int, further: int) -> str:
    """Set a list with one item per line. In the text, it is indented and folded."""
    text = fold_indented(in_text(said), first, further)
    return placed(Figure(text, lambda page: listed(map(page.line, said.splitlines()))))


def rows(said: str) -> str:
    """Set a table with a row per line and cells separated by tabs: a heading, its description."""
    cells = _cells(said)
    text = fold_beside([[in_text(cell) for cell in row] for row in cells])

    def html(page: Page) -> str:
        return table_of_cells([[*map(page.line, row)] for row in cells])

    return _set(said, f"{text}\n", html)


def explained(said: str) -> str:
    """Set terms and descriptions, one per line, separated by a tab. A long one has its own line."""
    cells = _cells(said)
    text = fold_explained([[in_text(cell) for cell in row] for row in cells])

    def html(page: Page) -> str:
        return explained_list([[*map(page.line, row)] for row in cells])

    return _set(said, f"{text}\n", html)


def _cells(said: str) -> list[list[str]]:
    return [line.strip(" ").split("\t") for line in said.splitlines() if line.strip()]


def hanging(said: str, indent: int = 2) -> str:
    """Set lines that are folded one by one."""
    return _set(said, fold_hanging(in_text(said), indent), lambda page: page.blocks(said))


def definitions(said: str) -> str:
    """Set terms and their definitions."""
    return _set(said, in_text(said), lambda page: definition_list(page.line(said)))


def tapped(said: str) -> str:
    """Set how to answer a question, with links for the answers below it."""
    return _set(
        said, in_text(said), lambda page: f"{page.blocks(said)}\n{page.answer}".rstrip(), taps=True
    )


@pass_context  # otherwise Jinja would place a constant text when it reads the template
def tap(context: Context, text: str, label: str = "") -> str:
    """Set a line that can be sent. In HTML, it is a link that sends it, with an optional label.

    Where an email is about several matches, it sends the line of `block_of` above it.
    """
    match = context.get("block_of")
    if match is None:
        return placed(Figure(text, lambda page: page.link(text, label)))
    sent = in_block(match, text)
    return placed(Figure(text, lambda page: page.link(sent, label or text)))


def or_taps(said: str) -> str:
    """Set the legal actions, as links in HTML unless a board has them."""

    def html(page: Page) -> str:
        return page.to_tap if page.lists_actions and not page.has_board else page.blocks(said)

    return _set(said, in_text(said), html, taps=True)


def unless_tapped(said: str) -> str:
    """Set a text that HTML omits if the legal actions are links beside the board."""
    return _set(said, in_text(said), lambda page: "" if page.lists_actions else page.blocks(said))


def in_text_only(said: str) -> str:
    """Set a text that HTML omits, since it has links instead."""
    return _set(said, in_text(said), lambda _: "")


def as_markdown(text: str) -> str:
    """Set a page of Markdown, which the text shows as written."""
    return placed(Figure(text, lambda _: markdown.typeset(text)))


FILTERS: Mapping[str, Callable[..., Any]] = {
    "callout": callout,
    "compared": compared,
    "definitions": definitions,
    "explained": explained,
    "hanging": hanging,
    "headline": headline,
    "in_text_only": in_text_only,
    "indented": indented,
    "markdown": as_markdown,
    "minute": minute,
    "or_taps": or_taps,
    "rows": rows,
    "tap": tap,
    "tapped": tapped,
    "unless_tapped": unless_tapped,
}


def _set(said: str, text: str, html: Callable[[Page], str], *, taps: bool = False) -> Said:
    """Return a figure. The end of its line stays outside."""
    own = placed(Figure(text.rstrip("\n"), html, has_taps=taps))
    return Said(own + "\n" * (len(text) - len(text.rstrip("\n"))))


def _line(page: Page, said: str) -> str:
    return page.line(" ".join(said.split("\n")).strip())


def fold_indented(text: str, first: int, further: int) -> str:
    """Indent and fold the lines of a text."""
    return "\n".join(
        textwrap.fill(line, WIDTH, initial_indent=" " * first, subsequent_indent=" " * further)
        for line in text.splitlines()
    )


def fold_beside(rows: Sequence[Sequence[str]], gap: int = 2) -> str:
    """Lay out rows with the first cell on the left and the others below one another beside it."""
    width = max((len(first) for first, *_ in rows), default=0)
    return "\n".join(_beside(row, width + gap) for row in rows)


def _beside(row: Sequence[str], width: int) -> str:
    first, *others = row
    lines = [line for cell in filter(None, others) for line in _lines(cell, 2 + width)]
    below = "".join(f"\n{'':{2 + width}}{line}" for line in lines[1:])
    return f"  {first:{width}}{lines[0] if lines else ''}".rstrip() + below


SHORT = 12
"""Columns of a term that shares a line with its description."""


def fold_explained(rows: Sequence[Sequence[str]]) -> str:
    """Lay out terms and descriptions. A long term is above its description."""
    return "\n".join(
        _beside((term, said), SHORT + 2)
        if len(term) <= SHORT
        else "\n".join([f"  {term}", *(f"      {line}" for line in _lines(said, 6))])
        for term, said in rows
    )


def _lines(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, WIDTH - indent, break_on_hyphens=False)


def fold_hanging(text: str, indent: int = 2) -> str:
    """Fold the long lines of a text one by one."""
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
        for line in text.split("\n")
    )


OF_OTHERS = 56
"""Columns for another person's text.

No client breaks such short lines in a quote, so their text can never be taken for that of the
quoting player.
"""
_MARK = "| "
_MOST_INDENTED = 20
_BEFORE_BLANKS = re.compile(r"(?<=\S)(?=\s)")


def tidy(text: str) -> str:
    """Fold long lines, and remove trailing spaces and double empty lines."""
    lines = [folded for line in harmless(text).splitlines() for folded in _folded(line.rstrip())]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def _folded(line: str) -> list[str]:
    if line.startswith(_MARK):
        return list(_words_of_others(line.removeprefix(_MARK).expandtabs()))
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(
        line,
        WIDTH,
        subsequent_indent=line[: len(line) - len(line.lstrip())],
        break_on_hyphens=False,
        break_long_words=False,
        replace_whitespace=False,
    )


def _words_of_others(text: str) -> Iterator[str]:
    """Yield lines that all have the mark, so that none looks like the club's own words."""
    words = text.lstrip()
    line = " " * min(len(text) - len(words), _MOST_INDENTED)
    for word in _BEFORE_BLANKS.split(words):
        if line.strip() and columns(_MARK + line + word) > OF_OTHERS:
            yield _MARK + line
            line = word.lstrip()
        else:
            line += word
    yield (_MARK + line).rstrip()
