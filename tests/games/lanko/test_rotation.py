"""Every seat plays the same game: a quarter turn of the board changes only the names."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pbem.cli.engine import perft
from pbem.games import game_of
from pbem.games.lanko.board import BLACK, WHITE, Point
from pbem.games.lanko.position import LankoPosition
from pbem.games.lanko.score import points
from tests.games.lanko.naive import rotate

pytestmark = pytest.mark.thorough

BOARDS = ("lanko-88", "lanko-68", "lanko-103")
TURNED = {"N": "E", "E": "S", "S": "W", "W": "N"}
"""Seat to which a seat's arm comes by a quarter turn clockwise."""


def turned(position: LankoPosition) -> LankoPosition:
    """Return a position after a quarter turn clockwise, with colours exchanged."""
    board = position.terms.board
    men = {
        rotate(point, 1): piece.swapcase()
        for point, piece in zip(board.points, position.cells, strict=True)
    }
    cells = "".join(men[point] for point in board.points)
    middle = "".join(sorted(position.middle.swapcase()))
    return replace(position, cells=cells, middle=middle, seat=TURNED[position.seat], seen=())


def paths(position: LankoPosition, quarters: int = 0) -> set[tuple[Point, ...]]:
    """Return legal moves by coordinates, turned clockwise."""
    at = position.terms.board.points
    return {tuple(rotate(at[square], quarters) for square in m.path) for m in position.legal}


@pytest.mark.parametrize(("key", "depth"), (("lanko-88", 3), ("lanko-68", 3), ("lanko-103", 4)))
def test_opening_is_the_same_for_every_seat(key: str, depth: int) -> None:
    game = game_of(key)
    opening = game.initial(4, {})
    from_south = perft(game, opening, depth)
    for seat in "WNE":
        position = replace(opening, seat=seat, seen=())
        assert perft(game, position, depth) == from_south
    assert turned(opening).cells == opening.cells


@pytest.mark.parametrize("key", BOARDS)
def test_later_positions_are_the_same_for_every_seat(key: str) -> None:
    game = game_of(key)
    chance = random.Random(key)
    position = game.initial(4, {})
    while moves := list(game.legal_actions(position)):
        south = position
        for quarters in range(1, 4):
            south = turned(south)
            assert paths(south) == paths(position, quarters)
            assert points(south, WHITE) == points(position, WHITE if quarters == 2 else BLACK)
            if position.turn % 20 == quarters:
                assert perft(game, south, 2) == perft(game, position, 2)
        assert turned(south).cells == position.cells
        position = game.play(position, chance.choice(moves))
    assert position.turn > 50
