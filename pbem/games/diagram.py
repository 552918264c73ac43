"""Diagram: a board as data, and the painter that turns it into plain text.

A game says what is where; a painter decides how it looks. No line is wider than 72 columns, every
character is ASCII, and no line ends in a blank.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

WIDTH = 72
"""Columns a painted line may take."""

Place = tuple[int, int]
"""Column and row of a cell as the viewer sees it, from 0, the top left first."""

ARRIVED = "<"
LEFT = ">"


@dataclass(frozen=True)
class Cell:
    """One square: its label, then its piece (`.` where vacant), then the mark of the last turn."""

    label: str
    piece: str
    mark: str = ""


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


def paint(diagram: Diagram, names: Mapping[str, str] | None = None) -> str:
    """Whole text of a diagram: board, groups, legend; `names` gives players' names by seat."""
    parts = [paint_board(diagram), paint_groups(diagram, names or {}), "\n".join(diagram.legend)]
    return "\n\n".join(part for part in parts if part)


def paint_board(diagram: Diagram) -> str:
    """The grid alone."""
    width = min(6, WIDTH // diagram.columns)
    lines = []
    for row in range(diagram.rows):
        lines.append(_cells(diagram, row, width))
        lines.append(_walls_below(diagram, row, width))
    # The first line is never blank, so it keeps its margin where a mail client trims paragraphs.
    return "\n".join(line for line in lines if line)


def _cells(diagram: Diagram, row: int, width: int) -> str:
    texts = []
    for column in range(diagram.columns):
        cell = diagram.cells.get((column, row))
        text = f"{cell.label + cell.piece:>{width - 1}}{cell.mark:1}" if cell else " " * width
        wall = frozenset({(column - 1, row), (column, row)}) in diagram.walls
        texts.append("|" + text[1:] if wall else text)
    return "".join(texts).rstrip()


def _walls_below(diagram: Diagram, row: int, width: int) -> str:
    walls = (frozenset({(c, row), (c, row + 1)}) in diagram.walls for c in range(diagram.columns))
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


def _wrapped(text: str) -> list[str]:
    indent = "  "
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=2 * indent, break_on_hyphens=False
    )
