"""Diagram: a board as data, with its captions.

A game says where everything is. A painter decides how it looks and translates its phrases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from pbem.games.phrases import Phrase, Value, Words
from pbem.games.words import phrase

WIDTH = 72
"""Maximum width of a painted line, in columns."""

Place = tuple[int, int]
"""Column and row of a cell as the viewer sees it, from 0 at the top left."""

ARRIVED = "<"
LEFT = ">"


class PieceToken(NamedTuple):
    """A piece in a picture, recognised by its shape and the colour of its owner."""

    shape: str
    """Name of its shape in `Family.pieces`, of its own family or of pbem's."""
    colour: str
    """Colour of the owner: `white`, `black`, `yellow`, `red`, `blue`, `green`, `violet` or
    `gold`.
    """


class Trail(NamedTuple):
    """A seat's actions in one turn, as a picture marks them."""

    turn: int
    seat: str
    paths: tuple[tuple[str, ...], ...]
    """Paths of pieces by square names, start first. A single name if a piece was placed."""


class Cell(NamedTuple):
    """A square: its label, its piece (`.` if vacant) and the mark of the last turn."""

    label: str
    piece: str
    mark: str = ""
    frame: tuple[str, str] | None = None
    """Characters before and after the piece on a special square."""
    name: str = ""
    """Name of the square in actions."""
    tokens: tuple[PieceToken, ...] = ()
    """Pieces in a picture, several if more than one may share the square."""
    ground: str = "plain"
    """Kind of square, which decides its colour in a picture."""


class Tray(NamedTuple):
    """A seat's tray beside a picture of the board: its piece and its counts."""

    token: PieceToken
    said: tuple[Phrase, ...]


@dataclass(frozen=True)
class Group:
    """The possessions of one side or seat, listed by label below the board."""

    title: Phrase
    lines: tuple[tuple[tuple[str, ...], Phrase], ...]
    """Seats that a line is about, possibly none, and the line itself."""


@dataclass(frozen=True)
class Diagram:
    """A position as one viewer sees it."""

    columns: int
    rows: int
    cells: Mapping[Place, Cell]
    legend: tuple[Phrase, ...]
    """Meaning of the characters, one sentence a line."""
    key: tuple[Phrase, ...] = ()
    """Meaning of a picture's symbols, except trails. Empty if the legend covers it."""
    walls: frozenset[frozenset[Place]] = frozenset()
    """Pairs of neighbouring cells with a barrier between them."""
    groups: tuple[Group, ...] = field(default=())
    column_names: tuple[str, ...] = ()
    """Names along the upper and lower edges, if squares have no labels of their own."""
    row_names: tuple[str, ...] = ()
    """Names along the left and right edges."""
    only_edges_named: bool = False
    """Whether pictures show no names in squares, since large pieces hide them."""
    standing: tuple[tuple[Phrase, tuple[str, ...]], ...] = ()
    """Declarations in force, each with the seats that made it."""
    seat_names: Mapping[str, Phrase] = field(default_factory=dict)
    """Seats whose names are translated, with those names."""
    trails: tuple[Trail, ...] = ()
    """The last turn of each player, oldest first. Only pictures show it and the fields below.

    A game sets it only if texts of its actions leave out squares.
    """
    checkered: bool = False
    """Whether neighbouring squares alternate in tone, as on a chessboard."""
    links: frozenset[frozenset[Place]] = frozenset()
    """Pairs of cells between which pieces can move, if that is not the same as all neighbours."""
    links_in_text: bool = False
    """Whether text shows the links too, on as many lines again. Meant for boards of few lines."""
    bounds: frozenset[frozenset[Place]] = frozenset()
    """Pairs of neighbouring cells in different parts of the board."""
    around: tuple[str, ...] = ()
    """Seats on the four sides: bottom, left, top, right."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """Token colour by seat."""
    trays: tuple[Tray, ...] = ()

    def marked(self, trails: Sequence[Trail]) -> Diagram:
        """Return the diagram with some trails, or with those of its game if there are none."""
        return replace(self, trails=tuple(trails)) if trails else self

    def name_of(self, seat: str) -> Phrase | str:
        """Return a seat as the lists name it."""
        return self.seat_names.get(seat, seat)

    @cached_property
    def named(self) -> dict[str, Place]:
        """Places of squares by their names in actions."""
        return {cell.name: place for place, cell in self.cells.items() if cell.name}

    @cached_property
    def walled_left(self) -> frozenset[Place]:
        """Cells with a barrier on the left."""
        return frozenset(max(wall) for wall in self.walls if len({row for _, row in wall}) == 1)

    @cached_property
    def walled_below(self) -> frozenset[Place]:
        """Cells with a barrier below."""
        return frozenset(min(wall) for wall in self.walls if len({row for _, row in wall}) == 2)


class Listed(NamedTuple):
    """A titled list for one side or seat."""

    title: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Captions:
    """A diagram's captions in a language, shared by text and pictures. Lines are not wrapped."""

    diagram: Diagram
    names: Mapping[str, str]
    """Players' names by seat. Empty if they are not shown."""
    words: Words

    @cached_property
    def lists(self) -> Sequence[Listed]:
        """The lists of each side or seat."""
        return [
            Listed(
                self.words.text(group.title),
                [self.words.text(self._line(*line)) for line in group.lines],
            )
            for group in self.diagram.groups
        ]

    def _line(self, seats: Sequence[str], said: Phrase) -> Phrase:
        return phrase("list.line", who=self._who(seats), said=said) if seats else said

    def _who(self, seats: Sequence[str]) -> Phrase:
        each = ((self.diagram.name_of(seat), self.names.get(seat)) for seat in seats)
        items = (
            phrase("list.who", seat=seat, player=name) if name else seat for seat, name in each
        )
        return phrase("list.seats", items=tuple(items))

    @cached_property
    def standing(self) -> Sequence[str]:
        """Declarations in force and who made them."""
        return [self.words.text(self._standing(*each)) for each in self.diagram.standing]

    def _standing(self, said: Phrase, seats: Sequence[str]) -> Phrase:
        names = self.names
        if names:
            who: tuple[Value, ...] = tuple(dict.fromkeys(names[s] for s in seats if s in names))
        else:
            who = tuple(self.diagram.name_of(seat) for seat in seats)
        return phrase("list.standing", said=said, who=phrase("list.names", items=who))

    @cached_property
    def legend(self) -> Sequence[str]:
        """Meaning of the characters in a text diagram."""
        return [self.words.text(each) for each in self.diagram.legend]


__all__ = [
    "ARRIVED",
    "LEFT",
    "WIDTH",
    "Cell",
    "Diagram",
    "Group",
    "PieceToken",
    "Place",
    "Trail",
    "Tray",
]
