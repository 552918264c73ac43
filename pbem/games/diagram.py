"""Diagram: a board as data, and the painter that turns it into plain text.

A game says what is where; a painter decides how it looks. No line is wider than 72 columns, every
character is ASCII, and no line ends in a blank.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

WIDTH = 72
"""Columns a painted line may take."""

Place = tuple[int, int]
"""Column and row of a cell as the viewer sees it, from 0, the top left first."""

ARRIVED = "<"
LEFT = ">"


class Cell(NamedTuple):
    """One square: its label, then its piece (`.` where vacant), then the mark of the last turn."""

    label: str
    piece: str
    mark: str = ""
    frame: tuple[str, str] | None = None
    """Signs to stand before and behind the piece of a special square."""


@dataclass(frozen=True)
class Group:
    """What belongs to one side or seat, listed by label below the board."""

    title: str
    lines: tuple[tuple[tuple[str, ...], str], ...]
    """Seats that a line is about (may be none), and the line."""


@dataclass(frozen=True)
class Diagram:
    """One position for one viewer."""

    columns: int
    rows: int
    cells: Mapping[Place, Cell]
    legend: tuple[str, ...]
    """What the signs mean, a sentence a line."""
    walls: frozenset[frozenset[Place]] = frozenset()
    """Pairs of neighbouring cells with a barrier between them."""
    groups: tuple[Group, ...] = field(default=())
    column_names: tuple[str, ...] = ()
    """Names along the upper and lower edge, where squares have no labels of their own."""
    row_names: tuple[str, ...] = ()
    """Names along the left and right edge."""
    standing: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What has been declared and holds, and the seats that stand by it."""

    @cached_property
    def walled_left(self) -> frozenset[Place]:
        """Cells with a barrier on their left."""
        return frozenset(max(wall) for wall in self.walls if len({row for _, row in wall}) == 1)

    @cached_property
    def walled_below(self) -> frozenset[Place]:
        """Cells with a barrier below them."""
        return frozenset(min(wall) for wall in self.walls if len({row for _, row in wall}) == 2)


def paint(diagram: Diagram, names: Mapping[str, str] | None = None) -> str:
    """Whole text of a diagram: board, groups, legend; `names` gives players' names by seat."""
    parts = [
        paint_board(diagram),
        paint_groups(diagram, names or {}),
        "\n".join(_standing(diagram, names or {})),
        "\n".join(diagram.legend),
    ]
    return "\n\n".join(part for part in parts if part)


def paint_board(diagram: Diagram) -> str:
    """The grid alone."""
    margin = MARGIN if diagram.row_names else 0
    width = min(WIDEST_CELL, (WIDTH - 2 * margin) // diagram.columns)
    lines = [_column_names(diagram, width, margin)]
    for row in range(diagram.rows):
        lines.append(_cells(diagram, row, width))
        lines.append(_walls_below(diagram, row, width))
    lines.append(_column_names(diagram, width, margin))
    return "\n".join(line for line in lines if line)


MARGIN = 3
"""Columns for the names of rows on either side."""
WIDEST_CELL = 6
FRAMED_CELL = 5
"""The narrowest cell with room for a frame round its piece."""


def _column_names(diagram: Diagram, width: int, margin: int) -> str:
    at = width - (2 if width >= FRAMED_CELL else 1)
    names = "".join(f"{name:>{at}}{'':{width - at}}" for name in diagram.column_names)
    return f"{'':{margin}}{names}".rstrip()


def _cells(diagram: Diagram, row: int, width: int) -> str:
    framed = bool(diagram.row_names) and width >= FRAMED_CELL
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


def paint_groups(diagram: Diagram, names: Mapping[str, str]) -> str:
    """Lists below the grid, for readers whose font aligns nothing."""
    lines = []
    for group in diagram.groups:
        lines.append(group.title)
        for seats, text in group.lines:
            who = _who(seats, names)
            lines += _wrapped(f"{who}: {text}" if who else text)
    return "\n".join(lines)


def _who(seats: tuple[str, ...], names: Mapping[str, str]) -> str:
    return " and ".join(f"{seat} ({names[seat]})" if seat in names else seat for seat in seats)


def _standing(diagram: Diagram, names: Mapping[str, str]) -> Iterator[str]:
    for words, seats in diagram.standing:
        if names:
            who = ", ".join(dict.fromkeys(names[seat] for seat in seats if seat in names))
        else:
            who = ", ".join(seats)
        yield from _wrapped(f"{words}: {who}.", " ")


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    if len(indent + text) <= WIDTH:
        return [indent + text]
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=2 * indent, break_on_hyphens=False
    )
