"""How well each seat of Lanko stands: a rough count, for opponents that look one move ahead."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.api import Seat
from pbem.games.lanko.board import BLACK, CASTLES, WHITE, Board
from pbem.games.lanko.position import Position
from pbem.games.lanko.score import points, scores

POINT = 100
"""A point against a square of distance: all castles together are nearer than this."""


def standing(position: Position) -> Mapping[Seat, int]:
    """Balance of points, then how near the castles outside are to their home."""
    lead = points(position, WHITE) - points(position, BLACK)
    nearer = _way_home(position, BLACK) - _way_home(position, WHITE)
    return scores(POINT * lead + nearer)


def _way_home(position: Position, colour: str) -> int:
    """Squares that the castles of a colour still have before them, all together."""
    board = position.terms.board
    return sum(
        _distance(board, square)
        for square, piece in enumerate(position.cells)
        if piece in CASTLES and piece in colour and square not in board.home
    )


def _distance(board: Board, square: int) -> int:
    x, y = board.points[square]
    return min(
        max(abs(x - board.points[home][0]), abs(y - board.points[home][1])) for home in board.home
    )
