"""Diagram of a chess position, with the viewer's pieces at the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import chess

from pbem.games.api import Seat
from pbem.games.diagram import ARRIVED, LEFT, Cell, Diagram, Group, PieceToken, Place, Trail
from pbem.games.phrases import Phrase
from pbem_chess.notation import SEAT_NAMES, SEAT_TITLES
from pbem_chess.position import SEATS, ChessPosition, seat_of
from pbem_chess.words import phrase

FILES, RANKS = tuple("abcdefgh"), tuple("87654321")
MANY = 60
"""Moves of both sides without a capture or a pawn's move, from which on they are shown."""


def diagram(position: ChessPosition, seat: Seat) -> Diagram:
    """Return the board with the seat's pieces at the bottom."""
    turned = seat == "black"
    return Diagram(
        columns=8,
        rows=8,
        cells=dict(zip(_places(turned=turned), _cells(position), strict=True)),
        column_names=FILES[::-1] if turned else FILES,
        row_names=RANKS[::-1] if turned else RANKS,
        only_edges_named=True,
        groups=tuple(_groups(position)),
        legend=(phrase("legend.letters"), phrase("legend.marks")),
        key=(phrase("key.letters"),),
        seat_names=SEAT_NAMES,
        checkered=True,
        colours={seat: seat for seat in SEATS},
        trails=trails(position),
    )


@cache
def _places(*, turned: bool) -> list[Place]:
    """Return the places of the squares, from a1 on."""
    places = [(square % 8, 7 - square // 8) for square in chess.SQUARES]
    return places[::-1] if turned else places


def _cells(position: ChessPosition) -> Iterator[Cell]:
    pieces, marks = position.board.piece_map(), _marks(position)
    for square in chess.SQUARES:
        piece = pieces.get(square)
        yield _cell(square, piece.symbol() if piece else "", marks.get(square, ""))


@cache
def _cell(square: chess.Square, symbol: str, mark: str) -> Cell:
    name = chess.square_name(square)
    tokens = (token_of(chess.Piece.from_symbol(symbol)),) if symbol else ()
    return Cell("", symbol or ".", mark, name=name, tokens=tokens)


def token_of(piece: chess.Piece) -> PieceToken:
    """Return a piece as pictures know it."""
    return PieceToken(f"chess-{chess.piece_name(piece.piece_type)}", seat_of(piece.color))


def _marks(position: ChessPosition) -> dict[chess.Square, str]:
    """Return the marks of the last move."""
    ways = [path for trail in trails(position)[-1:] for path in trail.paths]
    ends = {chess.parse_square(way[-1]): ARRIVED for way in ways}
    return {chess.parse_square(way[0]): LEFT for way in ways} | ends


def trails(position: ChessPosition) -> tuple[Trail, ...]:
    """Return the last move of each side, oldest first."""
    first = position.turn - len(position.recent)
    turns = enumerate(position.recent, start=first)
    return tuple(
        Trail(turn, SEATS[(turn - 1) % 2], (tuple(path.split("-")),)) for turn, path in turns
    )


def _groups(position: ChessPosition) -> Iterator[Group]:
    for said in _said(position):
        yield Group(said, ())


def _said(position: ChessPosition) -> Iterator[Phrase]:
    """Yield what is true of a position in play and not plain to see."""
    board = position.board
    if position.ending is not None:
        return
    if board.is_check():
        yield phrase("check", seat=SEAT_TITLES[position.seat])
    if (count := position.seen.count(position.seen[-1])) > 1:
        yield phrase("repeated", count=count)
    if board.halfmove_clock >= MANY:
        yield phrase("moved", count=board.halfmove_clock // 2)
