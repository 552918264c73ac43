"""The winners of Lancelot, and a rating of each seat (rulebook, Lancelot, "End")."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_

from pbem.games.api import Outcome, Seat
from pbem.games.lancelot.position import HIGHEST, LancelotPosition


def outcome(position: LancelotPosition) -> Outcome | None:
    """Return the winners and the knights defeated, None before the end."""
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
"""Value of a defeated knight in lines one short of a defeat. There are fewer lines than this."""


def standing(position: LancelotPosition) -> Mapping[Seat, int]:
    """Rate each seat by knights defeated, then by lines one knight short of a defeat."""
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
