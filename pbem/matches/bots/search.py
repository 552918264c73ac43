"""Search: what a position is worth to a side, if all others play against it (alpha-beta).

It looks further and further, an action at a time, until it has tried as many actions as it may.
What it has tried it keeps, and looks at what seemed best first the next time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import inf
from typing import Any

from pbem.matches.bots.side import DECIDED, Side
from pbem.matches.bots.thinking import Scene, Spent, Thinking

FURTHEST = 12
"""Actions that it looks ahead at most."""
WIDEST = 200
"""Actions looked at in a position, the first in the game's order: as many as Lancelot's area has
squares. The king's force has thousands."""


class Node:
    """A position that was looked at."""

    __slots__ = ("action", "after", "best", "ours", "over", "position", "untried", "worth")

    def __init__(self, side: Side, scene: Scene, position: Any, action: Any = None) -> None:
        seat = scene.game.to_act(position)
        self.position = position
        self.action = action
        """Which led to it."""
        self.worth = side.worth(scene.game, position)
        """To the side, as far as it was looked at."""
        self.over = seat is None
        self.ours = seat in side.seats
        """Whether the side is to act."""
        self.untried: Iterator[Any] | None = None
        """Actions that have not been tried; None: not even listed."""
        self.after: list[Node] = []
        """What comes of those that have, the best first."""
        self.best: Node | None = None
        """What comes of the best of them."""


class Search:
    """Looks ahead from a position for a side."""

    def __init__(self, scene: Scene, side: Side, thinking: Thinking) -> None:
        self._scene = scene
        self._side = side
        self._thinking = thinking
        self._root = Node(side, scene, scene.position)
        # In any order: of actions that are worth the same one does not always come first.
        self._root.untried = iter(thinking.shuffled(scene.actions(WIDEST)))

    def run(self) -> Node:
        """The position, its best action and its worth as they are known then; raises Interrupted.

        Its worth is of the last depth that was looked at as a whole.
        """
        with suppress(Spent):
            for depth in range(1, FURTHEST + 1):
                left = self._thinking.left
                self._look(self._root, depth, -inf, inf)
                if abs(self._root.worth) > DECIDED / 2 or self._thinking.left == left:
                    break
        return self._root

    def _look(self, node: Node, depth: int, low: float, high: float) -> float:
        """The worth of a position so many actions ahead; of no interest beyond the bounds."""
        if node.over or depth == 0:
            return node.worth
        found, best = (-inf, inf)[not node.ours], None
        for child in self._all_after(node):
            worth = self._look(child, depth - 1, low, high)
            if best is None or (worth > found if node.ours else worth < found):
                found, best = worth, child
                node.best = child
                low, high = (max(low, worth), high) if node.ours else (low, min(high, worth))
                if low >= high:
                    break
        node.after.sort(key=lambda each: each.worth, reverse=node.ours)
        node.worth = found
        return found

    def _all_after(self, node: Node) -> Iterator[Node]:
        """What comes of each action, the best first, those that have not been tried last."""
        best = node.best
        if best is not None:
            yield best
        for child in tuple(node.after):
            if child is not best:
                yield child
        if node.untried is None:
            there = Scene(self._scene.game, self._scene.players, node.position)
            node.untried = iter(there.actions(WIDEST))
        for action in node.untried:
            yield self._tried(node, action)

    def _tried(self, node: Node, action: Any) -> Node:
        self._thinking.tries()
        position = self._scene.game.play(node.position, action)
        child = Node(self._side, self._scene, position, action)
        node.after.append(child)
        return child
