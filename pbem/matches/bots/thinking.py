"""Thinking: what a bot is given when it is asked, and how it is kept within bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from pbem.games.api import AnyGame, Seat

Chance = Callable[[int], int]
"""A number from 0 up to, not including, the one given; each as likely as any other."""
Stopping = Callable[[], bool]
"""Whether to stop thinking; whoever is asked may let others go first."""
EACH = 10
"""Actions tried between two questions whether to stop: about half a millisecond."""


class Interrupted(Exception):
    """The thinking has been stopped, and nothing has come of it."""


class Spent(Exception):
    """As many actions have been tried as were to be."""


class Thinking:
    """A piece of thinking: its chance, who may stop it, and how many actions may be tried.

    It is counted in actions and not in seconds, so that by the same chance it comes to the same.
    """

    def __init__(self, chance: Chance, stopping: Stopping = lambda: False, most: int = 0) -> None:
        self.chance = chance
        self.stopping = stopping
        self.left = most
        """Actions that may still be tried."""

    def within(self, most: int) -> Thinking:
        """A piece of it, of so many actions at most."""
        return Thinking(self.chance, self.stopping, most)

    def tries(self) -> None:
        """An action is to be tried; raises Spent or Interrupted if it must not be."""
        if self.left <= 0:
            raise Spent
        self.left -= 1
        if self.left % EACH == 0 and self.stopping():
            raise Interrupted

    def any_of(self, actions: Sequence[Any]) -> Any:
        """One of the actions, each as likely as any other."""
        return actions[self.chance(len(actions))]

    def shuffled(self, actions: Sequence[Any]) -> list[Any]:
        """The actions in any order."""
        left = list(actions)
        return [left.pop(self.chance(len(left))) for _ in actions]


class Scene(NamedTuple):
    """What a bot looks at: a position of a match that so many began."""

    game: AnyGame
    players: int
    position: Any

    @property
    def seat(self) -> Seat | None:
        """Seat to act; None after the end."""
        return self.game.to_act(self.position)

    def actions(self, most: int) -> list[Any]:
        """Legal actions, the first so many in the game's order."""
        return list(islice(self.game.legal_actions(self.position), most))

    def after(self, action: Any) -> Scene:
        """What comes of an action."""
        return Scene(self.game, self.players, self.game.play(self.position, action))
