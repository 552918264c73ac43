"""Board: a match as its letter shows it: the board, what can be tapped, the lists, the legend."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from pbem.games.captions import Captions
from pbem.games.diagram import Diagram
from pbem.games.phrases import capitalised
from pbem.games.plain import paint_board
from pbem.mail.outgoing.picture import content_id
from pbem.mail.outgoing.typeset import style
from pbem.mail.outgoing.typeset.lists import listed
from pbem.mail.outgoing.typeset.style import element
from pbem.mail.outgoing.words import phrase
from pbem.painters.table import table

if TYPE_CHECKING:
    from pbem.mail.outgoing.match_view import MatchView
    from pbem.mail.outgoing.typeset.page import Page

BOARD = "margin:0 0 14px;overflow-x:auto"
PICTURE = "display:block;width:100%;max-width:560px;height:auto;margin:0 0 14px;border:0"
ASCII = "margin:0 0 14px;overflow-x:auto;font:12px/1.3 Menlo,Consolas,monospace"


def board(view: MatchView, page: Page) -> str:
    """All of it."""
    parts = (_board(view, page), page.to_tap, *_below(view.captions, page.board))
    return "\n".join(filter(None, parts))


def apart(captions: Captions, page: Page) -> str:
    """The same of a match that the letter is not about: with nothing to be tapped."""
    said = captions.words.text(phrase("picture.below"))
    shown = _drawn(captions.diagram, page, said)
    return "\n".join(filter(None, (shown, *_below(captions, page.board))))


def _below(captions: Captions, board: str) -> Iterator[str]:
    for title, lines in captions.lists:
        yield element("p", style.LABEL, _escaped(capitalised(title)))
        yield listed(map(_escaped, lines))
    small = "\n".join((*captions.standing, *_signs(captions, board)))
    yield element("p", style.SMALL, _escaped(small))


def _signs(captions: Captions, board: str) -> Iterator[str]:
    """What is to be explained of a board as it is shown."""
    diagram, words = captions.diagram, captions.words
    if board == "ascii" or not diagram.key:
        yield from captions.legend
    else:
        yield from map(words.text, diagram.key)
    if diagram.trails and board != "ascii":
        yield words.text(_TRAILS[board])


_TRAILS = {"html": phrase("trails.html"), "picture": phrase("trails.picture")}


def _board(view: MatchView, page: Page) -> str:
    if page.board == "picture":
        return _picture(view)
    return _drawn(view.board_diagram, page, _said(view))


def _drawn(diagram: Diagram, page: Page, said: str) -> str:
    """In characters, or as a table."""
    if page.board == "ascii":
        return f'<pre style="{ASCII}">\n{_escaped(paint_board(diagram))}</pre>'
    links = page.taps.squares if page.taps else {}
    return element("div", BOARD, table(diagram, links, title=said))


def _picture(view: MatchView) -> str:
    source = f"cid:{content_id(view.picture)}"
    return f'<img src="{source}" alt="{escape(_said(view))}" width="560" style="{PICTURE}">'


def _said(view: MatchView) -> str:
    """What is said of the board to those who cannot see it."""
    return view.words.text(phrase("picture.board", alt=view.alt))


def _escaped(text: str) -> str:
    return escape(text, quote=False)
