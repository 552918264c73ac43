"""Tables: standings as HTML tables, and short items side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import repeat

from pbem.games.diagram import WIDTH
from pbem.mail.outgoing.typeset.page import CLOSE, TABLE, Figure, element, flowing

_CELL = (
    "padding:3px {gap}px;border-bottom:1px solid #b5ab97;text-align:{side};vertical-align:bottom"
)
WIDE = 8
"""More columns than this are set closer, so that a phone shows all of them."""


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], names: int = 0, *, close: bool = True
) -> str:
    """Return a table with a head. Column `names` has names, the others numbers and marks.

    With `close`, numbered columns of a wide table have marks of one character.
    """
    wide = len(head) > WIDE
    styles = [
        _CELL.format(gap=_gap(cell, wide, close=close), side="left" if at == names else "right")
        for at, cell in enumerate(head)
    ]
    lines = [_row("td", map(_escaped, row), styles) for row in rows]
    if any(head):
        lines.insert(0, _head([_stacked(cell, wide) for cell in head], styles))
    return element("table", CLOSE if wide else TABLE, "\n".join(("", *lines, "")))


def cells(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of escaped words without a head: a word, and lines about it."""
    styles = [f"padding:6px {gap}px 6px 0;border-bottom:1px solid #b5ab97" for gap in (12, 0)]
    styles = [f"{each};vertical-align:top" for each in styles]
    lines = (_row("td", (first, "<br>".join(others)), styles) for first, *others in rows)
    return element("table", TABLE, "\n".join(("", *lines, "")))


def _gap(head: str, wide: bool, *, close: bool) -> int:
    """Return the pixels beside a cell, fewer if there are many columns."""
    if not wide:
        return 7
    return 1 if close and head.isdigit() else 3 if not close else 4


def _stacked(cell: str, wide: bool) -> str:
    """Stack the digits of a number to keep it as narrow as a mark, if there are many columns."""
    return "<br>".join(cell) if wide and cell.isdigit() else _escaped(cell)


def _escaped(text: str) -> str:
    return escape(text, quote=False)


def _row(name: str, cells: Iterable[str], styles: Sequence[str]) -> str:
    texts = map(element, repeat(name), styles, cells)
    return f"<tr>{''.join(texts)}</tr>"


def _head(cells: Sequence[str], styles: Sequence[str]) -> str:
    """Return the row above a table. Screen readers must not announce an empty heading."""
    texts = (
        element("th" if cell else "td", style, cell)
        for cell, style in zip(cells, styles, strict=True)
    )
    return f"<tr>{''.join(texts)}</tr>"


def columns(items: Iterable[str], gap: int = 4) -> str:
    """Lay out items side by side, indented by two, as many to a line as fit."""
    lines, line = [], ""
    for item in items:
        longer = f"{line}{' ' * gap}{item}" if line else f"  {item}"
        if line and len(longer) > WIDTH:
            lines.append(line)
            longer = f"  {item}"
        line = longer
    return "\n".join([*lines, line]) if line else ""


def in_columns(items: Iterable[str], gap: int = 4) -> Figure:
    """Return such columns as a figure."""
    listed = list(items)
    return Figure(columns(listed, gap), lambda _: flowing(listed))
