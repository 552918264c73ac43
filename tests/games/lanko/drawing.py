"""Lanko positions drawn by hand, and drawn back for comparison.

A drawing is a grid like the map files: one row of the board a line, from the north, signs separated
by blanks. `B S P` are White's pieces, `b s p` Black's, `.` is a vacant or idle square. Rows of the
arms have only their five squares. `X` is the middle, followed by the castles in it (`XBs`). On
Lanko-103 `_` stands for the two squares that are left out.
"""

from __future__ import annotations

from typing import Any

from pbem.games import game_of
from pbem.games.api import Seat
from pbem.games.lanko.board import MIDDLE, VACANT, LankoBoard, Point, load_board
from pbem.games.lanko.position import LankoPosition, LankoTerms

ARM = 5
"""Squares in a row of an arm."""
LEFT_OUT = ((1, 6), (-1, -6))
"""Squares that Lanko-103 lacks."""


def drawn(
    key: str,
    drawing: str,
    seat: Seat = "S",
    *,
    players: int = 4,
    repetition: bool = True,
    quiet_limit: int = 200,
    **state: Any,
) -> LankoPosition:
    """Return the position of a drawing with a seat to move. `state` sets other fields of it."""
    board = load_board(key)
    signs = dict(_signs(board, drawing))
    middle = "" if board.middle is None else signs.pop((0, 0)).removeprefix(MIDDLE)
    cells = "".join(VACANT if point not in signs else signs.pop(point) for point in board.points)
    assert set(middle) <= set("BSbs"), f"not a middle: {middle}"
    assert set(signs.values()) <= {".", "_"}, f"not on a square: {signs}"
    return _position(board, cells, middle, seat, players, repetition, quiet_limit, state)


def placed(key: str, men: str, seat: Seat = "S", **state: Any) -> LankoPosition:
    """Return a position with pieces given as `P:48 b:F` and a seat to move."""
    board = load_board(key)
    squares = [man.split(":") for man in men.split()]
    standing = {label: piece for piece, label in squares if label != MIDDLE}
    assert set(standing) <= set(board.labels), f"no such square: {men}"
    cells = "".join(standing.get(label, VACANT) for label in board.labels)
    middle = "".join(piece for piece, label in squares if label == MIDDLE)
    return _position(board, cells, middle, seat, 4, True, 200, state)


def _position(
    board: LankoBoard,
    cells: str,
    middle: str,
    seat: Seat,
    players: int,
    repetition: bool,
    quiet_limit: int,
    state: dict[str, Any],
) -> LankoPosition:
    holders = game_of(board.key).info.holders[players]
    return LankoPosition(
        terms=LankoTerms(board, holders, repetition, quiet_limit),
        cells=cells,
        middle="".join(sorted(middle)),
        seat=seat,
        seen=(seat + cells,) if repetition else (),
        **state,
    )


def _signs(board: LankoBoard, drawing: str) -> list[tuple[Point, str]]:
    rows = [line.split() for line in drawing.splitlines() if line.strip()]
    half = max(x for x, _ in board.points)
    assert len(rows) == 2 * half + 1, f"{len(rows)} rows"
    for number, row in enumerate(rows):
        wide = abs(half - number) <= ARM // 2
        assert len(row) == (2 * half + 1 if wide else ARM), f"row {number + 1}: {row}"
    return [
        ((column - len(row) // 2, half - number), sign)
        for number, row in enumerate(rows)
        for column, sign in enumerate(row)
    ]


def redrawn(position: LankoPosition) -> str:
    """Draw a position, one blank between signs, rows without a margin."""
    board = position.terms.board
    half = max(x for x, _ in board.points)
    return "\n".join(
        " ".join(
            _sign(position, board.at.get((x, y)), (x, y))
            for x in (range(-half, half + 1) if abs(y) <= ARM // 2 else range(-2, 3))
        )
        for y in range(half, -half - 1, -1)
    )


def _sign(position: LankoPosition, square: int | None, point: Point) -> str:
    if square is None:
        return "_" if point in LEFT_OUT else "."
    if square == position.terms.board.middle:
        return MIDDLE + position.middle
    return position.cells[square]


def tidy(drawing: str) -> str:
    """Return a drawing in the form of `redrawn`."""
    rows = (line.split() for line in drawing.splitlines())
    return "\n".join(" ".join(row) for row in rows if row)
