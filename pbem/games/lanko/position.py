"""A Lanko position, its legal moves and its shuttles (rulebook, Lanko)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.lanko.board import ADVERSE, PIECES, SEATS, VACANT, LankoBoard, Leap, Move, Way
from pbem.games.values import once, value

NEXT = {seat: SEATS[(i + 1) % 4] for i, seat in enumerate(SEATS)}


class Declaration(NamedTuple):
    """`[S+++]` sent alone: a seat wants to end the game as it stands (ending d)."""

    seat: Seat

    @property
    def declaration(self) -> bool:
        """Always True: any seat may declare at any time."""
        return True


Action = Move | Declaration


@dataclass(frozen=True)
class LankoTerms:
    """Terms that stay the same for a whole match."""

    board: LankoBoard
    holders: tuple[tuple[Seat, ...], ...]
    """Seats of each player."""
    repetition: bool
    quiet_limit: int

    def seats_with(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats of the player who holds a seat."""
        return next(seats for seats in self.holders if seat in seats)


@value
class LankoPosition:
    """Everything the rules of Lanko need to continue."""

    terms: LankoTerms
    cells: str
    """One character per square, in the order of `Board.labels`. The middle stays vacant here."""
    middle: str
    """Castles in the middle (88 and 68), sorted B S b s."""
    seat: Seat
    """Seat to act. After the end, the seat whose turn it would be."""
    turn: int = 1
    quiet: int = 0
    """Turns since the last capture, entry or burning."""
    seen: tuple[str, ...] = ()
    """Positions with a seat to act since the last capture, entry or burning: seat and cells."""
    shuttles: Shuttles = (None,) * 4
    declared: frozenset[Seat] = frozenset()
    """Seats whose players have declared `+++`."""
    passed: tuple[Seat, ...] = ()
    last: Move | None = None
    ending: str | None = None

    @once
    def legal(self) -> tuple[Move, ...]:
        """Legal moves of the seat to act. Captures only, if there are any."""
        if self.ending is not None:
            return ()
        return legal_moves(self.terms.board, self.cells, self.seat)

    @once
    def choice(self) -> frozenset[Move]:
        """The legal moves as a set, for lookups."""
        return frozenset(self.legal)

    @once
    def next_way(self) -> Way | None:
        """A step or jump that the next seat has now. After most moves it is still open."""
        return open_way(self.terms.board, self.cells, NEXT[self.seat])

    @once
    def only_one_can_move(self) -> bool:
        """Whether all legal moves belong to one piece."""
        first = self.legal[0].path[0]
        return all(move.path[0] == first for move in self.legal)


def legal_moves(board: LankoBoard, cells: str, seat: Seat) -> tuple[Move, ...]:
    """Return a seat's moves in the order of squares. If it can capture, only captures."""
    own = PIECES[seat]
    men = [square for square in board.zone[seat] if cells[square] in own]
    return tuple(_captures(board, cells, seat, men) or _quiet_moves(board, cells, seat, men))


def can_move(board: LankoBoard, cells: str, seat: Seat) -> bool:
    """Return whether a seat has a legal move."""
    return open_way(board, cells, seat) is not None or bool(legal_moves(board, cells, seat))


def open_way(board: LankoBoard, cells: str, seat: Seat) -> Way | None:
    """Return the first step or jump that a seat would have if it had no capture."""
    ways = board.ways[seat]
    for square in board.zone[seat]:
        piece = cells[square]
        if piece in ways:
            for way in ways[piece][square]:
                if cells[way.to] == VACANT and cells[way.over] in way.allowed:
                    return way
    return None


def is_still_open(way: Way, before: str, cells: str) -> bool:
    """Return whether a step or jump that was open before is still open."""
    start, over = way.move.path[0], way.over
    return cells[way.to] == VACANT and cells[start] == before[start] and cells[over] == before[over]


def _quiet_moves(board: LankoBoard, cells: str, seat: Seat, men: list[int]) -> list[Move]:
    ways = board.ways[seat]
    return [
        move
        for square in men
        for over, allowed, to, move in ways[cells[square]][square]
        if cells[to] == VACANT and cells[over] in allowed
    ]


def _captures(board: LankoBoard, cells: str, seat: Seat, men: list[int]) -> list[Move]:
    moves: list[Move] = []
    adverse, leaps = ADVERSE[seat], board.captures[seat]
    for square in men:
        for over, to in leaps[square]:
            if cells[over] in adverse and cells[to] == VACANT:
                path, taken = (square, to), (over,)
                moves.extend(_chains(board, leaps, cells, adverse, seat, path, taken))
    return moves


def _chains(
    board: LankoBoard,
    leaps: tuple[tuple[Leap, ...], ...],
    cells: str,
    adverse: str,
    seat: Seat,
    path: tuple[int, ...],
    taken: tuple[int, ...],
) -> Iterator[Move]:
    """Yield the captures that continue a series of jumps to its end, as pieces must."""
    onward = False
    if path[-1] != board.middle:  # entering ends the move
        for over, to in leaps[path[-1]]:
            vacated = to == path[0] or to in taken  # captured pieces leave the board at once
            if cells[over] in adverse and over not in taken and (cells[to] == VACANT or vacated):
                onward = True
                further = (*path, to), (*taken, over)
                yield from _chains(board, leaps, cells, adverse, seat, *further)
    if not onward:
        yield Move(seat, path, taken)


class Shuttle(NamedTuple):
    """Moves back and forth in a row by a seat's only movable piece."""

    start: int
    to: int
    times: int


Shuttles = tuple[Shuttle | None, ...]
"""One per seat, in turn order."""


def stopped(shuttles: Shuttles, seat: Seat) -> Shuttles:
    """Return the counts after a turn in which a seat did not move back and forth."""
    return shuttles if shuttles[SEATS.index(seat)] is None else _with(shuttles, seat, None)


def shuttled(shuttles: Shuttles, move: Move) -> Shuttles:
    """Return the counts after a step or jump by a seat's only movable piece."""
    start, to = move.path
    before = shuttles[SEATS.index(move.seat)]
    back = before is not None and (before.start, before.to) == (to, start)
    times = before.times + 1 if before is not None and back else 1
    return _with(shuttles, move.seat, Shuttle(start, to, times))


def _with(shuttles: Shuttles, seat: Seat, shuttle: Shuttle | None) -> Shuttles:
    i = SEATS.index(seat)
    return (*shuttles[:i], shuttle, *shuttles[i + 1 :])
