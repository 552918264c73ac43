"""Playing a move or a declaration of Lanko: what becomes of the position (rulebook, Lanko)."""

from __future__ import annotations

from pbem.games.api import IllegalAction, Seat
from pbem.games.lanko.board import CASTLES, VACANT, Move
from pbem.games.lanko.endings import agreed, ending_of
from pbem.games.lanko.moves import can_move, is_still_open
from pbem.games.lanko.position import NEXT, Action, Declaration, Position
from pbem.games.lanko.shuttle import Shuttles, shuttled, stopped
from pbem.games.values import changed
from pbem.games.words import phrase

_VACANT = ord(VACANT)


def play(position: Position, action: Action) -> Position:
    """Position after an action; raises IllegalAction if the rules do not allow it."""
    if position.ending is not None:
        raise IllegalAction(str(action), phrase("match-over"))
    if isinstance(action, Declaration):
        return _declare(position, action.seat)
    plain = action._replace(declares=False) if action.declares else action
    if plain not in position.choice:
        raise IllegalAction(str(action), phrase("not-legal"))
    return _move(position, plain, action.declares)


def _declare(position: Position, seat: Seat) -> Position:
    declared = position.declared.union(position.terms.seats_with(seat))
    ending = "agreed" if agreed(position.terms, position.cells, declared) else None
    return changed(position, declared=declared, passed=(), ending=ending)


def _move(position: Position, move: Move, declares: bool) -> Position:
    terms, mover = position.terms, position.seat
    cells, middle = _moved(position, move)
    final = bool(move.taken) or move.path[-1] in terms.board.home
    quiet = 0 if final else position.quiet + 1
    seen = () if final else position.seen
    shuttles = _shuttled(position, move, final)
    declared = _declared(position, declares)
    seat, turn = NEXT[mover], position.turn + 1
    passed: tuple[Seat, ...] = ()
    asked = _next_can_move(position, cells)
    ending = ending_of(terms, mover, cells, middle, final, declared, shuttles, asked)
    while ending is None:
        key = seat + cells
        if asked and terms.repetition and seen.count(key) == 2:
            ending = "repetition"
        elif 0 < terms.quiet_limit <= quiet:
            ending = "quiet"
        elif asked:
            seen = (*seen, key) if terms.repetition else ()
            break
        else:
            passed = (*passed, seat)
            shuttles = stopped(shuttles, seat)
            seat, turn, quiet = NEXT[seat], turn + 1, quiet + 1
            asked = can_move(terms.board, cells, seat)
    return Position(
        terms, cells, middle, seat, turn, quiet, seen, shuttles, declared, passed, move, ending
    )


def _next_can_move(position: Position, cells: str) -> bool:
    """Whether the seat after the one to act can move once the board is as given."""
    way = position.next_way
    if way is not None and is_still_open(way, position.cells, cells):
        return True
    return can_move(position.terms.board, cells, NEXT[position.seat])


def _moved(position: Position, move: Move) -> tuple[str, str]:
    """Board and middle after a move; a pawn that enters the middle is burned."""
    middle, cells = position.middle, bytearray(position.cells.encode())
    start, to = move.path[0], move.path[-1]
    piece = cells[start]
    for square in (start, *move.taken):
        cells[square] = _VACANT
    if to != position.terms.board.middle:
        cells[to] = piece
    elif chr(piece) in CASTLES:
        middle = "".join(sorted(middle + chr(piece)))
    return cells.decode(), middle


def _declared(position: Position, declares: bool) -> frozenset[Seat]:
    """A move with `+++` declares, one without takes the declaration back."""
    if not (declares or position.declared):
        return position.declared
    seats = position.terms.seats_with(position.seat)
    return position.declared.union(seats) if declares else position.declared.difference(seats)


def _shuttled(position: Position, move: Move, final: bool) -> Shuttles:
    """Counts of ending e after a move of the seat to act."""
    if position.terms.board.diagonal:
        return position.shuttles
    if final or not position.only_one_can_move:
        return stopped(position.shuttles, move.seat)
    return shuttled(position.shuttles, move)
