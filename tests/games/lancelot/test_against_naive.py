"""The engine against an independent, naive one written from the rulebook."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.api import AnyGame
from pbem.games.replay import play_one
from tests.games.lancelot.naive import SEATS, NaiveLancelot

GAME = game_of("lancelot")
ON_AND_OFF = (False, True)
FORCES = 5000
"""King's forces that one is chosen from, of the tens of thousands there are."""
WHOLE_LISTS = 0.003
"""How often they are all compared."""


@pytest.mark.parametrize("excalibur", ON_AND_OFF, ids=("", "excalibur"))
@pytest.mark.parametrize("diagonals", ON_AND_OFF, ids=("straight", "diagonals"))
@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_random_matches_are_the_same_in_every_position(
    players: int, diagonals: bool, excalibur: bool
) -> None:
    for target in (0, 2, 4, 2):
        chance = random.Random(f"{players} {diagonals} {excalibur} {target}")
        Both(players, diagonals, excalibur, target, chance).play()


def test_a_match_without_an_end_but_the_last_square() -> None:
    for seed in range(10):
        Both(2, True, seed % 2 == 1, 500, random.Random(seed)).play()


class Both:
    """One random match, played by the engine and by the naive one."""

    def __init__(
        self, players: int, diagonals: bool, excalibur: bool, target: int, chance: random.Random
    ) -> None:
        options = {"diagonals": diagonals, "excalibur": excalibur, "target": target}
        self.players = players
        self.chance = chance
        self.position = GAME.initial(players, options)
        self.other = NaiveLancelot(
            players, diagonals=diagonals, excalibur=excalibur, target=target or None
        )

    def play(self) -> None:
        while self.same():
            ...
