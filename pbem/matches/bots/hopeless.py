"""Hopeless: a match that is lost even against who plays at random."""

from __future__ import annotations

from contextlib import suppress

from pbem.games.api import Seat
from pbem.matches.bots.bot import Bot
from pbem.matches.bots.sides import Sides
from pbem.matches.bots.simple import Random
from pbem.matches.bots.thinking import Scene, Spent, Thinking

AT_RANDOM = 20
"""Trials in which everybody plays at random: cheap, and mostly one of the first is not lost."""
IN_EARNEST = 10
"""Trials in which the side itself plays as well as it can in a hurry."""
LONGEST = 1000
"""Actions of a trial; one that goes on still is not lost."""


def is_hopeless(scene: Scene, seat: Seat, bot: Bot, thinking: Thinking) -> bool:
    """Whether a side is behind, and loses every trial, those too in which a bot plays for it.

    Only against one other side: of several, one may still keep another from winning.
    """
    sides = Sides(scene)
    side = sides.of(seat)
    if len(sides) > 2 or sides.worths(scene.position)[side] >= 0:
        return False
    trials = [Random()] * AT_RANDOM + [bot] * IN_EARNEST
    return all(_is_lost(scene, sides, side, each, thinking) for each in trials)


def _is_lost(scene: Scene, sides: Sides, side: int, bot: Bot, thinking: Thinking) -> bool:
    """Whether a match is lost for a side for which a bot plays, and all others at random."""
    trial, others = thinking.within(LONGEST), Random()
    with suppress(Spent):
        while scene.seat is not None:
            trial.tries()
            mover = bot if sides.of(scene.seat) == side else others
            scene = scene.after(mover.action(scene, trial))
        return sides.worths(scene.position)[side] < 0
    return False
