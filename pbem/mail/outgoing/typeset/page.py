"""Page: a letter as it is typeset, from what a template has said to a document in HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from pbem.mail.harmless import harmless
from pbem.mail.outgoing.figure import PLACE, Figure
from pbem.mail.outgoing.look import BOARDS
from pbem.mail.outgoing.taps import ReplyTo, Taps, mailto
from pbem.mail.outgoing.typeset import style
from pbem.mail.outgoing.typeset.lists import buttons, commands, to_tap
from pbem.mail.outgoing.typeset.style import element

QUOTED, SAMPLE, ITEM, PROSE = "| ", "    ", "  ", ""
"""What a line begins with, the longest first: what others wrote, something to be sent, an item."""


@dataclass(frozen=True)
class Page:
    """The letter while it is set."""

    figures: Sequence[Figure] = ()
    board: str = BOARDS[0]
    """How boards are shown."""
    taps: Taps | None = None
    reply: ReplyTo | None = None
    """Where what is tapped goes."""

    @property
    def shows_picture(self) -> bool:
        """Whether a board is shown as one."""
        return self.board == "picture" and self.has_board

    @property
    def has_board(self) -> bool:
        """Whether there is one."""
        return any(each.is_board for each in self.figures)

    @property
    def to_tap(self) -> str:
        """All that can be tapped beside the board."""
        return "" if self.taps is None else to_tap(self.taps)

    @property
    def lists_actions(self) -> bool:
        """Whether the actions that are legal can be tapped."""
        return bool(self.taps and (self.taps.groups or self.taps.squares))

    @property
    def commands(self) -> str:
        """What else can be tapped, where nothing has shown it yet."""
        shown = any(each.has_taps for each in self.figures)
        if self.taps is None or shown or not self.taps.commands:
            return ""
        return commands(self.taps)

    @property
    def answer(self) -> str:
        """What can be tapped where there is no board: the answer to a question."""
        return "" if self.taps is None else buttons(self.taps.commands)

    def link(self, text: str, label: str = "") -> str:
        """What sends a text when it is tapped."""
        shown = escape(label or text, quote=False)
        if self.reply is None:
            return shown
        href = escape(mailto(*self.reply, text))
        return f'<a href="{href}" style="{style.LINK}">{shown}</a>'

    def blocks(self, said: str) -> str:
        """What a template has said: paragraphs, lists, samples, quotes and figures."""
        lines = harmless(said).expandtabs().split("\n")
        parts = groupby(lines, self._kind)
        return "\n".join(filter(None, (self._block(kind, list(some)) for kind, some in parts)))

    def _kind(self, line: str) -> str | None:
        """What a line begins with; None where it is blank, or a figure at the left margin."""
        bare = line.strip()
        if not bare or PLACE.fullmatch(line.rstrip()):
            return None
        if bare == QUOTED.strip():
            return QUOTED
        return next(each for each in (QUOTED, SAMPLE, ITEM, PROSE) if line.startswith(each))

    def _block(self, kind: str | None, lines: list[str]) -> str:
        if kind is None:
            return "\n".join(self.line(line.strip()) for line in lines if line.strip())
        if kind == QUOTED:
            return element("blockquote", style.QUOTE, "<br>\n".join(self._quoted(lines)))
        texts = [self.line(line.strip()) for line in lines]
        if kind == SAMPLE:
            samples = (element("span", style.SAMPLE, each) for each in texts)
            return element("p", "margin:0 0 6px", "<br>\n".join(samples))
        if kind == ITEM:
            items = "".join(element("li", style.ITEM, each) for each in texts)
            return element("ul", style.LIST, items)
        return element("p", style.PARAGRAPH, "\n".join(texts))

    def _quoted(self, lines: list[str]) -> Iterator[str]:
        for line in lines:
            yield self.line(line.removeprefix(QUOTED.strip()).strip())

    def line(self, said: str) -> str:
        """Escaped words, and figures in their places."""
        pieces = PLACE.split(said)
        for at, piece in enumerate(pieces):
            # Every second piece is the number of a place, which stood between the others.
            pieces[at] = self._figure(int(piece)) if at % 2 else escape(piece, quote=False)
        return "".join(pieces)

    def _figure(self, number: int) -> str:
        """A figure; the same board a second time would be weight and nothing else."""
        figure = self.figures[number]
        again = figure.is_board and any(each.is_board for each in self.figures[:number])
        return "" if again else figure.html(self)

    def whole(self, language: str, title: str, body: str) -> str:
        """The document."""
        lang = escape(language)
        return harmless(
            f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            '<meta name="supported-color-schemes" content="light dark">\n'
            f"<title>{escape(title, quote=False)}</title>\n<style>{style.DARK}</style>\n</head>\n"
            f'<body style="margin:0;padding:0">\n<div lang="{lang}" style="{style.PAGE}">\n'
            f"{body}\n</div>\n</body>\n</html>\n"
        )
