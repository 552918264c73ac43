"""Random matches of a game, for the promises that all games keep."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from pbem.games.api import AnyGame, Options, Seat

MOST_ACTIONS = 20_000
"""Maximum number of actions of a match. A longer one does not end."""
MOST_LISTED = 400
"""Legal actions looked at in a position. A game may have more than anyone wants to list."""
SAMPLES = 4
"""Positions of a match that the more expensive checks look at."""
A_FEW = 20
"""Approximate number of legal actions of a position that they look at."""


class Step(NamedTuple):
    """One action of a random match."""

    before: Any
    seat: Seat
    action: Any
    text: str
    after: Any


def listed(game: AnyGame, position: Any) -> list[Any]:
    """Return legal actions, only the first ones if there are very many."""
    return list(islice(game.legal_actions(position), MOST_LISTED))


def texts(game: AnyGame, position: Any) -> list[str]:
    """Return the canonical texts of the legal actions."""
    return [game.format(position, action) for action in listed(game, position)]


def some_of(game: AnyGame, position: Any) -> list[Any]:
    """Return a few of the legal actions, from all over the list."""
    actions = listed(game, position)
    return actions[:: max(1, len(actions) // A_FEW)]


def options_for(game: AnyGame, seed: int) -> dict[str, int]:
    """Return options of a random match: random switches, defaults for the rest."""
    chance = random.Random(f"options {seed}")
    return {option.key: chance.randrange(2) for option in game.info.options if option.switch}


def walk(game: AnyGame, players: int, seed: int, options: Options) -> Iterator[Step]:
    """Play a random match to its end."""
    chance = random.Random(seed)
    position = game.initial(players, options)
    for _ in range(MOST_ACTIONS):
        seat = game.to_act(position)
        if seat is None:
            return
        action = chance.choice(listed(game, position))
        after = game.play(position, action)
        yield Step(position, seat, action, game.format(position, action), after)
        position = after
    raise AssertionError(f"{game.info.key} has not ended after {MOST_ACTIONS} actions")


@lru_cache(4)  # tests of the same match follow one another
def walked(game: AnyGame, players: int, seed: int) -> tuple[Step, ...]:
    """Return the steps of a random match with random switches."""
    return tuple(walk(game, players, seed, options_for(game, seed)))


def sampled(game: AnyGame, players: int, seed: int) -> list[Step]:
    """Return steps from all over a random match, including the first and the last."""
    steps = walked(game, players, seed)
    between = random.Random(seed).sample(steps, min(SAMPLES, len(steps)))
    return [steps[0], *between, steps[-1]]


def asked(game: AnyGame) -> tuple[Any, Seat]:
    """Return the opening position with the most players, and the seat to move."""
    position = game.initial(max(game.info.holders), {})
    seat = game.to_act(position)
    assert seat is not None
    return position, seat
