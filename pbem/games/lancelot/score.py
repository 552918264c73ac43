"""Who has won a match of Lancelot, and how each seat stands (rulebook, Lancelot, "End")."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_

from pbem.games.api import Outcome, Seat
from pbem.games.lancelot.position import HIGHEST, LancelotPosition


def outcome(position: LancelotPosition) -> Outcome | None:
    """Winners and knights defeated once the game has ended."""
    if position.ending is None:
        return None
    seats, defeated = position.terms.seats, position.defeated
    scores = dict(zip(seats, defeated, strict=True))
    standing = [index for index in range(len(seats)) if index not in position.resigned]
    best = max(defeated[index] for index in standing)
    winners = tuple(
        seats[index]
        for index in standing
        if position.ending == "resignation" or defeated[index] == best
    )
    return Outcome(winners, position.ending, scores)


KNIGHT = 100
"""A knight defeated against a line one short; there are fewer lines than that."""


def standing(position: LancelotPosition) -> Mapping[Seat, int]:
    """Knights defeated, then the lines on which one knight more would defeat another."""
    return {
        seat: KNIGHT * position.defeated[index] + _one_short(position, index)
        for index, seat in enumerate(position.terms.seats)
    }


def _one_short(position: LancelotPosition, index: int) -> int:
    own, knights = position.knights[index], reduce(or_, position.knights)
    adverse = knights & ~own
    return sum(
        1
        for line in position.terms.board.lines
        if adverse & line
        and (own & line).bit_count() - ((adverse | position.sword) & line).bit_count()
        == HIGHEST - 1
    )
