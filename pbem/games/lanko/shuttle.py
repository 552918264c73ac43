"""A piece that goes to and fro because its seat can move no other (rulebook, Lanko, ending e)."""

from __future__ import annotations

from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.lanko.board import SEATS, Move


class Shuttle(NamedTuple):
    """How often running a seat's only movable piece has gone to and fro."""

    start: int
    to: int
    times: int


Shuttles = tuple[Shuttle | None, ...]
"""One a seat, in turn order."""


def stopped(shuttles: Shuttles, seat: Seat) -> Shuttles:
    """The counts after a turn in which a seat did not go to and fro."""
    return shuttles if shuttles[SEATS.index(seat)] is None else _with(shuttles, seat, None)


def shuttled(shuttles: Shuttles, move: Move) -> Shuttles:
    """The counts after a movement or a jump of the only piece that its seat could move."""
    start, to = move.path
    before = shuttles[SEATS.index(move.seat)]
    back = before is not None and (before.start, before.to) == (to, start)
    times = before.times + 1 if before is not None and back else 1
    return _with(shuttles, move.seat, Shuttle(start, to, times))


def _with(shuttles: Shuttles, seat: Seat, shuttle: Shuttle | None) -> Shuttles:
    i = SEATS.index(seat)
    return (*shuttles[:i], shuttle, *shuttles[i + 1 :])
