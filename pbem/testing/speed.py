"""A benchmark: actions that a game lists and plays in a second. It is printed and never judged."""

from __future__ import annotations

import time

import pytest

from pbem.games.api import AnyGame
from pbem.testing.promises import Promises
from pbem.testing.random_matches import listed, walk

SECONDS = 0.5
"""Processor time for each game, about."""


class SpeedTests(Promises):
    """Speed: `pytest -k speed` shows it for one process on a quiet machine."""

    def test_speed(self, game: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
        """Print the speed. Nothing can fail but the game itself."""
        players = max(game.info.holders)
        actions = legal = 0
        begun = time.process_time()
        while time.process_time() - begun < SECONDS:
            for step in walk(game, players, actions, {}):
                legal += len(listed(game, step.before))
                actions += 1
                if time.process_time() - begun > SECONDS:
                    break
        seconds = time.process_time() - begun
        with capsys.disabled():
            print(
                f"\n{game.info.key}: {actions / seconds:,.0f} actions played and"
                f" {legal / seconds:,.0f} listed in a second",
                end=" ",
            )
        assert actions
