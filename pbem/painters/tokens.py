"""Drawings of pieces, around the middle of a square of 48 units, y growing downwards."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games import shape_of
from pbem.games.diagram import Diagram, PieceToken
from pbem.painters.palette import STEEL, Paint, paint_of


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
    shape = shape_of(token)
    steel = f'<path d="{shape.steel}" fill="{STEEL}" stroke="{paint.edge}"/>' if shape.steel else ""
    outline = f'<path d="{shape.outline}" fill="{paint.fill}" stroke="{paint.edge}"/>'
    inside = shape.inside_of(token.colour)
    return steel + outline + (f'<path d="{inside}" fill="{paint.charge}"/>' if inside else "")
