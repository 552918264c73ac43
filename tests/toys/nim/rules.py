"""Nim's positions and moves."""

from __future__ import annotations

from typing import NamedTuple

from pbem.games.api import IllegalActionError, Outcome, Seat
from pbem.games.values import value
from tests.toys.nim.words import phrase

HEAP = 7
SEATS = ("first", "second")


class Take(NamedTuple):
    """The number that a seat takes."""

    seat: Seat
    number: int
    declaration: bool = False


@value
class Heap:
    """The remaining heap and the number of the turn."""

    left: int = HEAP
    turn: int = 1
    passed: tuple[Seat, ...] = ()

    @property
    def seat(self) -> Seat:
        """Return the seat to move."""
        return SEATS[(self.turn - 1) % 2]


def legal_actions(position: Heap) -> list[Take]:
    """Return takes of one to three, fewest first, as far as the heap allows."""
    return [Take(position.seat, number) for number in range(1, min(3, position.left) + 1)]


def play(position: Heap, action: Take) -> Heap:
    """Return the position after a move. Raises IllegalActionError."""
    if action not in legal_actions(position):
        raise IllegalActionError(phrase("how-many"))
    return Heap(position.left - action.number, position.turn + 1)


def outcome(position: Heap) -> Outcome | None:
    """Return a win for the seat that took the last one."""
    if position.left:
        return None
    winner = SEATS[position.turn % 2]
    return Outcome((winner,), "last-one", {seat: int(seat == winner) for seat in SEATS})
