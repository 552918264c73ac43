"""Pieces: those that leave the board between two positions, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pbem.games.diagram import Diagram, PieceToken
from pbem.games.phrases import Phrase
from pbem.games.words import phrase


def gone(before: Diagram, after: Diagram) -> tuple[Phrase, ...]:
    """Return the pieces of one position that the board of a later one has no more."""
    return tuple(_named(piece, count) for piece, count in (_on(before) - _on(after)).items())


def _on(diagram: Diagram) -> Counter[PieceToken]:
    return Counter(token for cell in diagram.cells.values() for token in cell.tokens)


def _named(piece: PieceToken, count: int) -> Phrase:
    colour = COLOURS[piece.colour]
    match piece.shape:
        case "pawn":
            return phrase("piece.pawn", count=count, colour=colour)
        case "small-castle":
            return phrase("piece.small-castle", count=count, colour=colour)
        case "big-castle":
            return phrase("piece.big-castle", count=count, colour=colour)
        case "man":
            return phrase("piece.man", count=count, colour=colour)
        case "knight":
            return phrase("piece.knight", count=count, colour=colour)
        case _:
            return phrase("piece.sword")


COLOURS: Mapping[str, Phrase] = {
    "white": phrase("colour.white"),
    "black": phrase("colour.black"),
    "yellow": phrase("colour.yellow"),
    "red": phrase("colour.red"),
    "blue": phrase("colour.blue"),
    "green": phrase("colour.green"),
    "violet": phrase("colour.violet"),
    "gold": phrase("colour.gold"),
}
