"""Simple bots, which consider only the actions that are legal now."""

from __future__ import annotations

from typing import Any

from pbem.games.api import AnyGame, Seat
from pbem.matches.bots.thinking import DECIDED, PlaysOn, Scene, Thinking

MOST_LOOKED_AT = 1000
"""Maximum number of actions considered, from the first in the game's order.

Lancelot's king's force has very many.
"""


class Random(PlaysOn):
    """Plays at random."""

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        """Return any action."""
        return thinking.any_of(scene.actions(MOST_LOOKED_AT))


class Greedy(PlaysOn):
    """Looks one action ahead."""

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        """Return an action after which its seat stands best. Chance decides between equals."""
        actions = scene.actions(MOST_LOOKED_AT)
        worths = [worth(scene.game, scene.after(each).position, each.seat) for each in actions]
        best = max(worths)
        equals = [action for action, its in zip(actions, worths, strict=True) if its == best]
        return thinking.any_of(equals)


def worth(game: AnyGame, position: Any, seat: Seat) -> int:
    """Return how well a seat stands. A won or lost match outweighs any standing."""
    standing: int = game.standing(position)[seat]
    outcome = game.outcome(position)
    if outcome is None or not outcome.winners:
        return standing
    return standing + (DECIDED if seat in outcome.winners else -DECIDED)
