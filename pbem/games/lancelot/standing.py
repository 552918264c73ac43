"""How well each seat of Lancelot stands: a rough count, for opponents that look one turn ahead."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.api import Seat
from pbem.games.lancelot.position import HIGHEST, Field, Position

KNIGHT = 100
"""A knight defeated against a line one short; there are fewer lines than that."""


def standing(position: Position) -> Mapping[Seat, int]:
    """Knights defeated, then the lines on which one knight more would defeat another."""
    return {
        seat: KNIGHT * position.defeated[index] + _one_short(position, index)
        for index, seat in enumerate(position.terms.seats)
    }


def _one_short(position: Position, index: int) -> int:
    own, everybody = position.knights[index], 0
    for mask in position.knights:
        everybody |= mask
    field = Field(own, everybody & ~own, position.sword, -1)
    return sum(
        1
        for line in position.terms.board.lines
        if field.others & line and field.advantage(line) == HIGHEST - 1
    )
