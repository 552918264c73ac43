"""Points of a Lanko position, its result and a rating of each seat (rulebook, Lanko)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import getitem

from pbem.games.api import Outcome, Seat
from pbem.games.lanko.board import ADVERSE, BLACK, CASTLES, PIECES, VACANT, WHITE, LankoBoard
from pbem.games.lanko.position import LankoPosition

VALUES = {"B": 12, "S": 6, "P": 2}


def points(position: LankoPosition, colour: str) -> int:
    """Return a colour's points on the board. Castles at home count threefold."""
    board, cells = position.terms.board, position.cells
    home = position.middle + "".join(cells[end] for end in board.ends)
    return _worth(cells, colour) + _worth(home, colour) * (3 if board.middle is not None else 2)


def _worth(pieces: str, colour: str) -> int:
    return sum(VALUES[piece.upper()] for piece in pieces if piece in colour)


def outcome(position: LankoPosition) -> Outcome | None:
    """Return the result, None before the end. Scores are White's points minus Black's."""
    if position.ending is None:
        return None
    lead = balance(position)
    winners = ("S", "N") if lead > 0 else ("W", "E") if lead < 0 else ()
    return Outcome(winners, position.ending, scores(lead))


def balance(position: LankoPosition) -> int:
    """Return White's points minus Black's."""
    return points(position, WHITE) - points(position, BLACK)


def forfeit(position: LankoPosition, seats: Sequence[Seat]) -> Mapping[Seat, int]:
    """Return the scores if the side of these seats gives up (rulebook, Three-person sets, ruling).

    The winner's castles outside count threefold, the loser's count normally, and the winner leads
    by at least one point.
    """
    loser, winner = PIECES[seats[0]], ADVERSE[seats[0]]
    outside = [p for i, p in enumerate(position.cells) if i not in position.terms.board.home]
    castles = "".join(piece for piece in outside if piece in CASTLES)
    bonus = 2 * _worth(castles, winner)
    lead = max(1, points(position, winner) + bonus - points(position, loser))
    return scores(lead if winner == WHITE else -lead)


def scores(lead: int) -> dict[Seat, int]:
    """Return White's points minus Black's, from each seat's side."""
    return {"S": lead, "W": -lead, "N": lead, "E": -lead}


POINT = 100
"""Value of a point in squares of distance. All castles' distances add up to less than this."""
AT_HOME = 3
"""Factor of a castle at home."""


def standing(position: LankoPosition) -> Mapping[Seat, int]:
    """Rate each seat by balance of points, then by how near the castles outside are to home."""
    outside = sum(map(getitem, _worths(position.terms.board), position.cells))
    return scores(outside + sum(AT_HOME * _points(piece) for piece in position.middle))


@cache
def _worths(board: LankoBoard) -> tuple[dict[str, int], ...]:
    """Return the value of each piece to White, for each square."""
    return tuple(
        {VACANT: 0, **{piece: _standing_worth(board, square, piece) for piece in "BSPbsp"}}
        for square in range(len(board.points))
    )


def _standing_worth(board: LankoBoard, square: int, piece: str) -> int:
    points = _points(piece)
    if piece not in CASTLES:
        return points
    if square in board.home:
        return AT_HOME * points
    way = _distance(board, square)
    return points - way if piece in WHITE else points + way


def _points(piece: str) -> int:
    """Return White's value of a piece, a hundred per point."""
    points = POINT * VALUES[piece.upper()]
    return points if piece in WHITE else -points


def _distance(board: LankoBoard, square: int) -> int:
    x, y = board.points[square]
    return min(
        max(abs(x - board.points[home][0]), abs(y - board.points[home][1])) for home in board.home
    )
