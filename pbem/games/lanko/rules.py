"""The effect of a move or declaration in Lanko, and the endings (rulebook, Lanko)."""

from __future__ import annotations

from pbem.games.api import IllegalActionError, Seat
from pbem.games.lanko.board import (
    ADVERSE,
    BLACK,
    CASTLES,
    PIECES,
    SEATS,
    VACANT,
    WHITE,
    LankoBoard,
    Move,
)
from pbem.games.lanko.position import (
    NEXT,
    Action,
    Declaration,
    LankoPosition,
    LankoTerms,
    Shuttles,
    can_move,
    is_still_open,
    shuttled,
    stopped,
)
from pbem.games.values import changed
from pbem.games.words import phrase

_VACANT = ord(VACANT)


def play(position: LankoPosition, action: Action) -> LankoPosition:
    """Return the position after an action. Raises IllegalActionError if it is not legal."""
    if position.ending is not None:
        raise IllegalActionError(phrase("match-over"), text=str(action))
    if isinstance(action, Declaration):
        return _declare(position, action.seat)
    plain = action._replace(declares=False) if action.declares else action
    if plain not in position.choice:
        raise IllegalActionError(phrase("not-legal"), text=str(action))
    return _move(position, plain, action.declares)


def _declare(position: LankoPosition, seat: Seat) -> LankoPosition:
    declared = position.declared.union(position.terms.seats_with(seat))
    ending = "agreed" if agreed(position.terms, position.cells, declared) else None
    return changed(position, declared=declared, passed=(), ending=ending)


def _move(position: LankoPosition, move: Move, declares: bool) -> LankoPosition:
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
    return LankoPosition(
        terms, cells, middle, seat, turn, quiet, seen, shuttles, declared, passed, move, ending
    )


def _next_can_move(position: LankoPosition, cells: str) -> bool:
    """Return whether the seat after the one to act can move once the board is as given."""
    way = position.next_way
    if way is not None and is_still_open(way, position.cells, cells):
        return True
    return can_move(position.terms.board, cells, NEXT[position.seat])


def _moved(position: LankoPosition, move: Move) -> tuple[str, str]:
    """Return the board and the middle after a move. A pawn that enters the middle is burned."""
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


def _declared(position: LankoPosition, declares: bool) -> frozenset[Seat]:
    """Return the seats that declare after a move. `+++` declares, a move without it withdraws."""
    if not (declares or position.declared):
        return position.declared
    seats = position.terms.seats_with(position.seat)
    return position.declared.union(seats) if declares else position.declared.difference(seats)


def _shuttled(position: LankoPosition, move: Move, final: bool) -> Shuttles:
    """Return the counts for ending e after a move of the seat to act."""
    if position.terms.board.diagonal:
        return position.shuttles
    if final or not position.only_one_can_move:
        return stopped(position.shuttles, move.seat)
    return shuttled(position.shuttles, move)


def ending_of(
    terms: LankoTerms,
    mover: Seat,
    cells: str,
    middle: str,
    final: bool,
    declared: frozenset[Seat],
    shuttles: Shuttles,
    asked: bool,
) -> str | None:
    """Return the first of the endings a, c, b, d, e that applies after a move. Turns count for f.

    `final`: whether a piece was captured, came home or was burned. `asked`: whether the next seat
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


def ending_by_pieces(board: LankoBoard, cells: str, middle: str) -> str | None:
    """Return ending a, c or the first half of b. These need an entry, a capture or a burning."""
    if len(middle) == 4 or (board.ends and all(cells[end] != VACANT for end in board.ends)):
        return "middle-full"
    outside = set(board.outside(cells))
    if outside.isdisjoint(WHITE) or outside.isdisjoint(BLACK):
        return "annihilated"
    return "no-entry" if outside.isdisjoint(CASTLES) else None


def agreed(terms: LankoTerms, cells: str, declared: frozenset[Seat]) -> bool:
    """Return whether ending d applies.

    It does unless a player who can still bring in or capture a castle has not declared.
    """
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
