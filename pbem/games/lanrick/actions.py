"""What a seat can do in Lanrick, in both rules."""

from __future__ import annotations

from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.lanrick.board import NAMES


class Action(NamedTuple):
    """An action by its sign and squares; see `text`."""

    seat: Seat
    sign: str
    """`` place, `@` mark, `-` step, `~` run, `.` end of turn, `x` remove, `>` move to the border,
    `*` replace, `ix` interchange, `swap` choice of the interchange."""
    squares: tuple[int, ...] = ()
    detail: str = ""
    """Direction of a mark for three squares, or the arrow that a run is printed with."""
    way: str = ""
    """Direction of a run: `>` clockwise, `<` the other way."""

    @property
    def declaration(self) -> bool:
        """Everything in Lanrick is done in turn."""
        return False

    @property
    def text(self) -> str:
        """Canonical text."""
        names = [NAMES[square] for square in self.squares]
        if self.sign in ("-", "~", ">"):
            return f"{names[0]}{self.sign}{self.detail}{names[1]}"
        if self.sign == "swap":
            return " ".join([self.sign, *sorted(names)])
        return self.sign + "".join(names) + self.detail


def each_square(seats: tuple[Seat, ...], sign: str) -> tuple[tuple[Action, ...], ...]:
    """Actions with one square, made once: by the index of their seat, and by the square."""
    return tuple(tuple(Action(seat, sign, (square,)) for square in range(64)) for seat in seats)
