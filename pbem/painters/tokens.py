"""Drawings of pieces: outlines around the middle of a square of 48 units, y growing downwards."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.diagram import Diagram, PieceToken
from pbem.painters.palette import Paint, paint_of

TOWER = "M-10-11h5v4h3v-4h4v4h3v-4h5v8l-3 3v8h4v6h-22v-6h4v-8l-3-3z"
CASTLE = (
    "M-18-8h3.5v3.5h3v-3.5h3.5v-8h3.5v3.5h2.8v-3.5h3.4v3.5h2.8v-3.5h3.5v8"
    "h3.5v3.5h3v-3.5h3.5v23h-36z"
)
GATE = "M-4.5 15v-7a4.5 4.5 0 0 1 9 0v7z"
PAWN = (
    "M0-12a6.5 6.5 0 0 1 4 11.6c.8 5 4 7.4 5.5 10.4h1.5v5h-22v-5h1.5"
    "c1.5-3 4.7-5.4 5.5-10.4a6.5 6.5 0 0 1 4-11.6z"
)
SHIELD = "M-14-15h28v12c0 10-6 15-14 19c-8-4-14-9-14-19z"
CHARGES = {
    "red": "M-3.5-14h7v9h9.5v7h-9.5v11l-3.5 2-3.5-2v-11h-9.5v-7h9.5z",
    "blue": "M-13-14h8l16.5 17.5-4.5 6.5-20-20z",
    "yellow": "M0-10l13 13-3.5 6.5-9.5-9.5-9.5 9.5-3.5-6.5z",
    "green": "M0-9a7 7 0 0 1 0 14a7 7 0 0 1 0-14z",
    "violet": "M-13-10h26v6h-26zM-12.5 1h25l-2.5 6h-20z",
}
"""Charge on a knight's shield, by colour. Each can be recognised without its colour."""
PLAIN_CHARGE = CHARGES["green"]
BLADE = "M0-21l4 5v17h-8v-17z"
HILT = "M-10 1h20v4.5h-7.5v7h-5v-7h-7.5zM0 11.5a3.5 3.5 0 0 1 0 7a3.5 3.5 0 0 1 0-7z"


def token_id(token: PieceToken) -> str:
    """Return the name of a drawing inside a picture."""
    return f"{token.shape}-{token.colour}"


def symbols(diagram: Diagram) -> str:
    """Return the drawings that a diagram needs, to be used by name."""
    shown = {token for cell in diagram.cells.values() for token in cell.tokens}
    return definitions(shown | {tray.token for tray in diagram.trays})


def definitions(tokens: Iterable[PieceToken]) -> str:
    """Return the drawings of some pieces."""
    return "".join(
        f'<g id="{token_id(token)}" stroke-width="2" stroke-linejoin="round">'
        f"{_drawn(token, paint_of(token.colour))}</g>"
        for token in sorted(tokens)
    )


def _drawn(token: PieceToken, paint: Paint) -> str:
    match token.shape:
        case "pawn":
            return _outline(PAWN, paint)
        case "small-castle":
            return _outline(TOWER, paint)
        case "big-castle":
            return _outline(CASTLE, paint) + _inside(GATE, paint)
        case "knight":
            charge = CHARGES.get(token.colour, PLAIN_CHARGE)
            return _outline(SHIELD, paint) + _inside(charge, paint)
        case "sword":
            return _outline(BLADE, Paint("#e6ecef", paint.edge, "")) + _outline(HILT, paint)
    return _man(token.colour, paint)


def _outline(path: str, paint: Paint) -> str:
    return f'<path d="{path}" fill="{paint.fill}" stroke="{paint.edge}"/>'


def _inside(path: str, paint: Paint) -> str:
    return f'<path d="{path}" fill="{paint.charge}"/>'


def _man(colour: str, paint: Paint) -> str:
    """Return a draughtsman. Dark ones have a lozenge, others a ring."""
    disc = f'<circle r="15" fill="{paint.fill}" stroke="{paint.edge}"/>'
    if colour == "black":
        return disc + _inside("M0-7l7 7-7 7-7-7z", paint)
    return f'{disc}<circle r="9" fill="none" stroke="{paint.charge}"/>'
