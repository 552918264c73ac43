"""Compared: old and new terms side by side, each line that differs marked."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from difflib import SequenceMatcher
from html import escape
from itertools import zip_longest
from typing import NamedTuple

from pbem.games.diagram import WIDTH
from pbem.mail.outgoing.figure import Figure
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
