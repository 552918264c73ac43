"""Parts of a board's picture that a page puts together: what is drawn once, and what moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from pbem.archive.site.replaying import Replayed
from pbem.games.diagram import Diagram, Token
from pbem.painters.ground import margin
from pbem.painters.svg import FONTS, SIDE, badges, ground, marks, pieces
from pbem.painters.tokens import definitions


@dataclass(frozen=True)
class Drawing:
    """The board of a match in parts, all made by the painters: none needs escaping."""

    view_box: str
    fonts: str
    symbols: Markup
    """Pieces, drawn once and used by name."""
    grounds: tuple[Markup, ...]
    """The board without pieces, for each view."""
    below: Markup
    """How the last turns are marked below the pieces, and above them."""
    pieces: Markup
    above: Markup


def drawing(match: Replayed) -> Drawing:
    """The board as it stands, the first seat below, and all that it takes to show it as it was."""
    start, last = match.steps[0].position, match.diagram(len(match.steps) - 1)
    grounds = (match.game.diagram(start, view.seats[0]) for view in match.views)
    return Drawing(
        view_box(last),
        FONTS,
        _made(f"<defs>{definitions(tokens_of(match.diagrams))}</defs>"),
        tuple(_made(ground(each)) for each in grounds),
        _made(marks(last)),
        _made(pieces(last)),
        _made(badges(last)),
    )


def drawn_on(diagram: Diagram) -> Markup:
    """Marks and pieces, to be laid on the ground of a match."""
    return _made(marks(diagram) + pieces(diagram) + badges(diagram))


def view_box(diagram: Diagram) -> str:
    """Size of the picture of a board with its frame."""
    edge = margin(diagram)
    wide, high = (each * SIDE + 2 * edge for each in (diagram.columns, diagram.rows))
    return f"{-edge} {-edge} {wide} {high}"


def tokens_of(diagrams: Iterable[Diagram]) -> list[Token]:
    """Every kind of piece that is on some board, in a fixed order."""
    cells = (cell for diagram in diagrams for cell in diagram.cells.values())
    return sorted({token for cell in cells for token in cell.tokens})


def _made(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704  # by the painters, which escape what they are given
