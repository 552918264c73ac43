"""Page: typeset what a template says as an HTML document, with its figures, lists and links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from jinja2 import Environment

from pbem.mail.message.charsets import harmless
from pbem.mail.outgoing.look import BOARDS, ReplyTo, Taps, mailto

if TYPE_CHECKING:
    from pbem.mail.outgoing.look import Tap, Taps

FONTS = "-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif"
MONO = "font-family:Menlo,Consolas,monospace"
PAGE = f"margin:0 auto;padding:16px 8px;max-width:600px;font:16px/1.5 {FONTS}"
PARAGRAPH = "margin:0 0 14px"
HEADLINE = "margin:0 0 10px;font-size:20px;line-height:1.3;font-weight:bold"
RULE = '<div style="margin:0 0 14px;border-top:1px solid #9a8f78"></div>'
SMALL = "margin:0 0 14px;font-size:14px;line-height:1.45"
CALLOUT = (
    "margin:0 0 16px;padding:10px 14px;border-radius:8px;background-color:#fdf0c4;color:#3b2f00"
)
SAMPLE = f"display:inline-block;margin:0 0 8px;padding:0 0 0 24px;font-weight:bold;{MONO}"
"""Has no frame, since frames mark links."""
QUOTE = "margin:0 0 14px;padding:2px 0 2px 14px;border-left:3px solid #9a8f78"
LIST = "margin:0 0 14px;padding:0 0 0 22px"
ITEM = "margin:0 0 4px"
TERM = f"margin:0;font-weight:bold;{MONO}"
DEFINITION = "margin:0 0 8px"
LABEL = "margin:0 0 6px;font-weight:bold"
FLOW = "display:inline-block;margin:0 16px 4px 0"
TABLE = "margin:0 0 14px;border-collapse:collapse;font-size:14px;line-height:1.3"
CLOSE = "margin:0 0 14px;border-collapse:collapse;font-size:12px;line-height:1.2"
"""A table with many columns."""
PILL = (
    "display:inline-block;margin:0 6px 6px 0;padding:9px 10px;"
    "border:1px solid;border-radius:8px;text-decoration:none"
)
SMALL_PILL = (
    "display:inline-block;margin:0 4px 5px 0;padding:11px 4px;font-size:14px;"
    "border:1px solid;border-radius:8px;text-decoration:none"
)
"""Narrow buttons, five on a line of a phone, as tall as the others (a thumb needs 44 pixels)."""
BUTTON = (
    "display:inline-block;margin:0 4px 5px 0;padding:11px 6px;font-size:14px;"
    "border:1px solid;border-radius:8px"
)
"""One of many buttons in a digest."""
CLOSE_LINKS = "margin:0;line-height:44px;font-size:14px"
CLOSE_LINK = "padding:14px 5px;white-space:nowrap"
MATCH_HEADING = (
    "margin:24px 0 8px;padding:12px 0 0;border-top:1px solid #9a8f78;font-size:18px;line-height:1.3"
)
BUTTONS = "display:inline-block;margin:0 12px 4px 0;vertical-align:top"
"""Buttons with their title, beside others if there is room."""
TITLE = "display:inline-block;margin:0 6px 0 0"
QUIET = "display:inline-block;margin:0 18px 0 0;padding:10px 0"
LINK = "padding:13px 0"
"""A link in a text, easy to hit with a thumb without changing the line height."""

DARK = (
    "@media (prefers-color-scheme:dark){"
    ".due{background-color:#40371a!important;color:#fbecc0!important}}"
)
"""For clients that keep it. Others invert colours themselves or keep them."""


def element(name: str, style: str, content: str) -> str:
    """Return an element with a style."""
    return f'<{name} style="{style}">{content}</{name}>'


def small(content: str) -> str:
    """Return a paragraph in small print."""
    return element("p", SMALL, content)


def callout(content: str) -> str:
    """Return a paragraph with its own background."""
    return f'<p class="due" style="{CALLOUT}">{content}</p>'


QUOTED_LINE, SAMPLE_LINE, ITEM_LINE, PROSE_LINE = "| ", "    ", "  ", ""
"""Starts of lines, longest first: another person's text, a text to send, an item, prose."""


@dataclass(frozen=True)
class Page:
    """An HTML part that is being typeset."""

    figures: Sequence[Figure] = ()
    board: str = BOARDS[0]
    """The way boards are shown."""
    taps: Taps | None = None
    reply: ReplyTo | None = None
    """Address of answers."""

    @property
    def shows_picture(self) -> bool:
        """Whether a board is shown as a picture."""
        return self.board == "picture" and self.has_board

    @property
    def has_board(self) -> bool:
        """Whether there is a board."""
        return any(each.is_board for each in self.figures)

    @property
    def to_tap(self) -> str:
        """All links beside the board."""
        return "" if self.taps is None else to_tap(self.taps)

    @property
    def lists_actions(self) -> bool:
        """Whether the legal actions are links."""
        return bool(self.taps and (self.taps.groups or self.taps.squares))

    @property
    def commands(self) -> str:
        """Links to other commands, if nothing has shown them yet."""
        shown = any(each.has_taps for each in self.figures)
        if self.taps is None or shown or not self.taps.commands:
            return ""
        return commands(self.taps)

    @property
    def answer(self) -> str:
        """Links to answer a question, if there is no board."""
        return "" if self.taps is None else buttons(self.taps.commands)

    def link(self, text: str, label: str = "") -> str:
        """Return a link that sends a text."""
        shown = escape(label or text, quote=False)
        if self.reply is None:
            return shown
        href = escape(mailto(*self.reply, text))
        return f'<a href="{href}" style="{LINK}">{shown}</a>'

    def blocks(self, said: str) -> str:
        """Typeset a template's text: paragraphs, lists, samples, quotes and figures."""
        lines = harmless(said).expandtabs().split("\n")
        parts = groupby(lines, self._kind)
        return "\n".join(filter(None, (self._block(kind, list(some)) for kind, some in parts)))

    def _kind(self, line: str) -> str | None:
        """Return the start of a line, None for a blank line or a figure at the left margin."""
        bare = line.strip()
        if not bare or PLACE.fullmatch(line.rstrip()):
            return None
        if bare == QUOTED_LINE.strip():
            return QUOTED_LINE
        beginnings = (QUOTED_LINE, SAMPLE_LINE, ITEM_LINE, PROSE_LINE)
        return next(each for each in beginnings if line.startswith(each))

    def _block(self, kind: str | None, lines: list[str]) -> str:
        if kind is None:
            return "\n".join(self.line(line.strip()) for line in lines if line.strip())
        if kind == QUOTED_LINE:
            return element("blockquote", QUOTE, "<br>\n".join(self._quoted(lines)))
        texts = [self.line(line.strip()) for line in lines]
        if kind == SAMPLE_LINE:
            samples = (element("span", SAMPLE, each) for each in texts)
            return element("p", "margin:0 0 6px", "<br>\n".join(samples))
        if kind == ITEM_LINE:
            items = "".join(element("li", ITEM, each) for each in texts)
            return element("ul", LIST, items)
        return element("p", PARAGRAPH, "\n".join(texts))

    def _quoted(self, lines: list[str]) -> Iterator[str]:
        for line in lines:
            yield self.line(line.removeprefix(QUOTED_LINE.strip()).strip())

    def line(self, said: str) -> str:
        """Return escaped words with figures in their places."""
        pieces = PLACE.split(said)
        for at, piece in enumerate(pieces):
            # Every second piece is the number of a figure.
            pieces[at] = self._figure(int(piece)) if at % 2 else escape(piece, quote=False)
        return "".join(pieces)

    def _figure(self, number: int) -> str:
        """Return a figure, or "" for a repeated board."""
        figure = self.figures[number]
        again = figure.is_board and any(each.is_board for each in self.figures[:number])
        return "" if again else figure.html(self)

    def whole(self, language: str, title: str, body: str) -> str:
        """Return the whole document."""
        lang = escape(language)
        return harmless(
            f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            '<meta name="supported-color-schemes" content="light dark">\n'
            f"<title>{escape(title, quote=False)}</title>\n<style>{DARK}</style>\n</head>\n"
            f'<body style="margin:0;padding:0">\n<div role="main" lang="{lang}" style="{PAGE}">\n'
            f"{body}\n</div>\n</body>\n</html>\n"
        )


@dataclass(frozen=True)
class Figure:
    """A part of an email in both forms, text and HTML."""

    text: str
    html: Callable[[Page], str]
    """Returns the HTML, given the page that contains it."""
    is_board: bool = False
    has_taps: bool = False
    """Whether its HTML shows links if there are any."""
    picture: str = ""
    """SVG of the picture that its HTML shows by its Content-ID, unless boards are in ASCII."""

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        """Return whether there is anything to show."""
        return bool(self.text)


_OPENS, _CLOSES = "\ue000", "\ue001"
PLACE = re.compile(f"{_OPENS}([0-9]+){_CLOSES}")


class Said(str):
    """A template's text. Only here, and in no other text, are places of figures valid."""

    __slots__ = ()


class FigureEnvironment(Environment):
    """Templates whose text may contain figures."""

    @staticmethod
    def concat(parts: Iterable[str]) -> Said:
        """Return the whole text of a template, block or macro."""
        return Said("".join(parts))


_FIGURES: ContextVar[list[Figure] | None] = ContextVar("figures", default=None)


@contextmanager
def collecting() -> Iterator[list[Figure]]:
    """Collect the figures rendered in this context, by number."""
    figures: list[Figure] = []
    token = _FIGURES.set(figures)
    try:
        yield figures
    finally:
        _FIGURES.reset(token)


def placed(figure: Figure) -> Said:
    """Return the numbered place of a figure, or its text if nothing is collected."""
    figures = _FIGURES.get()
    if figures is None:
        return Said(figure.text)
    figures.append(figure)
    return Said(f"{_OPENS}{len(figures) - 1}{_CLOSES}")


def without_places(text: str) -> str:
    """Return an outside text without any valid places."""
    if _OPENS not in text or isinstance(text, Said):
        return text
    own = placed(Figure(_OPENS, lambda _: _OPENS))
    return Said(text.replace(_OPENS, own))


def in_text(said: str) -> str:
    """Return a template's text with the texts of its figures."""
    figures = _FIGURES.get()
    return said if figures is None else PLACE.sub(lambda at: figures[int(at[1])].text, said)


def flowing(items: Iterable[str]) -> str:
    """Lay out items side by side, as many to a line as fit."""
    texts = "\n".join(element("span", FLOW, escape(each, quote=False)) for each in items)
    return element("p", f"{PARAGRAPH};{MONO};font-size:14px", texts)


def listed(items: Iterable[str]) -> str:
    """Lay out escaped items one below another."""
    return element("ul", LIST, "\n".join(element("li", ITEM, each) for each in items))


def definitions(said: str) -> str:
    """Lay out escaped terms and definitions, on one line with a gap or on two."""
    return element("dl", PARAGRAPH, "\n".join(_definitions(said)))


def explained(rows: Iterable[Sequence[str]]) -> str:
    """Lay out escaped terms and descriptions."""
    parts = (
        f"{element('dt', TERM, term)}\n{element('dd', DEFINITION, said)}" for term, said in rows
    )
    return element("dl", PARAGRAPH, "\n".join(parts))


_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")


def _definitions(said: str) -> Iterator[str]:
    for line in filter(str.strip, said.splitlines()):
        if line.startswith("    "):
            yield element("dd", DEFINITION, line.strip())
        else:
            term, *meaning = _GAP.split(line.strip(), maxsplit=1)
            yield element("dt", TERM, term)
            yield from (element("dd", DEFINITION, each) for each in meaning)


def to_tap(taps: Taps) -> str:
    """Return all links beside the board: actions as buttons, and commands below or above them."""
    look = SMALL_PILL if taps.many else PILL
    groups = (buttons(group.taps, group.title, look) for group in taps.groups)
    hint = (small(escape(taps.hint, quote=False)),) if taps.hint else ()
    if taps.commands_first:
        return "\n".join((commands(taps), *hint, *groups))
    return "\n".join((*groups, *hint, commands(taps)))


def commands(taps: Taps) -> str:
    """Return links to commands."""
    return element("p", PARAGRAPH, _links(taps.commands, QUIET))


def buttons(taps: Iterable[Tap], title: str = "", look: str = PILL) -> str:
    """Return links as buttons after a title."""
    return element("p", BUTTONS, f"{_title(title)}{_links(taps, look)}")


def close_links(taps: Iterable[Tap]) -> str:
    """Return many links in few bytes, without frames."""
    return element("p", CLOSE_LINKS, _links(taps, CLOSE_LINK))


def _title(said: str) -> str:
    return element("b", TITLE, escape(said, quote=False)) + "\n" if said else ""


def _links(taps: Iterable[Tap], look: str) -> str:
    return "\n".join(
        f'<a href="{escape(tap.href)}" style="{look}">{escape(tap.label, quote=False)}</a>'
        for tap in taps
    )
