"""The colours of all pictures of boards. They are few, and colour-blind people can tell them apart.

Tests simulate each kind of colour blindness.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.games.diagram import Cell, Diagram, Place

INK = "#2b2520"
PAPER = "#fffdf7"
FRAME = "#6b5743"
"""Frame of the board. Names on it are in PAPER."""
GRID = "#cbb691"
BESIDE = "#85725c"
"""Names beside a board, on pages that may be white or black."""
STEEL = "#e6ecef"
QUIET = "#64563f"
"""Names of squares, on all grounds."""


class Paint(NamedTuple):
    """The paint of pieces in one colour."""

    fill: str
    edge: str
    """Outline, dark on light and light on dark, so that it is visible on every ground."""
    charge: str
    """Drawings on the piece."""


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
"""Squares inside a board where pieces can never be."""


LINKED = "#e8d9bb"
"""Playable squares on such a board, and the necks between them."""
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
"""Ground and letters of pieces in tables, so light or dark that dark modes keep the contrast."""


def ground_of(diagram: Diagram, place: Place, cell: Cell) -> str:
    """Return the colour of a square."""
    light, dark = GROUNDS.get(cell.ground, GROUNDS["plain"])
    if diagram.links:
        return dark if cell.ground not in ("plain", "strip") else LINKED_GROUNDS[cell.ground]
    odd = (place[0] + place[1] + diagram.rows) % 2 == 1  # bottom left, as in chess
    return dark if diagram.checkered and odd else light


def tile_of(colour: str) -> tuple[str, str]:
    """Return the ground and letter colours of a piece in a table."""
    return TILES.get(colour, TILES["black"])


def paint_of(colour: str) -> Paint:
    """Return the paint of a colour, ink if it is unknown."""
    return PAINTS.get(colour, PAINTS["black"])
