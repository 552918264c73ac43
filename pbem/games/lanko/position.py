"""A Lanko position and what is done in it (rulebook, Lanko)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.lanko.board import SEATS, Board, Move, Way
from pbem.games.lanko.moves import legal_moves, open_way
from pbem.games.lanko.shuttle import Shuttles
from pbem.games.values import once, value

NEXT = {seat: SEATS[(i + 1) % 4] for i, seat in enumerate(SEATS)}


class Declaration(NamedTuple):
    """`[S+++]` sent alone: a seat wants the game to end as it stands (ending d)."""

    seat: Seat

    @property
    def declaration(self) -> bool:
        """Any seat may declare at any time."""
        return True


Action = Move | Declaration


@dataclass(frozen=True)
class Terms:
    """What stays the same for a whole match."""

    board: Board
    holders: tuple[tuple[Seat, ...], ...]
    """Seats of each player."""
    repetition: bool
    quiet_limit: int

    def seats_with(self, seat: Seat) -> tuple[Seat, ...]:
        """All the seats of the player who holds a seat."""
        return next(seats for seats in self.holders if seat in seats)


@value
class Position:
    """All that the rules of Lanko need to go on."""

    terms: Terms
    cells: str
    """One character a square, in the order of `Board.labels`; the middle stays vacant in it."""
    middle: str
    """Castles in the middle (88 and 68), sorted B S b s."""
    seat: Seat
    """Seat to act, or after the end the one whose turn it would be."""
    turn: int = 1
    quiet: int = 0
    """Turns since the last capture, entry or burning."""
    seen: tuple[str, ...] = ()
    """Positions asked for a move since the last capture, entry or burning: seat and cells."""
    shuttles: Shuttles = (None,) * 4
    declared: frozenset[Seat] = frozenset()
    """Seats of the players who stand on `+++`."""
    passed: tuple[Seat, ...] = ()
    last: Move | None = None
    ending: str | None = None

    @once
    def legal(self) -> tuple[Move, ...]:
        """Moves of the seat to act: captures alone where there are any."""
        if self.ending is not None:
            return ()
        return legal_moves(self.terms.board, self.cells, self.seat)

    @once
    def choice(self) -> frozenset[Move]:
        """The same, to see whether a move is among them."""
        return frozenset(self.legal)

    @once
    def next_way(self) -> Way | None:
        """A movement or jump open to the next seat already: after most moves it still is."""
        return open_way(self.terms.board, self.cells, NEXT[self.seat])

    @once
    def only_one_can_move(self) -> bool:
        """Whether all the legal moves are of one piece."""
        first = self.legal[0].path[0]
        return all(move.path[0] == first for move in self.legal)
