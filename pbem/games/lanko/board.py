"""A Lanko board: its squares, and every move each seat could ever make on it.

All of this is computed once per board. A position is then a string with one character per square.
Coordinates: x to the east, y to the north, centre (0, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from operator import itemgetter
from typing import NamedTuple

from pbem.games.api import Seat

SEATS: tuple[Seat, ...] = ("S", "W", "N", "E")
FORWARD = {"S": (0, 1), "W": (1, 0), "N": (0, -1), "E": (-1, 0)}
"""Direction from a seat's own arm to the centre line."""
WHITE, BLACK = "BSP", "bsp"
PIECES = {"S": WHITE, "N": WHITE, "W": BLACK, "E": BLACK}
"""Pieces in a seat's colour: big castle, small castle, pawn."""
ADVERSE = {"S": BLACK, "N": BLACK, "W": WHITE, "E": WHITE}
PAWNS = "Pp"
CASTLES = "BSbs"
VACANT = "."
MIDDLE = "X"

Point = tuple[int, int]


class Move(NamedTuple):
    """A step, jump or capture: the squares of its path, start first, and those it captures."""

    seat: Seat
    path: tuple[int, ...]
    taken: tuple[int, ...] = ()
    declares: bool = False
    """Whether the player sent `+++` with it."""

    @property
    def declaration(self) -> bool:
        """Always False: a move takes a turn, with or without `+++`."""
        return False


class Way(NamedTuple):
    """A step or jump of a piece to a square, legal if that square is vacant."""

    over: int
    """Square that a jump passes over. For a step, its start."""
    allowed: str
    """Pieces one of which must be on that square."""
    to: int
    move: Move


class Leap(NamedTuple):
    """A jump over one square to the next one."""

    over: int
    to: int


@dataclass(frozen=True, eq=False)
class LankoBoard:
    """One of the three boards."""

    key: str
    labels: tuple[str, ...]
    points: tuple[Point, ...]
    opening: str
    diagonal: bool
    """Whether pieces move diagonally (Lanko-103) or orthogonally (88 and 68)."""
    barriers: frozenset[frozenset[Point]]
    manoeuvre: frozenset[str]
    at: dict[Point, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.at.update({point: square for square, point in enumerate(self.points)})

    @cached_property
    def labelled(self) -> dict[str, int]:
        """Squares by label."""
        return {label: square for square, label in enumerate(self.labels)}

    @cached_property
    def middle(self) -> int | None:
        """Square of the middle, None on a board with end squares."""
        return self.labels.index(MIDDLE) if MIDDLE in self.labels else None

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """End squares of Lanko-103."""
        return tuple(i for i, label in enumerate(self.labels) if label[0] == "(")

    @cached_property
    def standby(self) -> frozenset[int]:
        """White squares where the standby pawns wait."""
        return frozenset(i for i, label in enumerate(self.labels) if label[0] == "#")

    @cached_property
    def home(self) -> frozenset[int]:
        """Squares where a castle counts threefold and stays."""
        return frozenset(self.ends if self.middle is None else (self.middle,))

    @cached_property
    def outside(self) -> Callable[[str], tuple[str, ...]]:
        """Function that returns the contents of all squares outside the home."""
        return itemgetter(*(i for i in range(len(self.labels)) if i not in self.home))

    @cached_property
    def zone(self) -> dict[Seat, tuple[int, ...]]:
        """Squares on which pieces of its colour belong to a seat ("Whose piece")."""
        return {seat: tuple(self._own_half(seat)) for seat in SEATS}

    def _own_half(self, seat: Seat) -> Iterator[int]:
        fx, fy = FORWARD[seat]
        for square, (x, y) in enumerate(self.points):
            if square not in self.home and x * fx + y * fy <= 0:
                yield square

    @cached_property
    def ways(self) -> dict[Seat, dict[str, dict[int, tuple[Way, ...]]]]:
        """Steps, then jumps of a seat, by piece and start square."""
        return {
            seat: {
                piece: {i: tuple(self._ways(seat, piece, i)) for i in self.zone[seat]}
                for piece in PIECES[seat]
            }
            for seat in SEATS
        }

    def _ways(self, seat: Seat, piece: str, square: int) -> Iterator[Way]:
        for to in self.steps(seat, piece, square):
            yield Way(square, piece, to, Move(seat, (square, to)))
        if self.diagonal:
            allowed, directions = PIECES[seat], _slanting(seat)
        else:
            allowed, directions = piece, _straight(seat) if piece in PAWNS else ()
        for over, to in self._leaps(square, directions):
            yield Way(over, allowed, to, Move(seat, (square, to)))

    def steps(self, seat: Seat, piece: str, square: int) -> Iterator[int]:
        """Yield the squares to which a seat's piece may step from a square."""
        if self.diagonal:
            yield from self._diagonal_ways(seat, square)
            other = self._standby_ways if piece in PAWNS else self._end_ways
            yield from other(seat, square)
        else:
            yield from self._straight_ways(seat, square)
            if piece in PAWNS:
                yield from self._diagonal_ways(seat, square)

    def _straight_ways(self, seat: Seat, square: int) -> Iterator[int]:
        yield from self._reached(square, _straight(seat))

    def _diagonal_ways(self, seat: Seat, square: int) -> Iterator[int]:
        if square not in self.standby:
            yield from self._reached(square, _slanting(seat))

    def _standby_ways(self, seat: Seat, square: int) -> Iterator[int]:
        if square in self.standby:
            yield from self._reached(square, _straight(seat))

    def _end_ways(self, seat: Seat, square: int) -> Iterator[int]:
        if self.labels[square] in self.manoeuvre:
            yield from (to for to in self._reached(square, _straight(seat)) if to in self.ends)

    def _reached(self, square: int, directions: tuple[Point, ...]) -> Iterator[int]:
        for direction in directions:
            to = self._next(square, direction)
            if to is not None:
                yield to

    def _next(self, square: int, direction: Point) -> int | None:
        """Return the neighbour in a direction, None off the board or across a barrier."""
        (x, y), (dx, dy) = self.points[square], direction
        point = (x + dx, y + dy)
        if frozenset({(x, y), point}) in self.barriers:
            return None
        return self.at.get(point)

    @cached_property
    def captures(self) -> dict[Seat, tuple[tuple[Leap, ...], ...]]:
        """Captures from every square in all four directions, the seat's forward ones first."""
        slanted = {s: (*_slanting(s), *_slanting(_opposite(s))) for s in SEATS}
        straight = {s: (*_straight(s), _straight(_opposite(s))[0]) for s in SEATS}
        ways = slanted if self.diagonal else straight
        return {
            seat: tuple(tuple(self._leaps(i, ways[seat])) for i in range(len(self.labels)))
            for seat in SEATS
        }

    def _leaps(self, square: int, directions: tuple[Point, ...]) -> Iterator[Leap]:
        for direction in directions:
            over = self._next(square, direction)
            if over is None or over in self.home or over in self.standby:
                continue
            to = self._next(over, direction)
            if to is not None and square not in self.standby:
                yield Leap(over, to)


def _straight(seat: Seat) -> tuple[Point, ...]:
    """Return the directions forward, left, right."""
    fx, fy = FORWARD[seat]
    return (fx, fy), (-fy, fx), (fy, -fx)


def _slanting(seat: Seat) -> tuple[Point, ...]:
    """Return the directions forward left, forward right."""
    (fx, fy), (lx, ly), (rx, ry) = _straight(seat)
    return (fx + lx, fy + ly), (fx + rx, fy + ry)


def _opposite(seat: Seat) -> Seat:
    return SEATS[(SEATS.index(seat) + 2) % 4]


@lru_cache
def load_board(key: str) -> LankoBoard:
    """Return the board of `boards/<key>.txt`."""
    text = files(__package__).joinpath("boards", f"{key}.txt").read_text("utf-8")
    return read_board(key, text)


def read_board(key: str, text: str) -> LankoBoard:
    """Return the board that the text of a board file describes."""
    head, labels, opening = text.replace("opening\n", "labels\n").split("labels\n")
    settings = dict(
        line.split(": ", 1) for line in head.splitlines() if ": " in line and line[0] != "#"
    )
    cells = [(label, point) for label, point in _grid(labels) if label not in "_."]
    start = {point: piece for piece, point in _grid(opening)}
    points = dict(cells)
    pairs = (pair.split("|") for pair in settings.get("barriers", "").split())
    return LankoBoard(
        key=key,
        labels=tuple(label for label, _ in cells),
        points=tuple(point for _, point in cells),
        opening="".join(start[point] for _, point in cells),
        diagonal=settings["play"] == "diagonal",
        barriers=frozenset(frozenset({points[a], points[b]}) for a, b in pairs),
        manoeuvre=frozenset(settings.get("manoeuvre", "").split()),
    )


def _grid(text: str) -> Iterator[tuple[str, Point]]:
    rows = [line.split() for line in text.splitlines() if line.strip()]
    for r, row in enumerate(rows):
        for c, token in enumerate(row):
            yield token, (c - len(row) // 2, len(rows) // 2 - r)
