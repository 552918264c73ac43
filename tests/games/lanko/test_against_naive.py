"""The engine against an independent, naive one written from the rulebook."""

from __future__ import annotations

import random

import pytest

from pbem.cli.engine import perft
from pbem.games import game_of
from tests.games.lanko import naive
from tests.support.examples import examples

BOARDS = ("lanko-88", "lanko-68", "lanko-103")
GAMES_A_CASE = examples(3)


@pytest.mark.thorough
@pytest.mark.parametrize("players", (2, 3, 4))
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("declaring", (0.0, 0.05), ids=["plain", "declaring"])
def test_random_matches_agree_in_every_position(board: str, players: int, declaring: float) -> None:
    for seed in range(GAMES_A_CASE):
        chance = random.Random(f"{board} {players} {declaring} {seed}")
        quiet_limit = chance.choice([0, 20, 40, 200]) if seed % 2 else 200
        play_both(board, players, chance, declaring, quiet_limit or 200)


def play_both(
    board: str, players: int, chance: random.Random, declaring: float, quiet_limit: int
) -> None:
    game = game_of(board)
    position = game.initial(players, {"quiet_limit": quiet_limit})
    other = naive.NaiveLanko(board, players, quiet_limit=quiet_limit)
    while True:
        assert game.to_act(position) == other.to_act()
        assert game.squares(position)["squares"] == other.squares()
        outcome = game.outcome(position)
        theirs = other.outcome()
        if outcome is None or theirs is None:
            assert outcome is None
            assert theirs is None
        else:
            assert list(outcome.winners) == theirs["winners"]
            assert outcome.termination == theirs["termination"]
            assert dict(outcome.scores) == theirs["scores"]
            return
        assert position.turn == other.turn
        legal = [game.format(position, action) for action in game.legal_actions(position)]
        assert sorted(legal) == sorted(other.legal())
        if chance.random() < declaring / 2:
            seat = chance.choice("SWNE")
            position = game.play(position, game.parse(position, "+++", seat))
            other.declare(seat)
            continue
        text = chance.choice(legal)
        declare = chance.random() < declaring
        written = text[:-1] + " +++]" if declare else text
        position = game.play(position, game.parse(position, written, position.seat))
        assert list(position.passed) == other.play(text, declare=declare)


@pytest.mark.thorough
@pytest.mark.parametrize(("board", "depth"), (("lanko-88", 3), ("lanko-68", 3), ("lanko-103", 5)))
def test_perft_of_the_opening_agrees(board: str, depth: int) -> None:
    game = game_of(board)
    other = naive.NaiveLanko(board, 4)
    assert perft(game, game.initial(4, {}), depth) == naive.perft(other, depth)
