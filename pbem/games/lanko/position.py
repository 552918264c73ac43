"""A Lanko position and its rules: moves, endings a to f, scores (rulebook, Lanko)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from pbem.games.api import IllegalAction, Outcome, Seat
from pbem.games.lanko.board import (
    ADVERSE,
    BLACK,
    CASTLES,
    PAWNS,
    PIECES,
    SEATS,
    VACANT,
    WHITE,
    Board,
    Leap,
    Move,
)
from pbem.games.values import value
from pbem.games.words import phrase

VALUES = {"B": 12, "S": 6, "P": 2}
NEXT = {seat: SEATS[(i + 1) % 4] for i, seat in enumerate(SEATS)}


class Declaration(NamedTuple):
    """`[S+++]` sent alone: a seat wants the game to end as it stands (ending d)."""

    seat: Seat

    @property
    def declaration(self) -> bool:
        """Any seat may declare at any time."""
        return True


Action = Move | Declaration


class Shuttle(NamedTuple):
    """How often running a seat's only movable piece has gone to and fro (ending e)."""

    start: int
    to: int
    times: int


Shuttles = tuple[Shuttle | None, ...]
"""One a seat, in turn order."""


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
    seen: tuple[tuple[Seat, str], ...] = ()
    """Positions asked for a move since the last capture, entry or burning."""
    shuttles: Shuttles = (None,) * 4
    declared: frozenset[Seat] = frozenset()
    """Seats of the players who stand on `+++`."""
    passed: tuple[Seat, ...] = ()
    last: Move | None = None
    ending: str | None = None

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        """Moves of the seat to act: captures alone where there are any."""
        if self.ending is not None:
            return ()
        return legal_moves(self.terms.board, self.cells, self.seat)

    @cached_property
    def only_one_can_move(self) -> bool:
        """Whether all the legal moves are of one piece."""
        first = self.legal[0].path[0]
        return all(move.path[0] == first for move in self.legal)


def legal_moves(board: Board, cells: str, seat: Seat) -> tuple[Move, ...]:
    """Moves of a seat in the order of the squares; a capture must be made if there is one."""
    return tuple(_captures(board, cells, seat)) or tuple(_quiet_moves(board, cells, seat))


def _captures(board: Board, cells: str, seat: Seat) -> Iterator[Move]:
    own, adverse = PIECES[seat], ADVERSE[seat]
    leaps = board.captures[seat]
    for square in board.zone[seat]:
        if cells[square] in own:
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


def _quiet_moves(board: Board, cells: str, seat: Seat) -> Iterator[Move]:
    own = PIECES[seat]
    pawn_steps, castle_steps = board.pawn_steps[seat], board.castle_steps[seat]
    jumps, over_castles = board.jumps[seat], board.diagonal
    for square in board.zone[seat]:
        piece = cells[square]
        if piece not in own:
            continue
        pawn = piece in PAWNS
        for step in (pawn_steps if pawn else castle_steps)[square]:
            if cells[step.to] == VACANT:
                yield step.move
        if pawn or over_castles:
            jumped = own if over_castles else piece
            for leap in jumps[square]:
                if cells[leap.over] in jumped and cells[leap.to] == VACANT:
                    yield leap.move


def can_move(board: Board, cells: str, seat: Seat) -> bool:
    """Whether a seat has a legal move."""
    for _ in _quiet_moves(board, cells, seat):
        return True
    return any(True for _ in _captures(board, cells, seat))


def play(position: Position, action: Action) -> Position:
    """Position after an action; raises IllegalAction if the rules do not allow it."""
    if position.ending is not None:
        raise IllegalAction(str(action), phrase("match-over"))
    if isinstance(action, Declaration):
        return _declare(position, action.seat)
    plain = action._replace(declares=False) if action.declares else action
    if plain not in position.legal:
        raise IllegalAction(str(action), phrase("not-legal"))
    return _move(position, plain, action.declares)


def _declare(position: Position, seat: Seat) -> Position:
    declared = position.declared.union(position.terms.seats_with(seat))
    agreed = _agreed(position.terms, position.cells, declared)
    return replace(position, declared=declared, passed=(), ending="agreed" if agreed else None)


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
    asked = can_move(terms.board, cells, seat)
    ending = _ending(position, cells, middle, final, declared, shuttles, asked)
    while ending is None:
        if asked and terms.repetition and seen.count((seat, cells)) == 2:
            ending = "repetition"
        elif 0 < terms.quiet_limit <= quiet:
            ending = "quiet"
        elif asked:
            seen = (*seen, (seat, cells)) if terms.repetition else ()
            break
        else:
            passed = (*passed, seat)
            shuttles = _with(shuttles, seat, None)
            seat, turn, quiet = NEXT[seat], turn + 1, quiet + 1
            asked = can_move(terms.board, cells, seat)
    return Position(
        terms, cells, middle, seat, turn, quiet, seen, shuttles, declared, passed, move, ending
    )


def _moved(position: Position, move: Move) -> tuple[str, str]:
    """Board and middle after a move; a pawn that enters the middle is burned."""
    board, cells, middle = position.terms.board, position.cells, position.middle
    start, to = move.path[0], move.path[-1]
    piece = cells[start]
    for square in (start, *move.taken):
        cells = cells[:square] + VACANT + cells[square + 1 :]
    if to != board.middle:
        cells = cells[:to] + piece + cells[to + 1 :]
    elif piece in CASTLES:
        middle = "".join(sorted(middle + piece))
    return cells, middle


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
        return _with(position.shuttles, move.seat, None)
    start, to = move.path
    before = position.shuttles[SEATS.index(move.seat)]
    back = before is not None and (before.start, before.to) == (to, start)
    times = before.times + 1 if before is not None and back else 1
    return _with(position.shuttles, move.seat, Shuttle(start, to, times))


def _with(shuttles: Shuttles, seat: Seat, shuttle: Shuttle | None) -> Shuttles:
    i = SEATS.index(seat)
    if shuttles[i] == shuttle:
        return shuttles
    return (*shuttles[:i], shuttle, *shuttles[i + 1 :])


def _ending(
    position: Position,
    cells: str,
    middle: str,
    final: bool,
    declared: frozenset[Seat],
    shuttles: Shuttles,
    asked: bool,
) -> str | None:
    """The first of the endings a, c, b, d, e that holds after a move; f is counted by turns.

    `asked`: whether the next seat can move.
    """
    terms = position.terms
    if final and (ending := _ending_by_pieces(terms.board, cells, middle)):
        return ending
    if not asked and not any(can_move(terms.board, cells, seat) for seat in SEATS):
        return "no-entry"
    if declared and _agreed(terms, cells, declared):
        return "agreed"
    shuttle = shuttles[SEATS.index(position.seat)]
    return "shuttle" if shuttle is not None and shuttle.times == 6 else None


def _ending_by_pieces(board: Board, cells: str, middle: str) -> str | None:
    """Endings a, c and the first half of b: they come with an entry, a capture or a burning."""
    if len(middle) == 4 or (board.ends and all(cells[end] != VACANT for end in board.ends)):
        return "middle-full"
    outside = "".join(piece for i, piece in enumerate(cells) if i not in board.home)
    if not all(any(piece in outside for piece in colour) for colour in (WHITE, BLACK)):
        return "annihilated"
    if not any(castle in outside for castle in CASTLES):
        return "no-entry"
    return None


def _agreed(terms: Terms, cells: str, declared: frozenset[Seat]) -> bool:
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


def points(position: Position, colour: str) -> int:
    """Points of a colour on the board, castles at home threefold."""
    board, cells = position.terms.board, position.cells
    home = position.middle + "".join(cells[end] for end in board.ends)
    return _worth(cells, colour) + _worth(home, colour) * (3 if board.middle is not None else 2)


def _worth(pieces: str, colour: str) -> int:
    return sum(VALUES[piece.upper()] for piece in pieces if piece in colour)


def outcome(position: Position) -> Outcome | None:
    """Result and reason once the game has ended; scores are White's points minus Black's."""
    if position.ending is None:
        return None
    balance = points(position, WHITE) - points(position, BLACK)
    winners = ("S", "N") if balance > 0 else ("W", "E") if balance < 0 else ()
    return Outcome(winners, position.ending, scores(balance))


def forfeit(position: Position, seats: Sequence[Seat]) -> Mapping[Seat, int]:
    """Scores if the side of these seats gives up (rulebook, Three-person sets, ruling).

    The other side's castles outside count threefold, the loser's as they stand, and at least one
    point lies between them.
    """
    loser, winner = PIECES[seats[0]], ADVERSE[seats[0]]
    outside = [p for i, p in enumerate(position.cells) if i not in position.terms.board.home]
    castles = "".join(piece for piece in outside if piece in CASTLES)
    bonus = 2 * _worth(castles, winner)
    lead = max(1, points(position, winner) + bonus - points(position, loser))
    return scores(lead if winner == WHITE else -lead)


def scores(balance: int) -> dict[Seat, int]:
    """White's points minus Black's, as each seat sees it."""
    return {"S": balance, "W": -balance, "N": balance, "E": -balance}
