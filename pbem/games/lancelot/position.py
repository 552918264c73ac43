"""A Lancelot position, the actions in it and its defeated knights (rulebook, Lancelot)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.lancelot.board import LancelotBoard
from pbem.games.values import once, value

KNIGHTS = 30


class Placement(NamedTuple):
    """A seat's turn: a knight, Excalibur, or both in either order."""

    seat: Seat
    knight: int | None
    sword: int | None = None
    """Square to which Excalibur moves."""
    sword_first: bool = True

    @property
    def declaration(self) -> bool:
        """Always False: it takes a turn."""
        return False


class Resignation(NamedTuple):
    """A seat gives up against two or more others, and passes from then on."""

    seat: Seat

    @property
    def declaration(self) -> bool:
        """Always True: any seat may resign at any time."""
        return True


Action = Placement | Resignation


@dataclass(frozen=True)
class LancelotTerms:
    """Terms that stay the same for a whole match."""

    board: LancelotBoard
    seats: tuple[Seat, ...]
    target: int
    """Knights to defeat."""
    excalibur: bool
    sword_alone: bool = True
    """Whether the king's force may move Excalibur alone. Not in version 1 of the rules."""


@value
class LancelotPosition:
    """Everything the rules of Lancelot need to continue."""

    terms: LancelotTerms
    knights: tuple[int, ...]
    """Mask of each seat's knights on the board."""
    placed: tuple[int, ...]
    """Knights placed by each seat."""
    defeated: tuple[int, ...]
    """Knights defeated by each seat."""
    to_act: int
    """Index of the seat to act. After the end, the seat whose turn it would be."""
    sword: int = 0
    """Mask of Excalibur. 0 before it is placed, or without it."""
    called: tuple[int, ...] = ()
    """Indices of the seats that have called the king's force."""
    resigned: frozenset[int] = frozenset()
    turn: int = 1
    last: Placement | None = None
    idle: int = 0
    """Passes in a row. A resignation does not interrupt them."""
    passed: tuple[Seat, ...] = ()
    ending: str | None = None

    @property
    def seat(self) -> Seat:
        """Seat to act."""
        return self.terms.seats[self.to_act]

    @property
    def sets_the_sword(self) -> bool:
        """Whether Excalibur must still be placed, before the first knight."""
        return self.terms.excalibur and not self.sword

    @property
    def next_index(self) -> int:
        """Index of the seat after the one to act."""
        return (self.to_act + 1) % len(self.knights)

    @property
    def can_call(self) -> bool:
        """Whether the seat to act may still call the king's force."""
        index = self.to_act
        return bool(self.sword) and index not in self.called and index not in self.resigned

    @property
    def has_knights(self) -> bool:
        """Whether the seat to act has a knight left to place."""
        return self._can_place(self.to_act)

    @property
    def can_act(self) -> bool:
        """Whether the seat to act may place a knight alone or move Excalibur alone.

        If it can do neither, the king's force cannot do both, since its first half is one of them.
        A line too far ahead with Excalibur against the seat is also too far ahead with Excalibur
        for it.
        """
        return bool(self.open_squares or self.sword_squares)

    @property
    def plain(self) -> Iterator[Placement]:
        """Placements of a knight alone by the seat to act."""
        squares = self.open_squares
        return (each for mask, each in _alone(self.terms.board, self.seat) if squares & mask)

    @once
    def open_squares(self) -> int:
        """Mask of the squares where the seat to act may place a knight alone."""
        return 0 if self.ending is not None else self._open_to(self.to_act)

    @once
    def sword_squares(self) -> int:
        """Mask of the squares to which the seat to act may move Excalibur alone."""
        if self.ending is not None or not (self.terms.sword_alone and self.can_call):
            return 0
        return sword_squares(self.terms.board, self.forced)

    @once
    def open_to_next(self) -> int:
        """Mask of the squares where the next seat could place a knight now."""
        return self._open_to(self.next_index)

    def _open_to(self, index: int) -> int:
        if self.sets_the_sword or not self._can_place(index):
            return 0
        return open_squares(self.terms.board, self._field_of(index))

    def _can_place(self, index: int) -> bool:
        """Return whether a seat has a knight to place, if there is a square for it."""
        return index not in self.resigned and self.placed[index] < KNIGHTS

    @once
    def field(self) -> Field:
        """The board from the point of view of the seat to act."""
        return self._field_of(self.to_act)

    @property
    def forced(self) -> Field:
        """The same board while the seat calls the king's force: Excalibur counts for it."""
        own, others, sword, _ = self.field
        return Field(own | sword, others & ~sword, sword)

    def _field_of(self, index: int) -> Field:
        own = self.knights[index]
        return Field(own, reduce(or_, self.knights, self.sword) & ~own, self.sword)


@cache
def _alone(board: LancelotBoard, seat: Seat) -> tuple[tuple[int, Placement], ...]:
    """Return every placement of a knight alone, from A1 on, each after the mask of its square."""
    return tuple((1 << square, Placement(seat, square)) for square in board.squares)


HIGHEST = 2
"""Advantage that defeats. Any larger advantage makes a placement illegal."""


class Field(NamedTuple):
    """The board in one seat's turn, as masks, and the knights defeated in that turn.

    Excalibur is part of `own` or of `others`, whichever it counts for.
    """

    own: int
    others: int
    sword: int
    """Excalibur, or 0."""
    fallen: int = 0
    """Knights defeated."""

    @property
    def taken(self) -> int:
        """Occupied squares."""
        return self.own | self.others


def open_squares(board: LancelotBoard, field: Field) -> int:
    """Return the vacant squares where another knight leaves no line above the highest advantage."""
    return board.area & ~(field.taken | _too_far_ahead(board, field.own, field.others))


def sword_squares(board: LancelotBoard, field: Field) -> int:
    """Return the squares to which Excalibur may move when it counts for the seat."""
    lifted = field.own & ~field.sword
    return board.area & ~(field.taken | _too_far_ahead(board, lifted, field.others))


def _too_far_ahead(board: LancelotBoard, own: int, others: int) -> int:
    """Return the lines on which the seat is already as far ahead as allowed."""
    found = 0
    for line in board.lines:
        count = (own & line).bit_count()
        if count >= HIGHEST and count - (others & line).bit_count() >= HIGHEST:
            found |= line
    return found


def with_knight(board: LancelotBoard, field: Field, square: int) -> Field:
    """Return the field after the seat places a knight, with defeats."""
    own, others, sword, fallen = field
    return _judged(board, own | 1 << square, others, sword, fallen, square)


def with_sword(board: LancelotBoard, field: Field, square: int) -> Field:
    """Return the field after the seat moves Excalibur, which counts for it, with defeats."""
    own, others, sword, fallen = field
    return _judged(board, own & ~sword | 1 << square, others, 1 << square, fallen, square)


def _judged(
    board: LancelotBoard, own: int, others: int, sword: int, fallen: int, square: int
) -> Field:
    """Return the field with the defeats on the lines through a square, all decided at once."""
    won = 0
    for line in board.through[square]:
        count = (own & line).bit_count()
        if count >= HIGHEST and count - (others & line).bit_count() == HIGHEST:
            won |= line
    falling = won & others & ~sword
    return Field(own, others ^ falling, sword, fallen | falling)
