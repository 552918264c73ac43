"""The squares of a board as cells of an HTML table: name, piece, mark of a last turn, link."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape

from pbem.games.diagram import Cell, Diagram, Place, Token
from pbem.painters.ground import hull
from pbem.painters.marks import touched
from pbem.painters.palette import FRAME, INK, QUIET, ground_of, tile_of
from pbem.painters.signs import sign

MARK = "#993107"
"""Of the last turns: numbers, and borders round squares; solid where a piece is now."""


@dataclass(frozen=True)
class Squares:
    """What all squares of a board share."""

    diagram: Diagram
    links: Mapping[str, str]
    """Where squares lead, by name."""
    wide: int
    high: int

    @cached_property
    def inside(self) -> set[Place]:
        """Places of the board, idle ones among them."""
        return hull(self.diagram)

    @cached_property
    def marks(self) -> dict[Place, tuple[int, bool]]:
        """What the last turns touched."""
        return touched(self.diagram)

    @cached_property
    def sides(self) -> dict[Place, str]:
        """Barriers and bounds as borders of the square behind or below them."""
        styles: dict[Place, str] = defaultdict(str)
        walls, bounds = (
            (self.diagram.walls, f"4px solid {INK}"),
            (self.diagram.bounds, f"2px solid {FRAME}"),
        )
        for pairs, line in (walls, bounds):
            for pair in sorted(sorted(each) for each in pairs):
                before, behind = pair
                side = "top" if before[0] == behind[0] else "left"
                styles[behind] += f"border-{side}:{line};"
        return styles

    def painted(self, place: Place) -> str:
        """A square."""
        cell = self.diagram.cells[place]
        ground = ground_of(self.diagram, place, cell)
        # A link has a colour of its own.
        colour = "" if cell.name in self.links else f"color:{QUIET};"
        style = f"{colour}{self._ring(place)}{self.sides.get(place, '')}".strip(";")
        styled = f' style="{style}"' if style else ""
        return f'<td bgcolor="{ground}"{styled}>{self._linked(place, cell)}</td>'

    def _ring(self, place: Place) -> str:
        mark = self.marks.get(place)
        if mark is None:
            return ""
        return f"border:2px solid {MARK};" if mark[1] else f"border:1px dashed {MARK};"

    def _linked(self, place: Place, cell: Cell) -> str:
        inside = self._name(place, cell) + self._pieces(cell)
        href = self.links.get(cell.name) if cell.name else None
        if href is None:
            return inside
        tall = f"{'height' if cell.tokens else 'line-height'}:{self.high - 4}px"
        style = f"display:block;{tall};color:{INK}"
        return f'<a href="{escape(href)}" style="{style}">{inside}</a>'

    def _name(self, place: Place, cell: Cell) -> str:
        """The square's name, unless the edges say it and a piece needs the room; then the turn."""
        tight = self.wide < 30 and cell.tokens and not cell.label.strip()
        name = "" if tight else escape(cell.label.strip() or cell.name)
        if cell.ground == "mark":
            name += " \u25ce"
        if place not in self.marks:
            return name
        number = str(self.marks[place][0])
        if not name:
            return f'<b style="color:{MARK}">{number}</b>'
        tight = self.wide < 40
        gap = "" if tight else " "
        if tight and not cell.tokens:
            gap = "<br/>"
        size = "font-size:8px;padding-left:1px;" if tight and cell.tokens else ""
        return f'{name}{gap}<b style="{size}color:{MARK}">{number}</b>'

    def _pieces(self, cell: Cell) -> str:
        if not cell.tokens:
            return _toy(cell)
        letters = cell.piece if len(cell.tokens) > 1 else cell.piece.strip(" .")
        pieces = zip(cell.tokens, letters, strict=False)
        if len(cell.tokens) > 1:
            return "<br/>" + "".join(_letter(*piece) for piece in pieces)
        size, line = min(18, 7 + self.wide // 4), self.high - 14
        block = f"display:block;font-size:{size}px;line-height:{line}px;"
        return "".join(_piece(*piece, block) for piece in pieces)


def _toy(cell: Cell) -> str:
    """What a game draws that names no pieces."""
    return f'<b style="color:{INK}"> {escape(cell.piece)}</b>' if cell.piece.strip(" .") else ""


def _piece(token: Token, letter: str, style: str) -> str:
    ground, letters = tile_of(token.colour)
    signs = sign(token) + escape(letter)
    return f'<b style="{style}background:{ground};color:{letters}">{signs}</b>'


def _letter(token: Token, letter: str) -> str:
    """A piece that shares its square."""
    ground, letters = tile_of(token.colour)
    return f'<b style="background:{ground};color:{letters}">{escape(letter)}</b>'
