"""Judging the lines of Lancelot (rulebook, Lancelot, "Judging a line")."""

from __future__ import annotations

from typing import NamedTuple

from pbem.games.lancelot.board import Board

HIGHEST = 2
"""Advantage that defeats; above it a placement is illegal."""


class Field(NamedTuple):
    """What stands on the board in one seat's turn, as masks, and what has fallen in it.

    Excalibur is among what counts for the seat, or among what counts against it.
    """

    own: int
    others: int
    sword: int
    """Excalibur, 0 without it."""
    fallen: int = 0
    """Knights defeated."""

    @property
    def taken(self) -> int:
        """Squares that are not vacant."""
        return self.own | self.others


def open_squares(board: Board, field: Field) -> int:
    """Vacant squares on which one knight more leaves no line above the highest advantage."""
    return board.area & ~(field.taken | _too_far_ahead(board, field.own, field.others))


def sword_squares(board: Board, field: Field) -> int:
    """Squares to which Excalibur may be moved when it counts for the seat."""
    lifted = field.own & ~field.sword
    return board.area & ~(field.taken | _too_far_ahead(board, lifted, field.others))


def _too_far_ahead(board: Board, own: int, others: int) -> int:
    """Lines on which the seat is as far ahead as it may be."""
    found = 0
    for line in board.lines:
        count = (own & line).bit_count()
        if count >= HIGHEST and count - (others & line).bit_count() >= HIGHEST:
            found |= line
    return found


def with_knight(board: Board, field: Field, square: int) -> Field:
    """The field after the seat has placed a knight, judged."""
    own, others, sword, fallen = field
    return _judged(board, own | 1 << square, others, sword, fallen, square)


def with_sword(board: Board, field: Field, square: int) -> Field:
    """The field after the seat has moved Excalibur, which counts for it, judged."""
    own, others, sword, fallen = field
    return _judged(board, own & ~sword | 1 << square, others, 1 << square, fallen, square)


def _judged(board: Board, own: int, others: int, sword: int, fallen: int, square: int) -> Field:
    """Victories on the lines through a square, all on the same position."""
    won = 0
    for line in board.through[square]:
        count = (own & line).bit_count()
        if count >= HIGHEST and count - (others & line).bit_count() == HIGHEST:
            won |= line
    falling = won & others & ~sword
    return Field(own, others ^ falling, sword, fallen | falling)
