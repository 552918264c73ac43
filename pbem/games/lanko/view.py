"""How a Lanko position looks: the cells, the lists by seat, the legend."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pbem.games.api import Seat
from pbem.games.diagram import ARRIVED, LEFT, Cell, Diagram, Group, Place
from pbem.games.lanko.board import BLACK, PIECES, SEATS, VACANT, WHITE, Board, Point
from pbem.games.lanko.position import Position, points

COLOURS = (("White", WHITE, ("S", "N")), ("Black", BLACK, ("W", "E")))
NAMES = {"B": "big castle", "S": "small castle", "P": "pawn"}


def diagram(position: Position, seat: Seat) -> Diagram:
    """The position with the seat's own arm at the bottom."""
    board = position.terms.board
    size, places, walls = _turned(board, seat)
    squares = zip(board.labels, _pieces(position), _marks(position), strict=True)
    return Diagram(
        columns=size,
        rows=size,
        cells={place: Cell(*square) for place, square in zip(places, squares, strict=True)},
        walls=walls,
        groups=tuple(_groups(position)),
        legend=tuple(_legend(board)),
        standing=_standing(position),
    )


@cache
def _turned(board: Board, seat: Seat) -> tuple[int, list[Place], frozenset[frozenset[Place]]]:
    """Size of a board, and where its squares and barriers are for a seat."""
    size = 1 + 2 * max(x for x, _ in board.points)
    places = [_place(point, seat, size) for point in board.points]
    barriers = (
        frozenset(_place(point, seat, size) for point in barrier) for barrier in board.barriers
    )
    return size, places, frozenset(barriers)


def _place(point: Point, seat: Seat, size: int) -> Place:
    (x, y), middle = point, size // 2
    east, north = {"S": (x, y), "W": (-y, x), "N": (-x, -y), "E": (y, -x)}[seat]
    return middle + east, middle - north


def _pieces(position: Position) -> list[str]:
    """What is drawn on each square."""
    pieces, middle = list(position.cells), position.terms.board.middle
    if middle is not None:
        pieces[middle] = f"{position.middle:{VACANT}<4}"
    return pieces


def _marks(position: Position) -> list[str]:
    """Marks of the last turn on each square."""
    marks = [""] * len(position.cells)
    if position.last is not None:
        marks[position.last.path[0]] = LEFT
        marks[position.last.path[-1]] = ARRIVED
    return marks


def _groups(position: Position) -> Iterator[Group]:
    for name, colour, seats in COLOURS:
        lines = tuple(((seat,), _pieces_of(position, seat)) for seat in seats)
        home = _at_home(position, colour)
        yield Group(f"{name}, {points(position, colour)} points", (*lines, *home))


def _pieces_of(position: Position, seat: Seat) -> str:
    """Pieces a seat may move, by kind: `big castle A; pawns 3 4 #N`."""
    board, cells = position.terms.board, position.cells
    kinds = []
    for piece in PIECES[seat]:
        labels = [board.labels[i] for i in board.zone[seat] if cells[i] == piece]
        if labels:
            plural = "s" if len(labels) > 1 else ""
            kinds.append(f"{NAMES[piece.upper()]}{plural} {' '.join(labels)}")
    return "; ".join(kinds) or "no pieces"


def _at_home(position: Position, colour: str) -> Iterator[tuple[tuple[Seat, ...], str]]:
    board = position.terms.board
    castles = [(piece, "in the middle") for piece in position.middle if piece in colour]
    castles += [
        (position.cells[end], f"on {board.labels[end]}")
        for end in board.ends
        if position.cells[end] in colour
    ]
    if castles:
        names = ", ".join(f"{NAMES[piece.upper()]} {where}" for piece, where in castles)
        yield (), f"counting threefold: {names}"


def _standing(position: Position) -> tuple[tuple[str, tuple[Seat, ...]], ...]:
    declared = tuple(seat for seat in SEATS if seat in position.declared)
    if not declared or position.ending is not None:
        return ()
    return (("Who stands on +++, to end the game here", declared),)


def _legend(board: Board) -> Iterator[str]:
    yield " A square is its label, then its piece, or a dot where it is vacant."
    yield " B big castle 12, S small castle 6, P pawn 2; small letters are Black."
    yield " After a piece or dot: < arrived last turn, > came from there;"
    yield " < alone came back to where it started. You sit below."
    if board.middle is None:
        yield " ( ) end squares: only castles, they count threefold. # standby pawns."
    else:
        yield " X the middle, with room for four castles, which count threefold."
        yield " | and --- are barriers."
