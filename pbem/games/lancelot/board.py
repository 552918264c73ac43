"""The squares and lines of Lancelot as bit masks: bit `14 * row + column`, from A1.

Only the area in play matters. It is centred on the board of 14 by 14 (rulebook, Lancelot).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pbem.games.api import Seat
from pbem.games.lancelot.words import phrase

FILES = "ABCDEFGHIJKLMN"
SIZE = len(FILES)
SHORTEST_DIAGONAL = 4
"""Minimum length of a diagonal that counts as a line, in squares of the area."""


@dataclass(frozen=True, eq=False)
class LancelotBoard:
    """The area for a number of players, with its lines."""

    first: int
    """Column and row of the lower left corner, from 0."""
    diagonals: bool

    @property
    def width(self) -> int:
        """Squares per side."""
        return SIZE - 2 * self.first

    @cached_property
    def squares(self) -> tuple[int, ...]:
        """Squares of the area, rank by rank from the lowest."""
        inside = range(self.first, SIZE - self.first)
        return tuple(SIZE * row + column for row in inside for column in inside)

    @cached_property
    def area(self) -> int:
        """Mask of the whole area."""
        return sum(1 << square for square in self.squares)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Masks of ranks, files and, if they count, diagonals."""
        return tuple(dict.fromkeys(mask for lines in self.through.values() for mask in lines))

    @cached_property
    def through(self) -> dict[int, tuple[int, ...]]:
        """Masks of the lines through each square."""
        return {square: tuple(self._lines_of(square)) for square in self.squares}

    def _lines_of(self, square: int) -> Iterator[int]:
        yield self._line(square, 0, 1)
        yield self._line(square, 1, 0)
        if self.diagonals:
            for column_step in (1, -1):
                diagonal = self._line(square, 1, column_step)
                if diagonal.bit_count() >= SHORTEST_DIAGONAL:
                    yield diagonal

    def _line(self, square: int, row_step: int, column_step: int) -> int:
        row, column = divmod(square, SIZE)
        mask = 0
        for distance in range(-SIZE, SIZE + 1):
            r, c = row + distance * row_step, column + distance * column_step
            if all(self.first <= at < SIZE - self.first for at in (r, c)):
                mask |= 1 << (SIZE * r + c)
        return mask


@lru_cache
def board_for(players: int, diagonals: bool) -> LancelotBoard:
    """Return the area for two (8 by 8) to five players (14 by 14).

    Each player more adds one square on every side.
    """
    return LancelotBoard(first=5 - players, diagonals=diagonals)


def bits(mask: int) -> Iterator[int]:
    """Yield the squares of a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def name_of(square: int) -> str:
    """Return the name of a square, `A1` to `N14`."""
    row, column = divmod(square, SIZE)
    return f"{FILES[column]}{row + 1}"


def square_of(name: str) -> int | None:
    """Return the square of an upper-case name, None if it is not on the board."""
    column, row = FILES.find(name[0]), name[1:]
    if column < 0 or not 1 <= int(row) <= SIZE:
        return None
    return SIZE * (int(row) - 1) + column


SEATS: tuple[Seat, ...] = ("red", "blue", "yellow", "green", "violet")
SEAT_NAMES = {
    "red": phrase("seat.red"),
    "blue": phrase("seat.blue"),
    "yellow": phrase("seat.yellow"),
    "green": phrase("seat.green"),
    "violet": phrase("seat.violet"),
}
"""Seat names inside a sentence."""
SEAT_TITLES = {
    "red": phrase("title.red"),
    "blue": phrase("title.blue"),
    "yellow": phrase("title.yellow"),
    "green": phrase("title.green"),
    "violet": phrase("title.violet"),
}
"""Seat names on their own."""
