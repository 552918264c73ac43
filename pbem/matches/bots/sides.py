"""Sides: what a position is worth to each side of a match, as far as the game itself tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.api import Seat
from pbem.matches.bots.thinking import Scene

DECIDED = 10**9
"""More than any standing: what the end of a match is worth to its winners."""

Worths = tuple[float, ...]
"""Of a position to each side; of two, nothing together, as one wins what the other loses."""

RIVALS = 3
"""Of so many sides at most, what another loses is a gain; of more it is everybody's alike."""


class Sides:
    """The sides of a match, in the order of the game."""

    def __init__(self, scene: Scene) -> None:
        self._game = scene.game
        self._seats = scene.game.info.sides[scene.players]
        self._of = {seat: side for side, seats in enumerate(self._seats) for seat in seats}

    def __len__(self) -> int:
        return len(self._seats)

    def of(self, seat: Seat) -> int:
        """The side of a seat."""
        return self._of[seat]

    def worths(self, position: Any) -> Worths:
        """By how much each side stands better than the others, of many how well; 0 for a draw."""
        outcome = self._game.outcome(position)
        winners = outcome.winners if outcome is not None else ()
        if outcome is not None and not winners:
            return (0.0,) * len(self)
        standing = self._game.standing(position)
        return _apart(
            [
                sum(standing[seat] for seat in seats) / len(seats) + DECIDED * (seats[0] in winners)
                for seats in self._seats
            ]
        )


def _apart(standings: Sequence[float]) -> Worths:
    """By how much each is above the mean of the others; among many just each."""
    total, others = sum(standings), len(standings) - 1
    if len(standings) > RIVALS:
        return tuple(standings)
    return tuple(each - (total - each) / others for each in standings)
