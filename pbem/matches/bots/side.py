"""Side: a match as one of its sides sees it."""

from __future__ import annotations

from typing import Any

from pbem.games.api import AnyGame, Seat
from pbem.matches.bots.thinking import Scene

DECIDED = 10.0**9
"""More than any standing: what the end of a match is worth to its winner."""


class Side:
    """The side of a seat, against all others."""

    def __init__(self, scene: Scene, seat: Seat) -> None:
        info, players = scene.game.info, scene.players
        self.seats = info.side_of(players, seat)
        """Its own seats."""
        self.against_one = len(info.sides[players]) == 2
        """Whether there is one other side."""
        others = [each for each in info.seats_of(players) if each not in self.seats]
        self._shares = {each: 1 / len(self.seats) for each in self.seats}
        self._shares |= {each: -1 / len(others) for each in others}

    def worth(self, game: AnyGame, position: Any) -> float:
        """How much better its seats stand than the others, on the average; 0 of a draw."""
        outcome = game.outcome(position)
        if outcome is not None and not outcome.winners:
            return 0.0
        standing = game.standing(position)
        worth = sum(share * standing[seat] for seat, share in self._shares.items())
        if outcome is None:
            return worth
        return worth + (DECIDED if self.seats[0] in outcome.winners else -DECIDED)
