"""A diagram as an HTML table for email programs: inline styles, nothing to load, no classes.

Each square shows its name, and its piece as a symbol and a letter, so it is clear without colours.
Every square sets both text and background colour, for programs that invert light and dark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from itertools import groupby

from pbem.games.diagram import Diagram, Place
from pbem.painters.palette import BESIDE, FRAME, PAPER, QUIET
from pbem.painters.squares import Size, Squares

WIDE = 304
"""Maximum width of a board in pixels: a small phone shows 320, minus the margins of an email."""
EDGE = 16
"""Width of row names, in pixels."""
HIGH = 28
"""Minimum height of a row in pixels: a line for the name of a square, and one for its piece."""


def table(diagram: Diagram, links: Mapping[str, str] | None = None, *, title: str = "") -> str:
    """Return the board. `links` maps names of squares to URLs (`mailto:`)."""
    side = _side(diagram)
    squares = Squares(diagram, links or {}, Size(side, max(side, HIGH)))
    rows = "".join(_row(diagram, row, squares) for row in range(diagram.rows))
    return f"{_opening(diagram, side, title)}{_head(diagram)}{rows}</table>"


def _side(diagram: Diagram) -> int:
    """Return the width of a square with its line, in pixels."""
    return (WIDE - (EDGE if diagram.row_names else 0)) // max(diagram.columns, 8)


def _opening(diagram: Diagram, side: int, title: str) -> str:
    edge = EDGE if diagram.row_names else 0
    wide = edge + diagram.columns * side
    label = f' aria-label="{escape(title)}"' if title else ""
    columns = f'<col width="{edge - 1}"/>' if edge else ""
    return (
        f'<table width="{wide}" cellpadding="0" cellspacing="1" border="0"{label} style="'
        f"width:{wide}px;table-layout:fixed;text-align:center;vertical-align:middle;"
        f"white-space:nowrap;font:9px/10px Arial,sans-serif;color:{QUIET}"
        f'"><colgroup>{columns}<col span="{diagram.columns}" width="{side - 1}"/></colgroup>'
    )


def _head(diagram: Diagram) -> str:
    """Return the names along the upper edge."""
    if not diagram.column_names:
        return ""
    names = "".join(_name(name) for name in ("", *diagram.column_names))
    return f'<tr height="{EDGE}">{names}</tr>'


def _name(name: str) -> str:
    return f'<td bgcolor="{FRAME}" style="color:{PAPER}">{escape(name)}</td>'


def _row(diagram: Diagram, row: int, squares: Squares) -> str:
    name = _name(diagram.row_names[row]) if diagram.row_names else ""
    cells = "".join(_cells(diagram, row, squares))
    return f'<tr height="{squares.size.high}">{name}{cells}</tr>'


def _cells(diagram: Diagram, row: int, squares: Squares) -> Iterator[str]:
    places = ((column, row) for column in range(diagram.columns))
    for on_board, run in groupby(places, key=squares.inside.__contains__):
        if on_board:
            yield from map(squares.painted, run)
        else:
            yield _beside(squares, list(run))


def _beside(squares: Squares, run: list[Place]) -> str:
    """Return squares off the board, with the name of the seat whose arm is next to them."""
    diagram, (column, row) = squares.diagram, run[0]
    left = column == 0
    below, left_of, above, right_of = diagram.around or ("",) * 4
    arm = (run[0] if left else run[-1])[0], row + 1
    seat = ""
    if left and row in (0, diagram.rows - 1):
        seat, left = below if row else above, False
    elif arm in squares.inside:
        seat = left_of if left else right_of
    if not seat:
        return f'<td colspan="{len(run)}"></td>'
    style = f"padding:4px;text-align:{'left' if left else 'right'};font-size:11px;color:{BESIDE}"
    return f'<td colspan="{len(run)}" style="{style}"><b>{escape(seat)}</b></td>'
