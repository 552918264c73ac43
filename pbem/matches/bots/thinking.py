"""Bots in general: what they see, what they decide and how their thinking is limited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol

from pbem.games.api import AnyGame, Seat

Chance = Callable[[int], int]
"""Function that returns a number from 0 to less than its argument, all equally likely."""
Stopping = Callable[[], bool]
"""Function that returns whether to stop thinking. It may let others go first."""
EACH = 10
"""Number of actions tried between two checks whether to stop, about half a millisecond."""


class Interrupted(Exception):
    """The thinking was stopped without a result."""


class BotError(Exception):
    """Why a bot cannot answer, in a sentence for the operator, which the log shows."""


class Spent(Exception):
    """The permitted number of actions has been tried."""


class Thinking:
    """A piece of thinking: its source of chance, when to stop and how many actions to try.

    The limit is in actions, not seconds, so that the same chance gives the same result.
    """

    def __init__(self, chance: Chance, stopping: Stopping = lambda: False, most: int = 0) -> None:
        self.chance = chance
        self.stopping = stopping
        self.left = most
        """Number of actions that may still be tried."""

    def within(self, most: int) -> Thinking:
        """Return a part of it, limited to `most` actions."""
        return Thinking(self.chance, self.stopping, most)

    def tries(self) -> None:
        """Count an action that is tried. Raises Spent or Interrupted if it must not be."""
        if self.left <= 0:
            raise Spent
        self.left -= 1
        if self.left % EACH == 0 and self.stopping():
            raise Interrupted

    def any_of(self, actions: Sequence[Any]) -> Any:
        """Return one of the actions, all equally likely."""
        return actions[self.chance(len(actions))]

    def shuffled(self, actions: Sequence[Any]) -> list[Any]:
        """Return the actions in random order."""
        left = list(actions)
        return [left.pop(self.chance(len(left))) for _ in actions]


class Scene(NamedTuple):
    """A position as a bot sees it, in a match that this many players started."""

    game: AnyGame
    players: int
    position: Any

    @property
    def seat(self) -> Seat | None:
        """Seat to act, None after the end."""
        return self.game.to_act(self.position)

    def actions(self, most: int) -> list[Any]:
        """Return the first `most` legal actions in the game's order."""
        return list(islice(self.game.legal_actions(self.position), most))

    def after(self, action: Any) -> Scene:
        """Return the scene after an action."""
        return Scene(self.game, self.players, self.game.play(self.position, action))


class Bot(Protocol):
    """A computer opponent. Chance and the limits of its thinking come from outside."""

    def action(self, scene: Scene, thinking: Thinking) -> Any:
        """Return the action it chooses for the seat to act. Raises Interrupted."""

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Return whether it resigns for a seat. Raises Interrupted."""

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool | None:
        """Return its answer to a draw offer, None for no answer. Raises Interrupted."""


class PlaysOn:
    """A bot that never resigns. It lets draw offers expire with its next action."""

    def gives_up(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool:
        """Return False."""
        return False

    def takes_draw(self, scene: Scene, seat: Seat, thinking: Thinking) -> bool | None:
        """Return None, no answer."""
        return None


DECIDED = 10**9
"""Worth of a won match, more than any standing."""

Worths = tuple[float, ...]
"""Worth of a position to each side. Two sides add up to 0: one wins what the other loses."""

RIVALS = 3
"""Up to this many sides, another side's loss is a gain. With more, it helps everyone alike."""


class Sides:
    """The sides of a match, in the game's order."""

    def __init__(self, scene: Scene) -> None:
        self._game = scene.game
        self._seats = scene.game.info.sides[scene.players]
        self._of = {seat: side for side, seats in enumerate(self._seats) for seat in seats}

    def __len__(self) -> int:
        return len(self._seats)

    def of(self, seat: Seat) -> int:
        """Return the side of a seat."""
        return self._of[seat]

    def worths(self, position: Any) -> Worths:
        """Return each side's lead, or with many sides its standing. 0 for a draw."""
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
    """Return by how much each exceeds the mean of the others. With many sides, return each."""
    total, others = sum(standings), len(standings) - 1
    if len(standings) > RIVALS:
        return tuple(standings)
    return tuple(each - (total - each) / others for each in standings)


__all__ = ["Bot", "BotError", "Interrupted", "Scene", "Thinking"]
