"""What seats have beside the board, in a picture: a row of their pieces and counts below it."""

from __future__ import annotations

from html import escape

from pbem.games.diagram import Diagram, Tray
from pbem.games.phrases import Words
from pbem.painters.ground import SIDE, margin
from pbem.painters.palette import INK, PAPER
from pbem.painters.tokens import token_id

IN_A_ROW = 2


def _row(diagram: Diagram) -> float:
    return diagram.columns * SIDE / 8


def height(diagram: Diagram) -> float:
    """Units that they take below the frame."""
    if not diagram.trays:
        return 0
    rows = -(-len(diagram.trays) // IN_A_ROW)
    return rows * _row(diagram) + margin(diagram) / 2


def trays(diagram: Diagram, words: Words) -> str:
    """A piece and two short lines for each seat."""
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
