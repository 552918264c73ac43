"""Plain text diagrams.

Lines are at most 72 columns wide and in ASCII, without trailing spaces.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from pbem.games.diagram import WIDTH, Captions, Cell, Diagram
from pbem.games.phrases import Words


def paint(diagram: Diagram, names: Mapping[str, str], words: Words) -> str:
    """Return a whole diagram as text: board, lists and legend. `names` maps seats to players."""
    return paint_all(Captions(diagram, names, words))


def paint_all(captions: Captions) -> str:
    """Return a whole board with its captions as text."""
    parts = (paint_board(captions.diagram), paint_lists(captions), paint_legend(captions))
    return "\n\n".join(filter(None, parts))


def paint_lists(captions: Captions) -> str:
    """Return the captions except the legend: lists by seat and declarations."""
    return "\n\n".join(filter(None, (paint_groups(captions), _below(captions.standing))))


def paint_board(diagram: Diagram) -> str:
    """Return the grid alone."""
    margin = MARGIN if diagram.row_names else 0
    width = min(WIDEST_CELL, (WIDTH - 2 * margin) // diagram.columns)
    lines = [_column_names(diagram, width, margin)]
    if diagram.links_in_text:
        lines += _linked(diagram, width, margin)
    else:
        for row in range(diagram.rows):
            lines.append(_cells(diagram, row, width))
            lines.append(_walls_below(diagram, row, width))
    lines.append(_column_names(diagram, width, margin))
    return "\n".join(line for line in lines if line)


MARGIN = 3
"""Columns for row names on either side."""
WIDEST_CELL = 6
FRAMED_CELL = 5
"""Minimum width of a cell with room for a frame around its piece."""


def _column_names(diagram: Diagram, width: int, margin: int) -> str:
    at = width - (2 if width >= FRAMED_CELL else 1)
    names = "".join(f"{name:>{at}}{'':{width - at}}" for name in diagram.column_names)
    return f"{'':{margin}}{names}".rstrip()


def _cells(diagram: Diagram, row: int, width: int) -> str:
    framed = _framed(diagram, width)
    texts = [" " * width] * diagram.columns
    for column in range(diagram.columns):
        if cell := diagram.cells.get((column, row)):
            texts[column] = _cell(cell, width, framed)
        if (column, row) in diagram.walled_left:
            texts[column] = "|" + texts[column][1:]
    line = "".join(texts)
    if diagram.row_names:
        name = diagram.row_names[row]
        line = f"{name:>{MARGIN - 1}} {line} {name}"
    return line.rstrip()


def _cell(cell: Cell, width: int, framed: bool) -> str:
    before, after = cell.frame or ((" ", " ") if framed else ("", ""))
    return (cell.label + before + cell.piece + after).rjust(width - 1) + (cell.mark or " ")


def _walls_below(diagram: Diagram, row: int, width: int) -> str:
    if not diagram.walls:
        return ""
    walls = [(column, row) in diagram.walled_below for column in range(diagram.columns)]
    return "".join(" " + "-" * (width - 1) if wall else " " * width for wall in walls).rstrip()


def _linked(diagram: Diagram, width: int, margin: int) -> list[str]:
    """Return the rows with the lines between cells, and a row for lines below each of them."""
    rows = range(diagram.rows)
    both = [(_cells(diagram, row, width), _walls_below(diagram, row, width)) for row in rows]
    drawn = [list(line.ljust(WIDTH)) for lines in both for line in lines]
    for (left, top), (right, bottom) in map(sorted, diagram.links):
        start, end = (
            margin
            + column * width
            + _piece_in(diagram.cells[column, row], width, _framed(diagram, width))
            for column, row in ((left, top), (right, bottom))
        )
        if top == bottom:
            label = diagram.cells[right, bottom].label
            signs = {(x, 2 * top): "-" for x in range(start + 1, end - len(label))}
        else:
            across, down = end - start, 2 * (bottom - top)
            sign = "|" if not across else "\\" if across * down > 0 else "/"
            step = 1 if down > 0 else -1
            signs = {
                (start + round(across * at / down), 2 * top + at): sign
                for at in range(step, down, step)
            }
        for (x, y), sign in signs.items():
            if drawn[y][x] == " ":
                drawn[y][x] = sign
    return ["".join(line).rstrip() for line in drawn]


def _piece_in(cell: Cell, width: int, framed: bool) -> int:
    """Return the column of a cell's piece, from its left."""
    return width - 1 - bool(cell.frame or framed) - len(cell.piece)


def _framed(diagram: Diagram, width: int) -> bool:
    return bool(diagram.row_names) and width >= FRAMED_CELL


def paint_groups(captions: Captions) -> str:
    """Return the lists alone, for readers with a proportional font."""
    return "\n".join(_group_lines(captions))


def _group_lines(captions: Captions) -> Iterator[str]:
    for title, lines in captions.lists:
        yield from textwrap.wrap(title, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        for line in lines:
            yield from _wrapped(line)


def paint_legend(captions: Captions) -> str:
    """Return the legend."""
    return _below(captions.legend)


def _below(said: Iterable[str]) -> str:
    return "\n".join(line for each in said for line in _wrapped(each, " "))


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    if len(indent + text) <= WIDTH:
        return [indent + text]
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=2 * indent, break_on_hyphens=False
    )
