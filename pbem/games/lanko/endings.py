"""How a match of Lanko ends: a to e (rulebook, Lanko, "End of the game")."""

from __future__ import annotations

from pbem.games.api import Seat
from pbem.games.lanko.board import ADVERSE, BLACK, CASTLES, PIECES, SEATS, VACANT, WHITE, Board
from pbem.games.lanko.moves import can_move
from pbem.games.lanko.position import Terms
from pbem.games.lanko.shuttle import Shuttles


def ending_of(
    terms: Terms,
    mover: Seat,
    cells: str,
    middle: str,
    final: bool,
    declared: frozenset[Seat],
    shuttles: Shuttles,
    asked: bool,
) -> str | None:
    """The first of the endings a, c, b, d, e that holds after a move; f is counted by turns.

    `final`: whether something was taken, came home or was burned; `asked`: whether the next seat
    can move.
    """
    if final and (ending := ending_by_pieces(terms.board, cells, middle)):
        return ending
    if not asked and not any(can_move(terms.board, cells, seat) for seat in SEATS):
        return "no-entry"
    if declared and agreed(terms, cells, declared):
        return "agreed"
    shuttle = shuttles[SEATS.index(mover)]
    return "shuttle" if shuttle is not None and shuttle.times == 6 else None


def ending_by_pieces(board: Board, cells: str, middle: str) -> str | None:
    """Endings a, c and the first half of b: they come with an entry, a capture or a burning."""
    if len(middle) == 4 or (board.ends and all(cells[end] != VACANT for end in board.ends)):
        return "middle-full"
    outside = set(board.outside(cells))
    if outside.isdisjoint(WHITE) or outside.isdisjoint(BLACK):
        return "annihilated"
    return "no-entry" if outside.isdisjoint(CASTLES) else None


def agreed(terms: Terms, cells: str, declared: frozenset[Seat]) -> bool:
    """Ending d: nobody who could still bring a castle in, or take one, wants to go on."""
    board = terms.board
    sides_with_castles = {
        WHITE if cells[i] in WHITE else BLACK
        for i in range(len(cells))
        if cells[i] in CASTLES and i not in board.home
    }
    for seats in terms.holders:
        if seats[0] in declared:
            continue
        own = PIECES[seats[0]]
        squares = {i for seat in seats for i in board.zone[seat] if cells[i] in own}
        if any(cells[i] in CASTLES for i in squares):
            return False
        if ADVERSE[seats[0]] in sides_with_castles and squares - board.standby:
            return False
    return True
