"""A diagram in a terminal, with 256 colours and Unicode characters.

A square takes two lines: its name and the last turn that touched it, then its piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pbem.games import shape_of
from pbem.games.diagram import WIDTH, Cell, Diagram, Place
from pbem.painters.ground import hull
from pbem.painters.palette import (
    FRAME,
    GROUNDS,
    IDLE,
    INK,
    LINKED,
    LINKED_GROUNDS,
    PAPER,
    QUIET,
    ground_of,
    tile_of,
)
from pbem.painters.squares import MARK, Size, Squares

WIDEST, EDGE = 6, 6
"""Maximum width of a square, and width of the names at both edges, in columns."""
NARROW = 4
RESET = "\x1b[0m"
LEVELS = (0, 95, 135, 175, 215, 255)


def terminal(diagram: Diagram) -> str:
    """Return the board in colours."""
    squares = Squares(diagram, {}, Size(min(WIDEST, (WIDTH - EDGE) // diagram.columns), 2))
    lines = [_edge(diagram, squares.size.wide)] if diagram.column_names else []
    for row in range(diagram.rows):
        lines += _row(squares, row)
    return "\n".join(line.rstrip() for line in lines)


def _edge(diagram: Diagram, wide: int) -> str:
    names = "".join(f"{name:^{wide}}" for name in diagram.column_names)
    return _painted(f"   {names}", PAPER, FRAME)


def _row(squares: Squares, row: int) -> Iterator[str]:
    diagram = squares.diagram
    inside = hull(diagram)
    edges = ("   ", f"{diagram.row_names[row]:>2} ") if diagram.row_names else ("", "")
    for line, edge in enumerate(edges):
        text = _painted(edge, PAPER, FRAME) if edge else ""
        for column in range(diagram.columns):
            place = (column, row)
            if cell := diagram.cells.get(place):
                text += _square(squares, place, cell, line)
            else:
                blank = " " * squares.size.wide
                text += _painted(blank, INK, IDLE) if place in inside else blank
        yield text


def _square(squares: Squares, place: Place, cell: Cell, line: int) -> str:
    """Return one of the two lines of a square."""
    diagram, wide = squares.diagram, squares.size.wide
    ground = ground_of(diagram, place, cell)
    left = _painted("\u258c", INK, ground) if place in diagram.walled_left else ""
    room = wide - bool(left)
    if line == 0:
        return left + _name(squares, place, cell, room, ground)
    return left + _pieces(cell, room, ground, walled=place in diagram.walled_below)


def _name(squares: Squares, place: Place, cell: Cell, room: int, ground: str) -> str:
    name = cell.label.strip() or cell.name
    number = str(squares.touched[place].turn) if place in squares.touched else ""
    name = name if len(name) + len(number) <= room else ""
    gap = " " * (room - len(name) - len(number))
    return _painted(name + gap, QUIET, ground) + _painted(number, MARK, ground, bold=True)


def _pieces(cell: Cell, room: int, ground: str, *, walled: bool) -> str:
    pieces = [
        (*tile_of(token.colour), shape_of(token).sign_of(token.colour)) for token in cell.tokens
    ]
    letters = cell.piece.strip(" .")
    if len(pieces) > 1:
        shown = [
            (tile, ink, letter) for (tile, ink, _), letter in zip(pieces, letters, strict=False)
        ]
    elif pieces:
        tile, ink, of = pieces[0]
        shown = [(tile, ink, f"{of}{letters} " if room > NARROW else of + letters)]
    else:
        shown = [(ground, INK, letters)]
    wide = sum(len(text) for _, _, text in shown)
    before = (room - wide) // 2
    middle = "".join(_painted(text, ink, tile, bold=True) for tile, ink, text in shown)
    after = room - wide - before
    line = "\u2581" if walled else " "
    return _painted(line * before, INK, ground) + middle + _painted(line * after, INK, ground)


def _painted(text: str, ink: str, ground: str, *, bold: bool = False) -> str:
    if not text:
        return ""
    weight = "1;" if bold else ""
    return f"\x1b[{weight}38;5;{number_of(ink)};48;5;{number_of(ground)}m{text}{RESET}"


def _three(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


# What every terminal with 256 colours has besides its first 16: a cube, then shades of grey.
NUMBERED = {
    **{16 + i: (LEVELS[i // 36], LEVELS[i // 6 % 6], LEVELS[i % 6]) for i in range(216)},
    **{232 + i: (8 + 10 * i,) * 3 for i in range(24)},
}


# These grounds are so pale that the nearest colour would be a grey.
CHOSEN = {
    IDLE: 230,
    LINKED: 187,
    LINKED_GROUNDS["strip"]: 186,
    **dict(zip(GROUNDS["plain"], (230, 187), strict=True)),
    **dict(zip(GROUNDS["rendezvous"], (195, 152), strict=True)),
}


@cache
def number_of(colour: str) -> int:
    """Return the terminal's number for a colour: the chosen one, or the nearest."""
    if colour in CHOSEN:
        return CHOSEN[colour]
    parts = _three(colour)

    def away(number: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(NUMBERED[number], parts, strict=True))

    return min(NUMBERED, key=away)
