"""How well each seat of Lancelot stands: a rough count, for opponents that look one turn ahead."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_

from pbem.games.api import Seat
from pbem.games.lancelot.judging import HIGHEST
from pbem.games.lancelot.position import Position

KNIGHT = 100
"""A knight defeated against a line one short; there are fewer lines than that."""


def standing(position: Position) -> Mapping[Seat, int]:
    """Knights defeated, then the lines on which one knight more would defeat another."""
    return {
        seat: KNIGHT * position.defeated[index] + _one_short(position, index)
        for index, seat in enumerate(position.terms.seats)
    }


def _one_short(position: Position, index: int) -> int:
    own, knights = position.knights[index], reduce(or_, position.knights)
    adverse = knights & ~own
    return sum(
        1
        for line in position.terms.board.lines
        if adverse & line
        and (own & line).bit_count() - ((adverse | position.sword) & line).bit_count()
        == HIGHEST - 1
    )
