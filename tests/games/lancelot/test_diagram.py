"""Lancelot's diagrams are complete: each position is read back from its text."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.games.lancelot import LANCELOT
from pbem.games.phrases import ENGLISH
from pbem.games.text_diagram import paint
from pbem.testing.board_reader import read_board
from pbem.testing.random_matches import sampled

# Rulebook: the area in play by number of players.
AREAS = {2: ("D", "K", 4, 11), 3: ("C", "L", 3, 12), 4: ("B", "M", 2, 13), 5: ("A", "N", 1, 14)}


@pytest.mark.parametrize("players", AREAS)
@pytest.mark.parametrize("seed", range(4))
def test_diagrams_of_random_matches_read_back(players: int, seed: int) -> None:
    for step in sampled(LANCELOT, players, seed):
        told: Any = LANCELOT.squares(step.after)
        text = paint(LANCELOT.diagram(step.after, step.seat), {}, ENGLISH)
        board = read_board(text)
        assert {name: s.piece for name, s in board.squares.items() if s.piece} == told["squares"]
        assert (board.files[0], board.files[-1], board.ranks[-1], board.ranks[0]) == AREAS[players]
        arrived = {name for name, square in board.squares.items() if square.mark == "<"}
        assert arrived == set(re.findall(r"[A-N]\d+", step.text))
        counted = dict(re.findall(r"^  (\w+): (\d+) defeated", text, re.MULTILINE))
        assert counted == {seat: str(number) for seat, number in told["defeated"].items()}
