"""A diagram as a picture, in SVG 1.1: the master of all pictures."""

from __future__ import annotations

from html import escape

from pbem.games.diagram import Diagram

SIDE = 48
COLOURS = {
    "white": "#fdfdf8",
    "black": "#222222",
    "yellow": "#f2c230",
    "red": "#c0392b",
    "blue": "#2f6db3",
    "green": "#2e8b57",
    "violet": "#8e44ad",
    "gold": "#d4a017",
}


def svg(diagram: Diagram, title: str) -> str:
    """The whole picture, with a title for those who cannot see it."""
    cells = []
    for (column, row), cell in diagram.cells.items():
        x, y = column * SIDE, row * SIDE
        at = f'x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"'
        cells.append(f'<rect {at} fill="#e9dcc3" stroke="#8a7a5c"/>')
        cells += [
            f'<circle cx="{x + SIDE / 2}" cy="{y + SIDE / 2}" r="15" fill="{COLOURS[token.colour]}" />'
            for token in cell.tokens
        ]
    width, height = diagram.columns * SIDE, diagram.rows * SIDE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(title)}</title>{''.join(cells)}</svg>"
    )
