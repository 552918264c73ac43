"""Steady: the bot that looks ahead, resigns what is hopeless, and answers offers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import inf
from typing import Any

from pbem.games.api import Seat
from pbem.matches.bots.simple import Random
from pbem.matches.bots.thinking import DECIDED, Bot, Scene, Sides, Spent, Thinking, Worths


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


FURTHEST = 12
"""Actions that it looks ahead at most."""
WIDEST = 200
"""Actions looked at in a position, the first in the game's order: as many as Lancelot's area has
squares. The king's force has thousands."""


class Node:
    """A position that was looked at."""

    __slots__ = ("action", "after", "best", "mover", "scene", "untried", "worths")

    def __init__(self, sides: Sides, scene: Scene, action: Any = None) -> None:
        seat = scene.seat
        self.scene = scene
        self.action = action
        """Which led to it."""
        self.mover = None if seat is None else sides.of(seat)
        """The side to act; None after the end."""
        self.worths: Worths = sides.worths(scene.position)
        """As far as it was looked at."""
        self.untried: Iterator[Any] | None = None
        """Actions that have not been tried; None: not even listed."""
        self.after: list[Node] = []
        """What comes of those that have, what is better for who acts first."""
        self.best: Node | None = None
        """What comes of the best of them."""


class Search:
    """Looks ahead from a position."""

    def __init__(self, scene: Scene, thinking: Thinking) -> None:
        self._sides = Sides(scene)
        self._thinking = thinking
        self._root = Node(self._sides, scene)
        # In any order: of actions that are worth the same one does not always come first.
        self._root.untried = iter(thinking.shuffled(scene.actions(WIDEST)))

    def run(self) -> Node:
        """The position, its best action and its worths as they are known then; raises Interrupted.

        Its worths are of the last depth that was looked at as a whole.
        """
        with suppress(Spent):
            for depth in range(1, FURTHEST + 1):
                left = self._thinking.left
                self._look(self._root, depth, (-inf,) * len(self._sides))
                if max(self._root.worths) > DECIDED / 2 or self._thinking.left == left:
                    break
        return self._root

    def _look(self, node: Node, depth: int, assured: Worths) -> None:
        """Finds the worths of a position so many actions ahead.

        `assured` is what each side can have elsewhere. Where all of it together is more than there
        is, one of two sides will not let it come to this, and the rest need not be known; of three,
        it may be the third who does (alpha-beta).
        """
        mover = node.mover
        if mover is None or depth == 0:
            return
        best: Node | None = None
        for child in self._all_after(node):
            self._look(child, depth - 1, assured)
            if best is None or child.worths[mover] > best.worths[mover]:
                node.best = best = child
                assured = _with(assured, mover, child.worths[mover])
                if len(assured) == 2 and sum(assured) >= 0:
                    break
        node.after.sort(key=lambda each: each.worths[mover], reverse=True)
        if best is not None:
            node.worths = best.worths

    def _all_after(self, node: Node) -> Iterator[Node]:
        """What comes of each action, the best first, those that have not been tried last."""
        best = node.best
        if best is not None:
            yield best
        for child in tuple(node.after):
            if child is not best:
                yield child
        if node.untried is None:
            node.untried = iter(node.scene.actions(WIDEST))
        for action in node.untried:
            self._thinking.tries()
            child = Node(self._sides, node.scene.after(action), action)
            node.after.append(child)
            yield child


def _with(assured: Worths, side: int, worth: float) -> Worths:
    return tuple(max(each, worth) if at == side else each for at, each in enumerate(assured))
