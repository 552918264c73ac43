"""How well each seat of Lanko stands: a rough count, for opponents that look ahead."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import getitem

from pbem.games.api import Seat
from pbem.games.lanko.board import CASTLES, VACANT, WHITE, Board
from pbem.games.lanko.position import Position
from pbem.games.lanko.score import VALUES, scores

POINT = 100
"""A point against a square of distance: all castles together are nearer than this."""
AT_HOME = 3
"""A castle at home counts threefold."""


def standing(position: Position) -> Mapping[Seat, int]:
    """Balance of points, then how near the castles outside are to their home."""
    outside = sum(map(getitem, _worths(position.terms.board), position.cells))
    return scores(outside + sum(AT_HOME * _points(piece) for piece in position.middle))


@cache
def _worths(board: Board) -> tuple[dict[str, int], ...]:
    """What each piece is worth to White, square by square."""
    return tuple(
        {VACANT: 0, **{piece: _worth(board, square, piece) for piece in "BSPbsp"}}
        for square in range(len(board.points))
    )


def _worth(board: Board, square: int, piece: str) -> int:
    points = _points(piece)
    if piece not in CASTLES:
        return points
    if square in board.home:
        return AT_HOME * points
    way = _distance(board, square)
    return points - way if piece in WHITE else points + way


def _points(piece: str) -> int:
    """Of White, a hundred for each."""
    points = POINT * VALUES[piece.upper()]
    return points if piece in WHITE else -points


def _distance(board: Board, square: int) -> int:
    x, y = board.points[square]
    return min(
        max(abs(x - board.points[home][0]), abs(y - board.points[home][1])) for home in board.home
    )
