"""A Lanko board: its squares, and the moves each seat could ever make on it.

Everything here is worked out once a board; a position is then a string with one character a square.
Coordinates: x to the east, y to the north, centre (0, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple, TypeVar

from pbem.games.api import Seat

SEATS: tuple[Seat, ...] = ("S", "W", "N", "E")
FORWARD = {"S": (0, 1), "W": (1, 0), "N": (0, -1), "E": (-1, 0)}
"""Direction from a seat's own arm to the centre line."""
WHITE, BLACK = "BSP", "bsp"
PIECES = {"S": WHITE, "N": WHITE, "W": BLACK, "E": BLACK}
"""Pieces of a seat's colour: big castle, small castle, pawn."""
ADVERSE = {"S": BLACK, "N": BLACK, "W": WHITE, "E": WHITE}
PAWNS = "Pp"
CASTLES = "BSbs"
VACANT = "."
MIDDLE = "X"

Point = tuple[int, int]


class Move(NamedTuple):
    """A movement, a jump or a capture: the squares it stands on, start first, and what it takes."""

    seat: Seat
    path: tuple[int, ...]
    taken: tuple[int, ...] = ()
    declares: bool = False
    """Whether `+++` goes with it."""

    @property
    def declaration(self) -> bool:
        """A move is never one: it is made in turn, with or without `+++`."""
        return False


class Step(NamedTuple):
    """A way to a neighbouring square."""

    to: int
    move: Move


class Leap(NamedTuple):
    """A way over one square to the one behind it."""

    over: int
    to: int
    move: Move


W = TypeVar("W", Step, Leap)
Table = dict[int, tuple[W, ...]]
"""Ways from each square."""
Ways = Callable[[Seat, int], Iterator[int]]
"""Squares to which a kind of step leads a seat from a square."""


@dataclass(frozen=True, eq=False)
class Board:
    """One map."""

    key: str
    labels: tuple[str, ...]
    points: tuple[Point, ...]
    opening: str
    diagonal: bool
    """Whether play runs on the diagonals (Lanko-103) or the orthogonals (88 and 68)."""
    barriers: frozenset[frozenset[Point]]
    manoeuvre: frozenset[str]
    at: dict[Point, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.at.update({point: square for square, point in enumerate(self.points)})

    @cached_property
    def labelled(self) -> dict[str, int]:
        """Square by label."""
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
        """White squares on which the standby pawns wait."""
        return frozenset(i for i, label in enumerate(self.labels) if label[0] == "#")

    @cached_property
    def home(self) -> frozenset[int]:
        """Squares where a castle counts threefold and stays."""
        return frozenset(self.ends if self.middle is None else (self.middle,))

    @cached_property
    def outside(self) -> Callable[[str], tuple[str, ...]]:
        """What reads of the cells what stands outside the home."""
        return itemgetter(*(i for i in range(len(self.labels)) if i not in self.home))

    @cached_property
    def zone(self) -> dict[Seat, tuple[int, ...]]:
        """Squares on which a piece of its colour is a seat's to move ("Whose piece")."""
        return {seat: tuple(self._own_half(seat)) for seat in SEATS}

    def _own_half(self, seat: Seat) -> Iterator[int]:
        fx, fy = FORWARD[seat]
        for square, (x, y) in enumerate(self.points):
            if square not in self.home and x * fx + y * fy <= 0:
                yield square

    @cached_property
    def steps(self) -> dict[Seat, dict[str, Table[Step]]]:
        """Steps of a seat, by the piece and the square it stands on."""
        pawn: tuple[Ways, ...] = (self._straight_ways, self._diagonal_ways)
        castle: tuple[Ways, ...] = (self._straight_ways,)
        if self.diagonal:
            pawn = (self._diagonal_ways, self._standby_ways)
            castle = (self._diagonal_ways, self._end_ways)
        return {
            seat: {p: self._steps(seat, pawn if p in PAWNS else castle) for p in PIECES[seat]}
            for seat in SEATS
        }

    def _steps(self, seat: Seat, ways: tuple[Ways, ...]) -> Table[Step]:
        return {
            square: tuple(
                Step(to, Move(seat, (square, to))) for way in ways for to in way(seat, square)
            )
            for square in self.zone[seat]
        }

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
        """Neighbour in a direction; None off the board and across a barrier."""
        (x, y), (dx, dy) = self.points[square], direction
        point = (x + dx, y + dy)
        if frozenset({(x, y), point}) in self.barriers:
            return None
        return self.at.get(point)

    @cached_property
    def jumps(self) -> dict[Seat, dict[str, Table[Leap]]]:
        """Jumps of a seat, likewise: forward and sideways by pawns, on 103 diagonally by all."""
        turned, jumpers = (_slanting, PAWNS + CASTLES) if self.diagonal else (_straight, PAWNS)

        def jumps(seat: Seat, piece: str, square: int) -> tuple[Leap, ...]:
            return tuple(self._leaps(seat, square, turned(seat))) if piece in jumpers else ()

        return {
            seat: {p: {i: jumps(seat, p, i) for i in self.zone[seat]} for p in PIECES[seat]}
            for seat in SEATS
        }

    @cached_property
    def captures(self) -> dict[Seat, tuple[tuple[Leap, ...], ...]]:
        """Captures from every square: all four ways, the seat's forward first."""
        slanted = {s: (*_slanting(s), *_slanting(_opposite(s))) for s in SEATS}
        straight = {s: (*_straight(s), _straight(_opposite(s))[0]) for s in SEATS}
        ways = slanted if self.diagonal else straight
        return {
            seat: tuple(tuple(self._leaps(seat, i, ways[seat])) for i in range(len(self.labels)))
            for seat in SEATS
        }

    def _leaps(self, seat: Seat, square: int, directions: tuple[Point, ...]) -> Iterator[Leap]:
        for direction in directions:
            over = self._next(square, direction)
            if over is None or over in self.home or over in self.standby:
                continue
            to = self._next(over, direction)
            if to is not None and square not in self.standby:
                yield Leap(over, to, Move(seat, (square, to)))


def _straight(seat: Seat) -> tuple[Point, ...]:
    """Forward, left, right."""
    fx, fy = FORWARD[seat]
    return (fx, fy), (-fy, fx), (fy, -fx)


def _slanting(seat: Seat) -> tuple[Point, ...]:
    """Forward left, forward right."""
    (fx, fy), (lx, ly), (rx, ry) = _straight(seat)
    return (fx + lx, fy + ly), (fx + rx, fy + ry)


def _opposite(seat: Seat) -> Seat:
    return SEATS[(SEATS.index(seat) + 2) % 4]
