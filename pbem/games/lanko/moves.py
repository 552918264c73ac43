"""What a seat of Lanko may do on a board: movements, jumps, captures (rulebook, Lanko, "Moves")."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.api import Seat
from pbem.games.lanko.board import ADVERSE, PIECES, VACANT, Board, Leap, Move


def legal_moves(board: Board, cells: str, seat: Seat) -> tuple[Move, ...]:
    """Moves of a seat in the order of the squares; a capture must be made if there is one."""
    own = PIECES[seat]
    men = [square for square in board.zone[seat] if cells[square] in own]
    return tuple(_captures(board, cells, seat, men) or _quiet_moves(board, cells, seat, men))


def can_move(board: Board, cells: str, seat: Seat) -> bool:
    """Whether a seat has a legal move."""
    return open_step(board, cells, seat) is not None or bool(legal_moves(board, cells, seat))


def open_step(board: Board, cells: str, seat: Seat) -> Move | None:
    """The first movement of a seat to a vacant square, whether or not it has to capture."""
    steps = board.steps[seat]
    for square in board.zone[seat]:
        piece = cells[square]
        if piece in steps:
            for to, move in steps[piece][square]:
                if cells[to] == VACANT:
                    return move
    return None


def is_still_open(step: Move, before: str, cells: str) -> bool:
    """Whether a movement that was open on one board is so on another."""
    start, to = step.path
    return cells[to] == VACANT and cells[start] == before[start]


def _quiet_moves(board: Board, cells: str, seat: Seat, men: list[int]) -> list[Move]:
    moves = []
    steps, jumps = board.steps[seat], board.jumps[seat]
    for square in men:
        piece = cells[square]
        for to, move in steps[piece][square]:
            if cells[to] == VACANT:
                moves.append(move)
        jumped = PIECES[seat] if board.diagonal else piece
        for over, to, move in jumps[piece][square]:
            if cells[to] == VACANT and cells[over] in jumped:
                moves.append(move)
    return moves


def _captures(board: Board, cells: str, seat: Seat, men: list[int]) -> list[Move]:
    moves: list[Move] = []
    adverse, leaps = ADVERSE[seat], board.captures[seat]
    for square in men:
        for over, to, _ in leaps[square]:
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
        for over, to, _ in leaps[path[-1]]:
            vacated = to == path[0] or to in taken  # what is taken is taken off at once
            if cells[over] in adverse and over not in taken and (cells[to] == VACANT or vacated):
                onward = True
                further = (*path, to), (*taken, over)
                yield from _chains(board, leaps, cells, adverse, seat, *further)
    if not onward:
        yield Move(seat, path, taken)
