"""Who has won a match of Lancelot (rulebook, Lancelot, "End")."""

from __future__ import annotations

from pbem.games.api import Outcome
from pbem.games.lancelot.position import Position


def outcome(position: Position) -> Outcome | None:
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
