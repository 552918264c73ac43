"""Diagram: a board as data, with the captions below it.

A game says what is where; a painter decides how it looks, and gives its phrases the words of a
language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


class PieceToken(NamedTuple):
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
    tokens: tuple[PieceToken, ...] = ()
    """Its pieces in a picture; more than one where several may stand."""
    ground: str = "plain"
    """What kind of square it is, for a picture's colour."""


class Tray(NamedTuple):
    """What a seat has beside the board, for a picture: its piece, and what is counted of it."""

    token: PieceToken
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


class Listed(NamedTuple):
    """A list of what belongs to one side or seat."""

    title: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Captions:
    """Those of a diagram, each said once for all forms that show it; lines of any length."""

    diagram: Diagram
    names: Mapping[str, str]
    """Of players; none where they are not told."""
    words: Words

    @cached_property
    def lists(self) -> Sequence[Listed]:
        """What belongs to whom."""
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
        """What has been declared and holds, and who stands by it."""
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
        """What the signs of the text mean."""
        return [self.words.text(each) for each in self.diagram.legend]
