"""Lanrick's diagrams are complete: each position is read back from its text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.phrases import ENGLISH
from pbem.games.replay import replay
from pbem.games.text_diagram import paint
from pbem.testing import playthrough
from pbem.testing.board_reader import read_board
from pbem.testing.random_matches import sampled
from tests.games.test_conformance import DATA

KEYS = ("lanrick-1881", "lanrick-1893")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seed", range(6))
def test_diagrams_of_random_matches_read_back(key: str, seed: int) -> None:
    game = game_of(key)
    for step in sampled(game, 2, seed):
        reads_back(key, step.after)


@pytest.mark.parametrize("path", [DATA / "playthroughs" / f"{key}.txt" for key in KEYS], ids=str)
def test_diagrams_of_a_whole_match_read_back(path: Path) -> None:
    """The match has every phase in it."""
    game, players, options, actions = playthrough.read(path.read_text("ascii"))
    for played in replay(game, players, options, actions):
        reads_back(game.info.key, played.position)


def reads_back(key: str, position: Any) -> None:
    """Check men, rendezvous and mark for both viewers, each with their own edge at the bottom."""
    game = game_of(key)
    told = game.squares(position)
    for viewer, own_rank in zip(game.info.seats, (1, 8), strict=True):
        board = read_board(paint(game.diagram(position, viewer), {}, ENGLISH))
        assert {name: s.piece for name, s in board.squares.items() if s.piece} == told["squares"]
        marked = [name for name, square in board.squares.items() if square.frame == "{}"]
        assert marked == ([told["mark"]] if told["mark"] else [])
        framed = {name for name, square in board.squares.items() if square.frame == "[]"}
        assert framed == set(told["rendezvous"]) - set(marked)
        assert board.ranks[-1] == own_rank
