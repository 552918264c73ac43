"""A diagram as a picture: as SVG, the source of all pictures, as PNG, and in words.

It uses presentation attributes only, so pages with a strict Content-Security-Policy can show it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from pathlib import Path

import resvg_py

from pbem.games.diagram import Diagram, PieceToken, Place, Tray
from pbem.games.phrases import ENGLISH, Words
from pbem.painters.ground import SIDE, badges, board, centre, ground, margin, marks, names
from pbem.painters.palette import INK, PAPER
from pbem.painters.tokens import symbols, token_id
from pbem.painters.words import phrase

FONTS = "Inter SemiBold,Inter,Helvetica,Arial,sans-serif"
ABOVE, BELOW = (0, -4), (2, 5)
"""Offset of pieces from the middle, which keeps the square's name visible."""


def svg(diagram: Diagram, title: str, *, words: Words = ENGLISH) -> str:
    """Return the whole picture, with a title for people who cannot see it."""
    edge = margin(diagram)
    wide = diagram.columns * SIDE + 2 * edge
    high = diagram.rows * SIDE + 2 * edge + height(diagram)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" font-weight="600"'
        f' font-family="{FONTS}" viewBox="{-edge} {-edge} {wide} {high:g}">'
        f"<title>{escape(title)}</title><defs>{symbols(diagram)}</defs>"
        f"{board(diagram)}{marks(diagram)}{names(diagram)}{pieces(diagram)}{badges(diagram)}"
        f"{trays(diagram, words)}</svg>"
    )


def pieces(diagram: Diagram) -> str:
    """Return the pieces as uses of `symbols`, or as letters if the game has no drawings."""
    return "".join(
        _use(token, *at)
        for place, cell in diagram.cells.items()
        for token, at in zip(cell.tokens, spots(diagram, place, len(cell.tokens)), strict=False)
    ) + "".join(
        _written(place, cell.piece.strip(" ."))
        for place, cell in diagram.cells.items()
        if not cell.tokens and cell.piece.strip(" .")
    )


def _written(place: Place, piece: str) -> str:
    x, y = centre(place)
    at = f'x="{x}" y="{y + 17}" font-size="24" text-anchor="middle" fill="{INK}"'
    return f"<text {at}>{escape(piece)}</text>"


def _use(token: PieceToken, x: float, y: float, scale: float) -> str:
    if scale == 1:
        return f'<use href="#{token_id(token)}" x="{x:g}" y="{y:g}"/>'
    moved = f"translate({x:g} {y:g}) scale({scale:g})"
    return f'<use href="#{token_id(token)}" transform="{moved}"/>'


PAIR = ((-11.5, 1), (11.5, 1))
CORNERS = ((-11.5, -10), (11.5, -10), (-11.5, 12), (11.5, 12))


def spots(diagram: Diagram, place: Place, number: int) -> Iterator[tuple[float, float, float]]:
    """Yield position and scale of a square's pieces: one in the middle, more in the corners."""
    if number == 1:
        yield (*_spot(diagram, place), 1)
        return
    x, y = centre(place)
    for right, below in PAIR if number == 2 else CORNERS:
        yield x + right, y + below, 0.58


def _spot(diagram: Diagram, place: Place) -> tuple[int, int]:
    x, y = centre(place)
    right, down = ABOVE if diagram.column_names else BELOW
    return x + right, y + down


def place_of(diagram: Diagram, name: str) -> tuple[int, int] | None:
    """Return the position of a single piece on a named square, None if there is none."""
    place = diagram.named.get(name)
    return None if place is None else _spot(diagram, place)


__all__ = [
    "SIDE",
    "badges",
    "board",
    "ground",
    "marks",
    "names",
    "pieces",
    "place_of",
    "spots",
    "svg",
    "symbols",
    "token_id",
    "trays",
]


IN_A_ROW = 2


def _row(diagram: Diagram) -> float:
    return diagram.columns * SIDE / 8


def height(diagram: Diagram) -> float:
    """Return the height of the trays below the frame, in units of the picture."""
    if not diagram.trays:
        return 0
    rows = -(-len(diagram.trays) // IN_A_ROW)
    return rows * _row(diagram) + margin(diagram) / 2


def trays(diagram: Diagram, words: Words) -> str:
    """Return a piece and two short lines for each seat."""
    if not diagram.trays:
        return ""
    wide, high, edge = diagram.columns * SIDE, height(diagram), margin(diagram)
    top = diagram.rows * SIDE + edge
    panel = (
        f'<rect x="{-edge + 2}" y="{top + 4:g}" width="{wide + 2 * edge - 4}"'
        f' height="{high - 6:g}" rx="12" fill="{PAPER}"/>'
    )
    each = "".join(_tray(diagram, tray, number, words) for number, tray in enumerate(diagram.trays))
    return panel + each


def _tray(diagram: Diagram, tray: Tray, number: int, words: Words) -> str:
    row, size = _row(diagram), diagram.columns * SIDE / 30
    x = number % IN_A_ROW * diagram.columns * SIDE / IN_A_ROW
    y = diagram.rows * SIDE + margin(diagram) * 1.25 + number // IN_A_ROW * row + row / 2
    scale = row / SIDE
    texts = "".join(
        f'<text x="{x + row:g}" y="{y + (i * 1.25 - 0.2) * size:g}">'
        f"{escape(words.text(said))}</text>"
        for i, said in enumerate(tray.said)
    )
    return (
        f'<use href="#{token_id(tray.token)}"'
        f' transform="translate({x + row / 2:g} {y:g}) scale({scale:g})"/>'
        f'<g font-size="{size:g}" fill="{INK}">{texts}</g>'
    )


def alt(diagram: Diagram, match: int, turn: int, seat: str, *, words: Words = ENGLISH) -> str:
    """Return one line with the match, the turn and the seat at the bottom.

    Match 0 is one that has not started.
    """
    if match == 0:
        return words.text(phrase("alt-start", seat=diagram.name_of(seat)))
    return words.text(phrase("alt", match=match, turn=turn, seat=diagram.name_of(seat)))


FONT = Path(__file__).parent / "fonts" / "board.ttf"
"""Latin letters of Inter SemiBold. The licence is next to the file."""


@lru_cache(64)  # positions that many matches share, and one that several people get
def png(svg: str, width: int) -> bytes:
    """Return a picture as PNG, `width` pixels wide."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, skip_system_fonts=True, font_files=[str(FONT)]
        )
    )
