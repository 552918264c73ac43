"""Steady: the bot that looks ahead, resigns what is hopeless, and answers offers."""

from __future__ import annotations

from typing import Any

from pbem.games.api import Seat
from pbem.matches.bots.hopeless import is_hopeless
from pbem.matches.bots.search import Node, Search
from pbem.matches.bots.sides import Sides
from pbem.matches.bots.thinking import Scene, Thinking


class Steady:
    """Looks ahead by the game's own rules and standing, and by nothing else."""

    def __init__(self, tried: int) -> None:
        self._tried = tried
        """Actions tried before one is chosen."""

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        """The action that leads to the best for its side, if all others play for theirs."""
        actions = scene.actions(2)
        if len(actions) == 1:
            return actions[0]
        best = self._looked(scene, thinking).best
        assert best is not None, "some action has been tried"
        return best.action

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Whether even who plays at random would win against it."""
        return is_hopeless(scene, seat, HASTY, thinking)

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Whether its side stands worse than the others, as far as it looks ahead."""
        worths = self._looked(scene, thinking).worths
        return worths[Sides(scene).of(seat)] < sum(worths) / len(worths)

    def _looked(self, scene: Scene, thinking: Thinking) -> Node:
        return Search(scene, thinking.within(self._tried)).run()


STEADY = Steady(1000)
"""As it plays: some hundredths of a second an action."""
HASTY = Steady(60)
"""As it plays on for a trial."""
