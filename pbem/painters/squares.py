"""Squares of a board as cells of an HTML table: name, piece, mark of the last turn, link."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from typing import NamedTuple

from pbem.games import shape_of
from pbem.games.diagram import Cell, Diagram, PieceToken, Place
from pbem.painters.ground import Touch, hull, touched
from pbem.painters.palette import FRAME, IDLE, INK, QUIET, ground_of, tile_of

MARK = "#993107"
"""Colour that marks the last turns: their numbers, and borders, solid where a piece arrived."""


class Size(NamedTuple):
    """Size of each square, in pixels."""

    wide: int
    high: int


@dataclass(frozen=True)
class Squares:
    """Properties that all squares of a board share."""

    diagram: Diagram
    links: Mapping[str, str]
    """Link of each square, by name."""
    size: Size

    @cached_property
    def inside(self) -> frozenset[Place]:
        """Places of the board, including idle ones."""
        return hull(self.diagram)

    @cached_property
    def touched(self) -> Mapping[Place, Touch]:
        """The last touch of each square."""
        return touched(self.diagram)

    @cached_property
    def sides(self) -> Mapping[Place, str]:
        """Barriers and bounds, as borders of the square to their right or below them."""
        return _sides(self.diagram.walls, self.diagram.bounds)

    def painted(self, place: Place) -> str:
        """Return the cell of a place on the board, empty if it is idle."""
        cell = self.diagram.cells.get(place)
        if cell is None:
            return f'<td bgcolor="{IDLE}"></td>'
        ground, touch = ground_of(self.diagram, place, cell), self.touched.get(place)
        sides, href = self.sides.get(place, ""), self.links.get(cell.name) if cell.name else None
        if href is None:
            return _unlinked(cell, ground, touch, sides, self.size)
        return _linked(cell, ground, touch, sides, self.size, href)


Pairs = frozenset[frozenset[Place]]


@lru_cache(64)  # a board has the same walls in every match
def _sides(walls: Pairs, bounds: Pairs) -> Mapping[Place, str]:
    styles: dict[Place, str] = defaultdict(str)
    for pairs, line in ((walls, f"4px solid {INK}"), (bounds, f"2px solid {FRAME}")):
        for before, behind in sorted(sorted(each) for each in pairs):
            side = "top" if before[0] == behind[0] else "left"
            styles[behind] += f"border-{side}:{line};"
    return dict(styles)


@lru_cache(4096)  # squares look the same in thousands of emails
def _unlinked(cell: Cell, ground: str, touch: Touch | None, sides: str, size: Size) -> str:
    style = f"color:{QUIET};{_ring(touch)}{sides}"
    return _square(ground, style, _said(cell, touch, size))


def _linked(cell: Cell, ground: str, touch: Touch | None, sides: str, size: Size, href: str) -> str:
    """Return a square with a link, which needs its own colour."""
    tall = f"{'height' if cell.tokens else 'line-height'}:{size.high - 4}px"
    style = f"display:block;{tall};color:{INK}"
    link = f'<a href="{escape(href)}" style="{style}">{_said(cell, touch, size)}</a>'
    return _square(ground, f"{_ring(touch)}{sides}", link)


def _square(ground: str, style: str, inside: str) -> str:
    styled = f' style="{style.strip(";")}"' if style else ""
    return f'<td bgcolor="{ground}"{styled}>{inside}</td>'


def _ring(touch: Touch | None) -> str:
    if touch is None:
        return ""
    return f"border:2px solid {MARK};" if touch.arrived else f"border:1px dashed {MARK};"


def _said(cell: Cell, touch: Touch | None, size: Size) -> str:
    """Return the content of a square."""
    return _name(cell, touch, size) + _pieces(cell, size)


def _name(cell: Cell, touch: Touch | None, size: Size) -> str:
    """Return the square's name and the turn.

    The name is left out if the edges show it and a piece needs the room.
    """
    tight = size.wide < 30 and cell.tokens and not cell.label.strip()
    name = "" if tight else escape(cell.label.strip() or cell.name)
    if cell.ground == "mark":
        name += " \u25ce"
    return name if touch is None else _numbered(name, touch.turn, cell, tight=size.wide < 40)


def _numbered(name: str, turn: int, cell: Cell, *, tight: bool) -> str:
    """Return a name with the number of a turn."""
    if not name:
        return f'<b style="color:{MARK}">{turn}</b>'
    gap = "" if tight else " "
    if tight and not cell.tokens:
        gap = "<br/>"
    size = "font-size:8px;padding-left:1px;" if tight and cell.tokens else ""
    return f'{name}{gap}<b style="{size}color:{MARK}">{turn}</b>'


def _pieces(cell: Cell, size: Size) -> str:
    if not cell.tokens:
        return _toy(cell)
    letters = cell.piece if len(cell.tokens) > 1 else cell.piece.strip(" .")
    pieces = zip(cell.tokens, letters, strict=False)
    if len(cell.tokens) > 1:
        return "<br/>" + "".join(_letter(*piece) for piece in pieces)
    large, line = min(18, 7 + size.wide // 4), size.high - 14
    block = f"display:block;font-size:{large}px;line-height:{line}px;"
    return "".join(_piece(*piece, block) for piece in pieces)


def _toy(cell: Cell) -> str:
    """Return the piece of a game that has no tokens."""
    return f'<b style="color:{INK}"> {escape(cell.piece)}</b>' if cell.piece.strip(" .") else ""


def _piece(token: PieceToken, letter: str, style: str) -> str:
    ground, letters = tile_of(token.colour)
    signs = shape_of(token).sign_of(token.colour) + escape(letter)
    return f'<b style="{style}background:{ground};color:{letters}">{signs}</b>'


def _letter(token: PieceToken, letter: str) -> str:
    """Return a piece that shares its square."""
    ground, letters = tile_of(token.colour)
    return f'<b style="background:{ground};color:{letters}">{escape(letter)}</b>'
