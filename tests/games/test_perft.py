"""Perft numbers, counted by a second, naive implementation of each game.

A file has `game`, `players` and `nodes` (lines of one action, of two, ...), then the actions that
lead to its position. Its numbers must never be taken from the engine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.cli.engine import perft
from pbem.games import keys
from pbem.games.replay import replay
from tests.games import playthrough

FILES = sorted((Path(__file__).parents[1] / "data" / "perft").glob("*.txt"))


class Case(NamedTuple):
    """A position and its numbers."""

    script: playthrough.Script
    nodes: list[int]

    @property
    def position(self) -> Any:
        """Return the position after the actions."""
        game, players, options, actions = self.script
        position = game.initial(players, options)
        for played in replay(game, players, options, actions):
            position = played.position
        return position


def case(path: Path) -> Case:
    """Return the contents of a file."""
    text = path.read_text("ascii")
    (nodes,) = [line for line in text.splitlines() if line.startswith("nodes:")]
    return Case(playthrough.read(text), [int(number) for number in nodes.split()[1:]])


@pytest.mark.thorough
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_perft_numbers_are_right(path: Path) -> None:
    script, nodes = case(path)
    assert perft(script.game, case(path).position, len(nodes)) == nodes


@pytest.mark.parametrize("key", keys())
def test_every_game_has_an_opening_and_a_later_position(key: str) -> None:
    scripts = [case(path).script for path in FILES]
    played = [bool(script.actions) for script in scripts if script.game.info.key == key]
    assert set(played) == {False, True}
