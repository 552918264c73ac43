"""What a seat of Lanko may do on a board: movements, jumps, captures (rulebook, Lanko, "Moves")."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.api import Seat
from pbem.games.lanko.board import ADVERSE, PIECES, VACANT, Board, Leap, Move, Way


def legal_moves(board: Board, cells: str, seat: Seat) -> tuple[Move, ...]:
    """Moves of a seat in the order of the squares; a capture must be made if there is one."""
    own = PIECES[seat]
    men = [square for square in board.zone[seat] if cells[square] in own]
    return tuple(_captures(board, cells, seat, men) or _quiet_moves(board, cells, seat, men))


def can_move(board: Board, cells: str, seat: Seat) -> bool:
    """Whether a seat has a legal move."""
    return open_way(board, cells, seat) is not None or bool(legal_moves(board, cells, seat))


def open_way(board: Board, cells: str, seat: Seat) -> Way | None:
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


def _quiet_moves(board: Board, cells: str, seat: Seat, men: list[int]) -> list[Move]:
    ways = board.ways[seat]
    return [
        move
        for square in men
        for over, allowed, to, move in ways[cells[square]][square]
        if cells[to] == VACANT and cells[over] in allowed
    ]


def _captures(board: Board, cells: str, seat: Seat, men: list[int]) -> list[Move]:
    moves: list[Move] = []
    adverse, leaps = ADVERSE[seat], board.captures[seat]
    for square in men:
        for over, to in leaps[square]:
            if cells[over] in adverse and cells[to] == VACANT:
                path, taken = (square, to), (over,)
                moves.extend(_chains(board, leaps, cells, adverse, seat, path, taken))
    return moves


def _chains(
    board: Board,
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
