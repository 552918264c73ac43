"""Diagram of a Lanko position: cells, lists by seat and legend."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pbem.games.api import Seat
from pbem.games.diagram import ARRIVED, LEFT, Cell, Diagram, Group, PieceToken, Place
from pbem.games.lanko.board import BLACK, MIDDLE, PIECES, SEATS, VACANT, WHITE, LankoBoard, Point
from pbem.games.lanko.position import LankoPosition
from pbem.games.lanko.score import points
from pbem.games.lanko.words import phrase
from pbem.games.phrases import Phrase
from pbem.games.words import phrase as common

COLOURS = (
    (phrase("colour.white"), WHITE, ("S", "N")),
    (phrase("colour.black"), BLACK, ("W", "E")),
)


def diagram(position: LankoPosition, seat: Seat) -> Diagram:
    """Return the position with the seat's own arm at the bottom."""
    board = position.terms.board
    size, places, walls = _turned(board, seat)
    return Diagram(
        columns=size,
        rows=size,
        cells=dict(zip(places, _cells(position), strict=True)),
        walls=walls,
        links=_links(board, seat),
        around=_around(seat),
        colours=SEAT_COLOURS,
        groups=tuple(_groups(position)),
        legend=tuple(_legend(board)),
        key=tuple(_key(board)),
        standing=_standing(position),
    )


@cache
def _turned(board: LankoBoard, seat: Seat) -> tuple[int, list[Place], frozenset[frozenset[Place]]]:
    """Return a board's size, and the places of its squares and barriers as a seat sees them."""
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


def _cells(position: LankoPosition) -> Iterator[Cell]:
    """Yield the cell of each square."""
    board, last = position.terms.board, position.last
    left, arrived = (None, None) if last is None else (last.path[0], last.path[-1])
    for square, piece in enumerate(position.cells):
        mark = ARRIVED if square == arrived else LEFT if square == left else ""
        yield _cell(board, square, position.middle if square == board.middle else piece, mark)


@cache
def _cell(board: LankoBoard, square: int, pieces: str, mark: str) -> Cell:
    label = board.labels[square]
    return Cell(
        label,
        f"{pieces:{VACANT}<4}" if square == board.middle else pieces,
        mark,
        None,
        f"({label})" if label == MIDDLE else label,
        tuple(_token(piece) for piece in pieces if piece.isalpha()),
        _ground(board, square),
    )


SEAT_COLOURS = {seat: "white" if seat in "SN" else "black" for seat in SEATS}


def _around(seat: Seat) -> tuple[Seat, ...]:
    first = SEATS.index(seat)
    return SEATS[first:] + SEATS[:first]


@cache
def _links(board: LankoBoard, seat: Seat) -> frozenset[frozenset[Place]]:
    """Return the pairs of squares between which pieces move, on the board with diagonal play."""
    if not board.diagonal:
        return frozenset()
    places = _turned(board, seat)[1]
    return frozenset(
        frozenset({places[start], places[to]})
        for mover in SEATS
        for piece in PIECES[mover]
        for start in board.zone[mover]
        for to in board.steps(mover, piece, start)
    )


SHAPES = {"B": "big-castle", "S": "small-castle", "P": "pawn"}


def _token(piece: str) -> PieceToken:
    return PieceToken(SHAPES[piece.upper()], "white" if piece.isupper() else "black")


def _ground(board: LankoBoard, square: int) -> str:
    if square in board.home:
        return "home"
    if square in board.standby:
        return "standby"
    return "strip" if 0 in board.points[square] else "plain"


def _groups(position: LankoPosition) -> Iterator[Group]:
    for name, colour, seats in COLOURS:
        lines = tuple(((seat,), _pieces_of(position, seat)) for seat in seats)
        title = phrase("list.points", colour=name, count=points(position, colour))
        yield Group(title, (*lines, *_at_home(position, colour)))


def _pieces_of(position: LankoPosition, seat: Seat) -> Phrase:
    """Return the pieces that a seat may move, by kind: `big castle A; pawns 3 4 #N`."""
    board, cells = position.terms.board, position.cells
    kinds = []
    for piece in PIECES[seat]:
        labels = [board.labels[i] for i in board.zone[seat] if cells[i] == piece]
        if labels:
            kinds.append(_kind(piece, labels))
    return common("list.parts", items=tuple(kinds)) if kinds else phrase("pieces.none")


def _kind(piece: str, labels: list[str]) -> Phrase:
    count, squares = len(labels), " ".join(labels)
    match piece.upper():
        case "B":
            return phrase("pieces.big", count=count, squares=squares)
        case "S":
            return phrase("pieces.small", count=count, squares=squares)
        case _:
            return phrase("pieces.pawns", count=count, squares=squares)


def _at_home(position: LankoPosition, colour: str) -> Iterator[tuple[tuple[Seat, ...], Phrase]]:
    board = position.terms.board
    castles = [_in_the_middle(piece) for piece in position.middle if piece in colour]
    castles += [
        _on_an_end(position.cells[end], board.labels[end])
        for end in board.ends
        if position.cells[end] in colour
    ]
    if castles:
        yield (), phrase("home.castles", castles=common("list.names", items=tuple(castles)))


def _in_the_middle(piece: str) -> Phrase:
    return phrase("home.big") if piece in "Bb" else phrase("home.small")


def _on_an_end(piece: str, square: str) -> Phrase:
    if piece in "Bb":
        return phrase("home.big-on", square=square)
    return phrase("home.small-on", square=square)


def _standing(position: LankoPosition) -> tuple[tuple[Phrase, tuple[Seat, ...]], ...]:
    declared = tuple(seat for seat in SEATS if seat in position.declared)
    if not declared or position.ending is not None:
        return ()
    return ((phrase("list.declared"), declared),)


def _legend(board: LankoBoard) -> Iterator[Phrase]:
    yield phrase("legend.square")
    yield phrase("legend.pieces")
    yield phrase("legend.last")
    yield phrase("legend.back")
    if board.middle is None:
        yield phrase("legend.ends")
    else:
        yield phrase("legend.middle")
        yield phrase("legend.barriers")


def _key(board: LankoBoard) -> Iterator[Phrase]:
    yield phrase("legend.pieces")
    if board.middle is None:
        yield phrase("legend.ends")
    else:
        yield phrase("legend.middle")
        yield phrase("key.barriers")
    yield common("key.below")
