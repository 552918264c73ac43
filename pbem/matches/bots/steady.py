"""Steady: the bot that looks ahead, resigns hopeless matches and answers draw offers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import inf
from typing import Any

from pbem.games.api import Seat
from pbem.matches.bots.simple import Random
from pbem.matches.bots.thinking import DECIDED, Bot, Scene, Sides, Spent, Thinking, Worths


class Steady:
    """Looks ahead, using only the game's rules and standing."""

    def __init__(self, tried: int) -> None:
        self._tried = tried
        """Number of actions tried before choosing one."""

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        """Return the action that is best for its side if all others play for theirs."""
        actions = scene.actions(2)
        if len(actions) == 1:
            return actions[0]
        best = self._looked(scene, thinking).best
        assert best is not None, "some action has been tried"
        return best.action

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Return whether even a random player would win against it."""
        return is_hopeless(scene, seat, HASTY, thinking)

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Return whether its side is doing worse than average, as far as it looks ahead."""
        worths = self._looked(scene, thinking).worths
        return worths[Sides(scene).of(seat)] < sum(worths) / len(worths)

    def _looked(self, scene: Scene, thinking: Thinking) -> Node:
        return Search(scene, thinking.within(self._tried)).run()


STEADY = Steady(1000)
"""The bot in a match. An action takes some hundredths of a second."""
HASTY = Steady(60)
"""The bot in a trial."""


AT_RANDOM = 20
"""Trials with random play. They are cheap, and an early one usually shows that nothing is lost."""
IN_EARNEST = 10
"""Trials in which the side itself plays as well as it can in a hurry."""
LONGEST = 1000
"""Maximum number of actions in a trial. A longer one is not lost."""


def is_hopeless(scene: Scene, seat: Seat, bot: Bot, thinking: Thinking) -> bool:
    """Return whether a side is behind and loses every trial, even those a bot plays for it.

    True only with a single opposing side. With several, one may still keep another from winning.
    """
    sides = Sides(scene)
    side = sides.of(seat)
    if len(sides) > 2 or sides.worths(scene.position)[side] >= 0:
        return False
    trials = [Random()] * AT_RANDOM + [bot] * IN_EARNEST
    return all(_is_lost(scene, sides, side, each, thinking) for each in trials)


def _is_lost(scene: Scene, sides: Sides, side: int, bot: Bot, thinking: Thinking) -> bool:
    """Return whether a side loses a trial in which a bot plays for it and the others at random."""
    trial, others = thinking.within(LONGEST), Random()
    with suppress(Spent):
        while scene.seat is not None:
            trial.tries()
            mover = bot if sides.of(scene.seat) == side else others
            scene = scene.after(mover.action(scene, trial))
        return sides.worths(scene.position)[side] < 0
    return False


FURTHEST = 12
"""Maximum number of actions to look ahead."""
WIDEST = 200
"""Maximum number of actions considered in a position, from the first in the game's order.

It covers all squares of Lancelot's area, but not the thousands of actions of the king's force.
"""


class Node:
    """A position in the search."""

    __slots__ = ("action", "after", "best", "mover", "scene", "untried", "worths")

    def __init__(self, sides: Sides, scene: Scene, action: Any = None) -> None:
        seat = scene.seat
        self.scene = scene
        self.action = action
        """Action that led here."""
        self.mover = None if seat is None else sides.of(seat)
        """Side to act, None after the end."""
        self.worths: Worths = sides.worths(scene.position)
        """Worth to each side, as far as the search went."""
        self.untried: Iterator[Any] | None = None
        """Actions not tried yet. None before they are listed."""
        self.after: list[Node] = []
        """Positions after the tried actions, those best for the mover first."""
        self.best: Node | None = None
        """Position after the best action."""


class Search:
    """A search from a position."""

    def __init__(self, scene: Scene, thinking: Thinking) -> None:
        self._sides = Sides(scene)
        self._thinking = thinking
        self._root = Node(self._sides, scene)
        # Shuffled, since otherwise the same one of several equal actions would always come first.
        self._root.untried = iter(thinking.shuffled(scene.actions(WIDEST)))

    def run(self) -> Node:
        """Search, and return the position with its best action and worths. Raises Interrupted.

        The worths are those of the last depth that was searched completely.
        """
        with suppress(Spent):
            for depth in range(1, FURTHEST + 1):
                left = self._thinking.left
                self._look(self._root, depth, (-inf,) * len(self._sides))
                if max(self._root.worths) > DECIDED / 2 or self._thinking.left == left:
                    break
        return self._root

    def _look(self, node: Node, depth: int, assured: Worths) -> None:
        """Find the worths of a position, `depth` actions ahead.

        `assured` is what each side can get elsewhere. With two sides, if that adds up to more than
        there is, one side avoids this position and the rest is not needed. With three, the third
        side may bring it about (alpha-beta).
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
        """Yield the positions after all actions, the best first and untried actions last."""
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
