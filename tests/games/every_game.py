"""Parameters for tests of every game outside of `pbem.testing`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games import games, keys
from tests.support.examples import examples

every_game = pytest.mark.parametrize("game", games(), ids=keys())
every_match = pytest.mark.parametrize(
    ("game", "players"),
    [
        pytest.param(game, players, id=f"{game.info.key}-{players}")
        for game in games()
        for players in sorted(game.info.holders)
    ],
)
seeds = given(seed=st.integers(0, 2**32 - 1))
some = settings(max_examples=examples(3), derandomize=True, deadline=None)
