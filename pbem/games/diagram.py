"""Diagram: a board as data, and the painter that turns it into plain text.

A game says what is where; a painter decides how it looks, and gives its phrases the words of a
language. No line is wider than 72 columns, every character is ASCII, and no line ends in a space.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from pbem.games.phrases import Phrase, Value, Words
from pbem.games.words import phrase

WIDTH = 72
"""Columns a painted line may take."""

Place = tuple[int, int]
"""Column and row of a cell as the viewer sees it, from 0, the top left first."""

ARRIVED = "<"
LEFT = ">"


class Token(NamedTuple):
    """A piece as a picture shows it: told apart by its shape, and by the colour of its owner."""

    shape: str
    """Which outline: `pawn`, `small-castle`, `big-castle`, `man`, `knight`, `sword`."""
    colour: str
    """Whose: `white`, `black`, `yellow`, `red`, `blue`, `green`, `violet`, `gold`."""


class Trail(NamedTuple):
    """What a seat did in a turn, as a picture marks it."""

    turn: int
    seat: str
    paths: tuple[tuple[str, ...], ...]
    """Ways of pieces by the names of squares, start first; one name where a piece was placed."""


class Cell(NamedTuple):
    """One square: its label, then its piece (`.` where vacant), then the mark of the last turn."""

    label: str
    piece: str
    mark: str = ""
    frame: tuple[str, str] | None = None
    """Signs to stand before and behind the piece of a special square."""
    name: str = ""
    """As actions write it."""
    tokens: tuple[Token, ...] = ()
    """Its pieces in a picture; more than one where several may stand."""
    ground: str = "plain"
    """What kind of square it is, for a picture's colour."""


class Tray(NamedTuple):
    """What a seat has beside the board, for a picture: its piece, and what is counted of it."""

    token: Token
    said: tuple[Phrase, ...]


@dataclass(frozen=True)
class Group:
    """What belongs to one side or seat, listed by label below the board."""

    title: Phrase
    lines: tuple[tuple[tuple[str, ...], Phrase], ...]
    """Seats that a line is about (may be none), and the line."""


@dataclass(frozen=True)
class Diagram:
    """One position for one viewer."""

    columns: int
    rows: int
    cells: Mapping[Place, Cell]
    legend: tuple[Phrase, ...]
    """What the signs mean, a sentence a line."""
    key: tuple[Phrase, ...] = ()
    """What the signs of a picture mean, but for trails; none where the legend says it."""
    walls: frozenset[frozenset[Place]] = frozenset()
    """Pairs of neighbouring cells with a barrier between them."""
    groups: tuple[Group, ...] = field(default=())
    column_names: tuple[str, ...] = ()
    """Names along the upper and lower edge, where squares have no labels of their own."""
    row_names: tuple[str, ...] = ()
    """Names along the left and right edge."""
    standing: tuple[tuple[Phrase, tuple[str, ...]], ...] = ()
    """What has been declared and holds, and the seats that stand by it."""
    seat_names: Mapping[str, Phrase] = field(default_factory=dict)
    """Seats whose names are words of a language, with those."""
    trails: tuple[Trail, ...] = ()
    """The last turn of each player, oldest first; only pictures show them, and what follows."""
    checkered: bool = False
    """Whether neighbouring squares differ in tone, as on a chessboard."""
    links: frozenset[frozenset[Place]] = frozenset()
    """Pairs of cells from one to the other of which play runs, where that is not all neighbours."""
    bounds: frozenset[frozenset[Place]] = frozenset()
    """Pairs of neighbouring cells that belong to different parts of the board."""
    around: tuple[str, ...] = ()
    """Seats on the four sides: below, left, above, right."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """Colour of a token by seat."""
    trays: tuple[Tray, ...] = ()

    def name_of(self, seat: str) -> Phrase | str:
        """A seat as the lists name it."""
        return self.seat_names.get(seat, seat)

    @cached_property
    def named(self) -> dict[str, Place]:
        """Where the squares are that actions name."""
        return {cell.name: place for place, cell in self.cells.items() if cell.name}

    @cached_property
    def walled_left(self) -> frozenset[Place]:
        """Cells with a barrier on their left."""
        return frozenset(max(wall) for wall in self.walls if len({row for _, row in wall}) == 1)

    @cached_property
    def walled_below(self) -> frozenset[Place]:
        """Cells with a barrier below them."""
        return frozenset(min(wall) for wall in self.walls if len({row for _, row in wall}) == 2)


def paint(diagram: Diagram, names: Mapping[str, str], words: Words) -> str:
    """Whole text of a diagram: board, groups, legend; `names` gives players' names by seat."""
    parts = [
        paint_board(diagram),
        paint_lists(diagram, names, words),
        paint_legend(diagram, words),
    ]
    return "\n\n".join(part for part in parts if part)


def paint_lists(diagram: Diagram, names: Mapping[str, str], words: Words) -> str:
    """What stands below the board but the legend: groups, and what has been declared."""
    parts = [
        paint_groups(diagram, names, words),
        _below(standing_lines(diagram, names, words)),
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


def paint_groups(diagram: Diagram, names: Mapping[str, str], words: Words) -> str:
    """Lists below the grid, for readers whose font aligns nothing."""
    lines = []
    for title, said in group_lines(diagram, names, words):
        lines.append(title)
        for line in said:
            lines += _wrapped(line)
    return "\n".join(lines)


def group_lines(
    diagram: Diagram, names: Mapping[str, str], words: Words
) -> Iterator[tuple[str, list[str]]]:
    """Title and lines of each group, however long."""
    for group in diagram.groups:
        lines = (
            phrase("list.line", who=_who(diagram, seats, names), said=said) if seats else said
            for seats, said in group.lines
        )
        yield words.text(group.title), [words.text(line) for line in lines]


def _who(diagram: Diagram, seats: tuple[str, ...], names: Mapping[str, str]) -> Phrase:
    each = ((diagram.name_of(seat), names.get(seat)) for seat in seats)
    items = (phrase("list.who", seat=seat, player=name) if name else seat for seat, name in each)
    return phrase("list.seats", items=tuple(items))


def standing_lines(diagram: Diagram, names: Mapping[str, str], words: Words) -> Iterator[str]:
    """What has been declared and holds, and who stands by it, however long."""
    for said, seats in diagram.standing:
        if names:
            who: tuple[Value, ...] = tuple(dict.fromkeys(names[s] for s in seats if s in names))
        else:
            who = tuple(diagram.name_of(seat) for seat in seats)
        line = phrase("list.standing", said=said, who=phrase("list.names", items=who))
        yield words.text(line)


def paint_legend(diagram: Diagram, words: Words) -> str:
    """What the signs mean."""
    return _below(words.text(said) for said in diagram.legend)


def _below(said: Iterable[str]) -> str:
    return "\n".join(line for each in said for line in _wrapped(each, " "))


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    if len(indent + text) <= WIDTH:
        return [indent + text]
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=2 * indent, break_on_hyphens=False
    )
