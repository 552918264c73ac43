"""The squares of a board as cells of an HTML table: name, piece, mark of a last turn, link."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape

from pbem.games.diagram import Cell, Diagram, Place, Token
from pbem.painters.marks import ways
from pbem.painters.palette import FRAME, INK, QUIET, ground_of, tile_of
from pbem.painters.signs import sign

MARK = "#a8380a"
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
    def marks(self) -> dict[Place, tuple[int, bool]]:
        """Number of the turn that touched a square, and whether a piece came to stand there."""
        found: dict[Place, tuple[int, bool]] = {}
        for trail in self.diagram.trails:
            paths = ways(self.diagram, trail)
            found |= {path[0]: (trail.turn, False) for path in paths}
            found |= {path[-1]: (trail.turn, True) for path in paths}
        return found

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
                styles[behind] += f";border-{side}:{line}"
        return styles

    def painted(self, place: Place) -> str:
        """A square."""
        cell = self.diagram.cells[place]
        ground = ground_of(self.diagram, place, cell)
        style = f"color:{QUIET}{self._ring(place)}{self.sides.get(place, '')}"
        return f'<td bgcolor="{ground}" style="{style}">{self._linked(place, cell)}</td>'

    def _ring(self, place: Place) -> str:
        mark = self.marks.get(place)
        if mark is None:
            return ""
        return f";border:2px solid {MARK}" if mark[1] else f";border:1px dashed {MARK}"

    def _linked(self, place: Place, cell: Cell) -> str:
        inside = self._name(place, cell) + self._pieces(cell)
        href = self.links.get(cell.name) if cell.name else None
        if href is None:
            return inside
        style = f"display:block;height:{self.high - 4}px;color:{INK}"
        return f'<a href="{escape(href)}" style="{style}">{inside}</a>'

    def _name(self, place: Place, cell: Cell) -> str:
        """The square's name, unless the edges say it and a piece needs the room; then the turn."""
        tight = self.wide < 30 and cell.tokens and not cell.label.strip()
        name = "" if tight else escape(cell.label.strip() or cell.name)
        if cell.ground == "mark":
            name += " \u25ce"
        if place not in self.marks:
            return name
        gap = "" if self.wide < 30 else " "
        number = f'<b style="font-size:8px;color:{MARK}">{self.marks[place][0]}</b>'
        return f"{name}{gap}{number}" if name else number

    def _pieces(self, cell: Cell) -> str:
        if not cell.tokens:
            return _toy(cell)
        letters = cell.piece if len(cell.tokens) > 1 else cell.piece.strip(" .")
        size = min(18, 8 + self.wide // 4) if len(cell.tokens) == 1 else 9
        return "".join(
            _piece(token, letter, size, len(cell.tokens) > 1)
            for token, letter in zip(cell.tokens, letters, strict=False)
        )


def _toy(cell: Cell) -> str:
    """What a game draws that names no pieces."""
    return f'<b style="color:{INK}"> {escape(cell.piece)}</b>' if cell.piece != "." else ""


def _piece(token: Token, letter: str, size: int, beside: bool) -> str:
    ground, letters = tile_of(token.colour)
    block = "" if beside else f"display:block;font-size:{size}px;line-height:{size + 3}px;"
    return (
        f'<b style="{block}background:{ground};color:{letters}">{sign(token)}{escape(letter)}</b>'
    )
