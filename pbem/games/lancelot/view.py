"""How a Lancelot position looks: the area in play, knights, Excalibur, the defeated counted."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.diagram import ARRIVED, Cell, Diagram, Group
from pbem.games.lancelot.board import FILES, SIZE, bits, name_of
from pbem.games.lancelot.position import KNIGHTS, Placement, Position

SWORD = "*"


def diagram(position: Position) -> Diagram:
    """The area in play, rank 1 or the lowest at the bottom; it is the same for every seat."""
    board = position.terms.board
    top = SIZE - board.first - 1
    pieces = pieces_of(position)
    arrived = _arrived(position.last)
    return Diagram(
        columns=board.width,
        rows=board.width,
        cells={
            (square % SIZE - board.first, top - square // SIZE): Cell(
                "", pieces.get(square, "."), ARRIVED if square in arrived else ""
            )
            for square in board.squares
        },
        column_names=tuple(FILES[board.first : SIZE - board.first]),
        row_names=tuple(str(row + 1) for row in range(top, board.first - 1, -1)),
        groups=tuple(_groups(position)),
        legend=tuple(_legend(position)),
    )


def pieces_of(position: Position) -> dict[int, str]:
    """Letter by square."""
    pieces = {
        square: seat[0]
        for seat, knights in zip(position.terms.seats, position.knights, strict=True)
        for square in bits(knights)
    }
    return pieces | dict.fromkeys(bits(position.sword), SWORD)


def _arrived(last: Placement | None) -> set[int]:
    if last is None:
        return set()
    return {square for square in (last.knight, last.sword) if square is not None}


def _groups(position: Position) -> Iterator[Group]:
    lines = tuple(((seat,), _standing(position, i)) for i, seat in enumerate(position.terms.seats))
    yield Group(f"{position.terms.target} knights are to be defeated.", lines)


def _standing(position: Position, index: int) -> str:
    left = KNIGHTS - position.placed[index]
    parts = [f"{position.defeated[index]} defeated", f"{left} left to place"]
    if position.sword and index not in position.called:
        parts.append("may call the king's force")
    if index in position.resigned:
        parts.append("has resigned")
    squares = " ".join(name_of(square) for square in bits(position.knights[index]))
    return "; ".join([*parts, f"on {squares}" if squares else "none on the board"])


def _legend(position: Position) -> Iterator[str]:
    letters = ", ".join(f"{seat[0]} {seat}" for seat in position.terms.seats)
    yield f" {letters}, . vacant."
    if position.terms.excalibur:
        yield " * is Excalibur. < arrived last turn."
    else:
        yield " < arrived last turn."
