"""Read a printed board back, by the names at its edges and its legend.

A square's piece is below the name of its file and beside the number of its rank. Signs round it are
its frame, a sign after it the mark of the last turn.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Square(NamedTuple):
    """The print of one square."""

    piece: str
    """The letter of the piece, or empty if the square is vacant or there is none."""
    frame: str
    mark: str


class Board(NamedTuple):
    """A board as printed."""

    squares: dict[str, Square]
    files: str
    """Names of the files, from left to right."""
    ranks: list[int]
    """Numbers of the ranks, from the top."""


def read_board(text: str) -> Board:
    """Return the board at the start of a painted diagram."""
    lines = text.split("\n\n", maxsplit=1)[0].splitlines()
    head, *rows, foot = lines
    assert head == foot
    columns = [(match.start(), match[0]) for match in re.finditer(r"\S", head)]
    squares, ranks = {}, []
    for row in rows:
        rank = int(row.split()[0])
        assert rank == int(row.split()[-1])
        ranks.append(rank)
        for column, file in columns:
            squares[f"{file}{rank}"] = _square(row, column)
    return Board(squares, "".join(file for _, file in columns), ranks)


def _square(row: str, column: int) -> Square:
    before, piece, after = row[column - 1], row[column], row[column + 1 : column + 3]
    frame = before + after[:1] if before in "[{" else ""
    mark = next((sign for sign in after[len(frame) // 2 :][:2] if sign in "<>"), "")
    return Square("" if piece in ". " else piece, frame, mark)
