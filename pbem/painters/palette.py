"""The colours of every picture of a board: few, and told apart by the colour-blind too.

The tests look at them as people with each kind of colour blindness do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.games.diagram import Cell, Diagram, Place

INK = "#2b2520"
PAPER = "#fffdf7"
FRAME = "#6b5743"
"""Round the board; names at its edges stand on it in PAPER."""
GRID = "#cbb691"
BESIDE = "#85725c"
"""Names beside a board, on pages that may be white or black."""
QUIET = "#64563f"
"""Names of squares, on all grounds."""


class Paint(NamedTuple):
    """How a colour of pieces is painted."""

    fill: str
    edge: str
    """Its outline: dark on light, light on dark, so that it stands on every ground."""
    charge: str
    """What is drawn on it."""


PAINTS: Mapping[str, Paint] = {
    "white": Paint(PAPER, INK, INK),
    "black": Paint(INK, "#f7f0e1", "#f7f0e1"),
    "yellow": Paint("#ecb91f", INK, INK),
    "red": Paint("#c22a1e", INK, PAPER),
    "blue": Paint("#1c50c0", INK, PAPER),
    "green": Paint("#319c63", INK, PAPER),
    "violet": Paint("#7a4694", INK, PAPER),
    "gold": Paint("#ecb91f", INK, INK),
}
GROUNDS: Mapping[str, tuple[str, str]] = {
    "plain": ("#f3e9d6", "#e3d3b4"),
    "strip": ("#e3d3b4", "#e3d3b4"),
    "home": ("#c3dad2", "#c3dad2"),
    "standby": ("#dccfc6", "#dccfc6"),
    "rendezvous": ("#d9e9e2", "#c3dad2"),
    "mark": ("#d9e9e2", "#c3dad2"),
}
"""Light and dark tone of each kind of square."""
IDLE = "#f7f0e3"
"""Squares inside a board on which nothing ever stands."""


LINKED = "#e8d9bb"
"""Squares on such a board on which pieces stand, and the necks between them."""
LINKED_GROUNDS = {"plain": LINKED, "strip": "#e2d0a6"}


TILES: Mapping[str, tuple[str, str]] = {
    "white": (PAPER, INK),
    "black": (INK, PAPER),
    "yellow": ("#f7d970", INK),
    "red": ("#a91d12", PAPER),
    "blue": ("#1c50c0", PAPER),
    "green": ("#187c50", PAPER),
    "violet": ("#6d3a8a", PAPER),
    "gold": (PAPER, INK),
}
"""Ground and letters of pieces in tables: so light or so dark that dark modes keep the contrast."""


def ground_of(diagram: Diagram, place: Place, cell: Cell) -> str:
    """The colour of a square."""
    light, dark = GROUNDS.get(cell.ground, GROUNDS["plain"])
    if diagram.links:
        return dark if cell.ground not in ("plain", "strip") else LINKED_GROUNDS[cell.ground]
    odd = (place[0] + place[1] + diagram.rows) % 2 == 0
    return dark if diagram.checkered and odd else light


def tile_of(colour: str) -> tuple[str, str]:
    """Ground and letters of a piece in a table."""
    return TILES.get(colour, TILES["black"])


def paint_of(colour: str) -> Paint:
    """How a piece or a mark of a colour is painted; ink for one that nobody has named."""
    return PAINTS.get(colour, PAINTS["black"])
