"""Board: the HTML of a board with its links, lists and legend, and its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from pbem.games.diagram import Captions, Diagram
from pbem.games.phrases import Words, capitalised
from pbem.games.text_diagram import paint_board
from pbem.games.words import phrase as common
from pbem.mail.outgoing.letter import content_id
from pbem.mail.outgoing.typeset.page import LABEL, SMALL, Figure, Page, element, listed
from pbem.mail.outgoing.words import phrase
from pbem.painters.examples import gallery
from pbem.painters.table import table

BOARD = "margin:0 0 14px"
SHOWN_WIDTH = 480
PICTURE = (
    f"display:block;width:100%;max-width:{SHOWN_WIDTH}px;height:auto;margin:0 0 14px;border:0;"
    "font:12px/1.3 Menlo,Consolas,monospace;white-space:pre"
)
"""The font is for clients that show no pictures: they show the board in letters."""
ASCII = "margin:0 0 14px;overflow-x:auto;font:12px/1.3 Menlo,Consolas,monospace"


def board(captions: Captions, alt: str, picture: Callable[[], str], page: Page) -> str:
    """Return the HTML of a board, its links and captions.

    `alt` describes it to readers who cannot see it. `picture` draws it as SVG.
    """
    said = captions.words.text(phrase("picture.board", alt=alt))
    if page.board == "picture":
        shown = _picture(picture(), said, paint_board(captions.diagram))
    else:
        shown = _drawn(captions.diagram, page, said)
    parts = (shown, page.to_tap, *_below(captions, page.board))
    return "\n".join(filter(None, parts))


def apart(captions: Captions, page: Page) -> str:
    """Return the HTML of a board that the email is not about, without links."""
    said = captions.words.text(phrase("picture.below"))
    shown = _drawn(captions.diagram, page, said)
    return "\n".join(filter(None, (shown, *_below(captions, page.board))))


def in_digest(captions: Captions, drawn: str, *, lists: bool) -> str:
    """Return the HTML of one of several boards, without links and legend.

    `drawn` is the board in characters, empty for a table.
    """
    if drawn:
        shown = _preformatted(drawn)
    else:
        shown = _drawn(captions.diagram, Page(), captions.words.text(phrase("picture.below")))
    if not lists:
        return shown
    lines = [f"{capitalised(title)}: {'; '.join(some)}" for title, some in captions.lists]
    below = _escaped("\n".join((*lines, *captions.standing)))
    return f"{shown}\n{element('p', SMALL, below)}" if below else shown


def small(diagram: Diagram, words: Words, shown: str) -> str:
    """Return the HTML of a board alone, without links: in characters, or as a table."""
    # An email has only one picture, of the match it is about.
    page = Page(board="html" if shown == "picture" else shown)
    return _drawn(diagram, page, words.text(phrase("picture.below")))


def games(titles: Sequence[str], words: Words) -> Figure:
    """Return a picture of the games' boards, which only the HTML part shows."""
    names = common("list.names", items=tuple(titles))
    picture, alt = gallery(), words.text(phrase("picture.games", games=names))

    def html(page: Page) -> str:
        return "" if page.board == "ascii" else _picture(picture, alt)

    return Figure("", html, picture=picture)


def _below(captions: Captions, board: str) -> Iterator[str]:
    for title, lines in captions.lists:
        yield element("p", LABEL, _escaped(capitalised(title)))
        yield listed(map(_escaped, lines))
    small = "\n".join((*captions.standing, *_signs(captions, board)))
    yield element("p", SMALL, _escaped(small))


def _signs(captions: Captions, board: str) -> Iterator[str]:
    """Yield the explanations that a board needs, depending on how it is shown."""
    diagram, words = captions.diagram, captions.words
    if board == "ascii" or not diagram.key:
        yield from captions.legend
    else:
        yield from map(words.text, diagram.key)
    if diagram.trails and board != "ascii":
        yield words.text(_TRAILS[board])


_TRAILS = {"letters": phrase("trails.letters"), "picture": phrase("trails.picture")}


def _drawn(diagram: Diagram, page: Page, said: str) -> str:
    """Draw the board in characters, or as a table."""
    if page.board == "ascii":
        return _preformatted(paint_board(diagram))
    links = page.taps.squares if page.taps else {}
    return element("div", BOARD, table(diagram, links, title=said))


def _preformatted(drawn: str) -> str:
    # A keyboard can scroll only what it can reach.
    return f'<pre tabindex="0" style="{ASCII}">\n{_escaped(drawn)}</pre>'


def _picture(svg: str, said: str, letters: str = "") -> str:
    """Return the element of a picture. `letters` are for clients that show no pictures."""
    alt = escape(f"{said}\n{letters}".strip()).replace("\n", "&#10;")
    source, label = f"cid:{content_id(svg)}", escape(said)
    return (
        f'<img src="{source}" alt="{alt}" aria-label="{label}" width="{SHOWN_WIDTH}"'
        f' style="{PICTURE}">'
    )


def _escaped(text: str) -> str:
    return escape(text, quote=False)
