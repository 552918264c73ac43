"""Thinking: what a bot is, what it is given, and how its thinking is limited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol

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


class Bot(Protocol):
    """A computer opponent; chance and the bounds of its thinking come from outside."""

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        """The legal action that it chooses for the seat to act; raises Interrupted."""

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Whether it resigns for a seat; raises Interrupted."""

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool | None:
        """What it answers for a seat to the offer of a draw; None: nothing. Raises Interrupted."""


class PlaysOn:
    """A bot that only plays: it never gives up, and an offer lapses with its next action."""

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Never."""
        return False

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool | None:
        """No answer."""
        return None


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
