"""A Lanko position, its legal moves, and its shuttles (rulebook, Lanko)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.lanko.board import ADVERSE, PIECES, SEATS, VACANT, LankoBoard, Leap, Move, Way
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
class LankoTerms:
    """What stays the same for a whole match."""

    board: LankoBoard
    holders: tuple[tuple[Seat, ...], ...]
    """Seats of each player."""
    repetition: bool
    quiet_limit: int

    def seats_with(self, seat: Seat) -> tuple[Seat, ...]:
        """All the seats of the player who holds a seat."""
        return next(seats for seats in self.holders if seat in seats)


@value
class LankoPosition:
    """All that the rules of Lanko need to go on."""

    terms: LankoTerms
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


def legal_moves(board: LankoBoard, cells: str, seat: Seat) -> tuple[Move, ...]:
    """Moves of a seat in the order of the squares; a capture must be made if there is one."""
    own = PIECES[seat]
    men = [square for square in board.zone[seat] if cells[square] in own]
    return tuple(_captures(board, cells, seat, men) or _quiet_moves(board, cells, seat, men))


def can_move(board: LankoBoard, cells: str, seat: Seat) -> bool:
    """Whether a seat has a legal move."""
    return open_way(board, cells, seat) is not None or bool(legal_moves(board, cells, seat))


def open_way(board: LankoBoard, cells: str, seat: Seat) -> Way | None:
    """The first movement or jump that would be open to a seat if it had nothing to capture."""
    ways = board.ways[seat]
    for square in board.zone[seat]:
        piece = cells[square]
        if piece in ways:
            for way in ways[piece][square]:
                if cells[way.to] == VACANT and cells[way.over] in way.allowed:
                    return way
    return None


def is_still_open(way: Way, before: str, cells: str) -> bool:
    """Whether a movement or jump that was open on one board is so on another."""
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
    """Captures that go on from some leaps, to their ends: a piece that can go on must."""
    onward = False
    if path[-1] != board.middle:  # entering ends the move
        for over, to in leaps[path[-1]]:
            vacated = to == path[0] or to in taken  # what is taken is taken off at once
            if cells[over] in adverse and over not in taken and (cells[to] == VACANT or vacated):
                onward = True
                further = (*path, to), (*taken, over)
                yield from _chains(board, leaps, cells, adverse, seat, *further)
    if not onward:
        yield Move(seat, path, taken)


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
