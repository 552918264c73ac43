"""The player's RULES.md: its table and signs are right, its examples are legal."""

from __future__ import annotations

import re

import pytest

from pbem.games import game_of
from pbem.games.lancelot import TARGETS
from pbem.games.lancelot.board import board_for, name_of
from pbem.games.replay import Played, replay

GAME = game_of("lancelot")
PAGE = GAME.rules("en")


def example(heading: str, options: dict[str, int]) -> list[Played]:
    """Play an example for two."""
    text = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n#", 1)[0]
    turns = re.findall(r"^ +(\d+)\. (red|blue) +(\S+)", text, re.MULTILINE)
    played = list(replay(GAME, 2, options, [(seat, text) for _, seat, text in turns]))
    assert [(str(one.turn), one.seat, one.text) for one in played] == turns
    return played


def test_page_can_be_mailed() -> None:
    assert PAGE.isascii()
    assert max(map(len, PAGE.splitlines())) <= 72
    assert not [line for line in PAGE.splitlines() if line != line.rstrip()]


def test_every_option_is_listed_with_its_default() -> None:
    for option in GAME.info.options:
        assert f"    {option.key} {option.format(option.default)} " in PAGE


@pytest.mark.parametrize("players", sorted(TARGETS))
def test_table_is_right(players: int) -> None:
    board = board_for(players, diagonals=False)
    corners = f"{name_of(board.squares[0])} to {name_of(board.squares[-1])}"
    row = [str(players), *corners.split(), f"{board.width}x{board.width}", str(TARGETS[players])]
    assert row in [line.split() for line in PAGE.splitlines()]


def test_example_without_excalibur_is_right() -> None:
    played = example("A game for two begins", {})
    assert [one.position.defeated for one in played[3:]] == [(0, 0), (1, 0), (1, 0), (1, 0)]
    last = played[-1].position
    assert "H7" not in GAME.squares(last)["squares"]
    own = [name_of(action.knight) for action in played[5].position.plain]
    assert not [square for square in own if square.endswith("7")]


def test_example_with_excalibur_is_right() -> None:
    played = example("A game for two with Excalibur begins", {"excalibur": 1})
    assert [one.position.defeated for one in played[4:]] == [(0, 0), (1, 0)]
    assert GAME.squares(played[-1].position)["squares"] == {
        "E7": "*",
        "F7": "r",
        "J7": "r",
        "D10": "r",
        "K9": "b",
    }
