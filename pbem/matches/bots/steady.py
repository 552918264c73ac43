"""Steady: the bot that looks ahead, resigns what is hopeless, and answers offers."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pbem.games.api import Seat
from pbem.matches.bots.search import WIDEST, Node, Search
from pbem.matches.bots.sides import Sides
from pbem.matches.bots.thinking import Scene, Spent, Thinking

TRIED = 500
"""Actions tried before one is chosen, a few hundredths of a second; or, if that is more, …"""
TRIED_OF_EACH = 20
"""… so many for each that there is to choose from."""
TRIALS = 20
"""Matches played out at random before one is given up."""
LONGEST_TRIAL = 1000
"""Actions of such a match; one that goes on still is not lost."""


class Steady:
    """Looks ahead by the game's own rules and standing, and by nothing else."""

    def __init__(self, tried: int = TRIED, of_each: int = TRIED_OF_EACH) -> None:
        self._tried = tried
        self._of_each = of_each

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        """The action that leads to the best for its side, if all others play for theirs."""
        actions = scene.actions(2)
        if len(actions) == 1:
            return actions[0]
        best = self._looked(scene, thinking).best
        assert best is not None, "some action has been tried"
        return best.action

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Whether its side is behind, and would lose each of twenty matches played out at random.

        Only against one other side: of several, one may still keep another from winning.
        """
        sides = Sides(scene)
        side = sides.of(seat)
        if len(sides) > 2 or sides.worths(scene.position)[side] >= 0:
            return False
        return all(_is_lost(scene, sides, side, thinking) for _ in range(TRIALS))

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Whether its side stands worse than the others, as far as it looks ahead."""
        return self._looked(scene, thinking).worths[Sides(scene).of(seat)] < 0

    def _looked(self, scene: Scene, thinking: Thinking) -> Node:
        choices = len(scene.actions(WIDEST))
        return Search(scene, thinking.within(max(self._tried, self._of_each * choices))).run()


def _is_lost(scene: Scene, sides: Sides, side: int, thinking: Thinking) -> bool:
    """Whether a match is lost for a side that everybody plays to its end at random."""
    trial = thinking.within(LONGEST_TRIAL)
    with suppress(Spent):
        while scene.seat is not None:
            trial.tries()
            scene = scene.after(trial.any_of(scene.actions(WIDEST)))
        return sides.worths(scene.position)[side] < 0
    return False
