"""Random matches of every game, for the promises that all of them keep."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games import GAMES, keys
from pbem.games.api import AnyGame, Seat

MOST_ACTIONS = 20_000
"""A match that is longer does not end."""
MOST_LISTED = 400
"""Legal actions looked at in a position; a game may have more than anybody wants to list."""
SAMPLES = 6
"""Positions of a match that the dearer checks look at."""

every_game = pytest.mark.parametrize("game", GAMES, ids=keys())
every_match = pytest.mark.parametrize(
    ("game", "players"),
    [
        pytest.param(game, players, id=f"{game.info.key}-{players}")
        for game in GAMES
        for players in sorted(game.info.holders)
    ],
)
seeds = given(seed=st.integers(0, 2**32 - 1))
some = settings(max_examples=5, derandomize=True, deadline=None)
many = settings(max_examples=200, derandomize=True, deadline=None)


class Step(NamedTuple):
    """One action of a random match."""

    before: Any
    seat: Seat
    action: Any
    text: str
    after: Any


def listed(game: AnyGame, position: Any) -> list[Any]:
    """Legal actions, the first of them where there are very many."""
    return list(islice(game.legal_actions(position), MOST_LISTED))


def texts(game: AnyGame, position: Any) -> list[str]:
    """Canonical texts of the legal actions."""
    return [game.format(position, action) for action in listed(game, position)]


def walk(game: AnyGame, players: int, chance: random.Random) -> Iterator[Step]:
    """A random match with the default options, to its end."""
    position = game.initial(players, {})
    for _ in range(MOST_ACTIONS):
        seat = game.to_act(position)
        if seat is None:
            return
        action = chance.choice(listed(game, position))
        after = game.play(position, action)
        yield Step(position, seat, action, game.format(position, action), after)
        position = after
    raise AssertionError(f"{game.info.key} goes on after {MOST_ACTIONS} actions")


def sampled(game: AnyGame, players: int, seed: int) -> list[Step]:
    """Steps from all over a random match, the first and the last among them."""
    chance = random.Random(seed)
    steps = list(walk(game, players, chance))
    between = chance.sample(steps, min(SAMPLES, len(steps)))
    return [steps[0], *between, steps[-1]]


def asked(game: AnyGame) -> tuple[Any, Seat]:
    """Opening position with the most players, and the seat that begins."""
    position = game.initial(max(game.info.holders), {})
    seat = game.to_act(position)
    assert seat is not None
    return position, seat
