"""Diagram of a Lancelot position: the area, knights, Excalibur and counts of defeated knights."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pbem.games.diagram import ARRIVED, Cell, Diagram, Group, PieceToken, Place, Tray
from pbem.games.lancelot.board import FILES, SEAT_NAMES, SIZE, LancelotBoard, bits, name_of
from pbem.games.lancelot.position import KNIGHTS, LancelotPosition, Placement
from pbem.games.lancelot.words import phrase
from pbem.games.phrases import Phrase
from pbem.games.words import phrase as common

SWORD = "*"


def diagram(position: LancelotPosition) -> Diagram:
    """Return the area in play, lowest rank at the bottom. It looks the same from every seat."""
    board = position.terms.board
    top = SIZE - board.first - 1
    return Diagram(
        columns=board.width,
        rows=board.width,
        cells=dict(zip(_places(board), _cells(position), strict=True)),
        column_names=tuple(FILES[board.first : SIZE - board.first]),
        row_names=tuple(str(row + 1) for row in range(top, board.first - 1, -1)),
        groups=tuple(_groups(position)),
        legend=tuple(_legend(position)),
        key=tuple(_key(position)),
        seat_names=SEAT_NAMES,
        checkered=True,
        colours={seat: seat for seat in position.terms.seats},
        trays=tuple(_trays(position)),
    )


@cache
def _places(board: LancelotBoard) -> list[Place]:
    """Return the places of the board's squares."""
    top = SIZE - board.first - 1
    return [(square % SIZE - board.first, top - square // SIZE) for square in board.squares]


def _cells(position: LancelotPosition) -> Iterator[Cell]:
    tokens, arrived = _tokens(position), _arrived(position.last)
    for square in position.terms.board.squares:
        yield _cell(square, tokens.get(square), ARRIVED if square in arrived else "")


@cache
def _cell(square: int, token: PieceToken | None, mark: str) -> Cell:
    name = name_of(square)
    if token is None:
        return Cell("", ".", mark, name=name)
    return Cell("", _letter(token), mark, name=name, tokens=(token,))


def _trays(position: LancelotPosition) -> Iterator[Tray]:
    for index, seat in enumerate(position.terms.seats):
        defeated = phrase("defeated", count=position.defeated[index])
        left = phrase("left", count=KNIGHTS - position.placed[index])
        yield Tray(PieceToken("knight", seat), (defeated, left))


def pieces_of(position: LancelotPosition) -> dict[int, str]:
    """Return the letters of the pieces by square."""
    return {square: _letter(token) for square, token in _tokens(position).items()}


def _letter(token: PieceToken) -> str:
    return SWORD if token.shape == "sword" else token.colour[0]


def _tokens(position: LancelotPosition) -> dict[int, PieceToken]:
    """Return the pieces by square, as a picture shows them."""
    knights = {
        square: PieceToken("knight", seat)
        for seat, of_seat in zip(position.terms.seats, position.knights, strict=True)
        for square in bits(of_seat)
    }
    return knights | dict.fromkeys(bits(position.sword), PieceToken("sword", "gold"))


def _arrived(last: Placement | None) -> set[int]:
    if last is None:
        return set()
    return {square for square in (last.knight, last.sword) if square is not None}


def _groups(position: LancelotPosition) -> Iterator[Group]:
    lines = tuple(((seat,), _standing(position, i)) for i, seat in enumerate(position.terms.seats))
    yield Group(phrase("target", count=position.terms.target), lines)


def _standing(position: LancelotPosition, index: int) -> Phrase:
    return common("list.parts", items=tuple(_parts(position, index)))


def _parts(position: LancelotPosition, index: int) -> Iterator[Phrase]:
    yield phrase("defeated", count=position.defeated[index])
    yield phrase("left", count=KNIGHTS - position.placed[index])
    if position.sword and index not in position.called:
        yield phrase("may-call")
    if index in position.resigned:
        yield phrase("has-resigned")
    squares = " ".join(name_of(square) for square in bits(position.knights[index]))
    yield phrase("on", squares=squares) if squares else phrase("nowhere")


def _legend(position: LancelotPosition) -> Iterator[Phrase]:
    yield phrase("legend.letters", letters=_letters(position))
    yield phrase("legend.sword") if position.terms.excalibur else phrase("legend.arrived")


def _key(position: LancelotPosition) -> Iterator[Phrase]:
    yield phrase("key.letters", letters=_letters(position))
    if position.terms.excalibur:
        yield phrase("key.sword")


def _letters(position: LancelotPosition) -> Phrase:
    seats = position.terms.seats
    letters = (phrase("letter", letter=seat[0], seat=SEAT_NAMES[seat]) for seat in seats)
    return common("list.names", items=tuple(letters))
