"""What a seat of Lanko may do on a board: movements, jumps, captures (rulebook, Lanko, "Moves")."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.api import Seat
from pbem.games.lanko.board import ADVERSE, PIECES, VACANT, Board, Leap, Move


def legal_moves(board: Board, cells: str, seat: Seat) -> tuple[Move, ...]:
    """Moves of a seat in the order of the squares; a capture must be made if there is one."""
    men = _men(board, cells, seat)
    return tuple(_captures(board, cells, seat, men)) or tuple(_quiet_moves(board, cells, seat, men))


def can_move(board: Board, cells: str, seat: Seat) -> bool:
    """Whether a seat has a legal move."""
    men = _men(board, cells, seat)
    for moves in (_quiet_moves, _captures):
        for _ in moves(board, cells, seat, men):
            return True
    return False


def open_step(board: Board, cells: str, seat: Seat) -> Move | None:
    """The first movement of a seat to a vacant square, whether or not it has to capture."""
    steps = board.steps[seat]
    for square in _men(board, cells, seat):
        for to, move in steps[cells[square]][square]:
            if cells[to] == VACANT:
                return move
    return None


def is_still_open(step: Move, before: str, cells: str) -> bool:
    """Whether a movement that was open on one board is so on another."""
    start, to = step.path
    return cells[to] == VACANT and cells[start] == before[start]


def _men(board: Board, cells: str, seat: Seat) -> list[int]:
    """Squares on which a seat has a piece to move."""
    own = PIECES[seat]
    return [square for square in board.zone[seat] if cells[square] in own]


def _quiet_moves(board: Board, cells: str, seat: Seat, men: list[int]) -> Iterator[Move]:
    steps, jumps = board.steps[seat], board.jumps[seat]
    for square in men:
        piece = cells[square]
        for to, move in steps[piece][square]:
            if cells[to] == VACANT:
                yield move
        jumped = PIECES[seat] if board.diagonal else piece
        for over, to, move in jumps[piece][square]:
            if cells[over] in jumped and cells[to] == VACANT:
                yield move


def _captures(board: Board, cells: str, seat: Seat, men: list[int]) -> Iterator[Move]:
    adverse, leaps = ADVERSE[seat], board.captures[seat]
    for square in men:
        for leap in leaps[square]:
            if cells[leap.over] in adverse and cells[leap.to] == VACANT:
                yield from _chains(board, leaps, cells, adverse, seat, (square,), (), leap)


def _chains(
    board: Board,
    leaps: tuple[tuple[Leap, ...], ...],
    cells: str,
    adverse: str,
    seat: Seat,
    path: tuple[int, ...],
    taken: tuple[int, ...],
    leap: Leap,
) -> Iterator[Move]:
    """Captures that go on from a leap, to their ends: a piece that can go on must."""
    path, taken = (*path, leap.to), (*taken, leap.over)
    onward = False
    if leap.to != board.middle:  # entering ends the move
        for further in leaps[leap.to]:
            over, to = further.over, further.to
            vacated = to == path[0] or to in taken  # what is taken is taken off at once
            if cells[over] in adverse and over not in taken and (cells[to] == VACANT or vacated):
                onward = True
                yield from _chains(board, leaps, cells, adverse, seat, path, taken, further)
    if not onward:
        yield Move(seat, path, taken)
