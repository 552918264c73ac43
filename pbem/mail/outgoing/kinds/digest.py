"""The digest: one email about all matches of a member that have news, or wait for them.

Each match has a heading, a small board and links to its moves.

Gmail clips an email above 102,000 bytes of HTML, so the boards and links of a digest share a limit.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import islice

from pbem.games.diagram import WIDTH
from pbem.games.text_diagram import paint_board, paint_lists
from pbem.mail.outgoing.kinds.mail import Mail
from pbem.mail.outgoing.kinds.progress import LapsedPlan, TurnDue, WaitingNote, Watched
from pbem.mail.outgoing.letter import Urgency
from pbem.mail.outgoing.look import ReplyTo, Tap, in_block, mailto, tap
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.typeset.board import in_digest
from pbem.mail.outgoing.typeset.page import (
    BUTTON,
    MATCH_HEADING,
    QUIET,
    Figure,
    Page,
    buttons,
    close_links,
    element,
)
from pbem.mail.outgoing.typeset.tables import columns
from pbem.mail.outgoing.words import phrase

MOST_BYTES = 92_000
"""Bytes of HTML for all matches together."""
WORDS_BYTES = 1_100
"""Bytes of the words about a match, besides others' notes and the captions of the board."""
CELL_BYTES = 110
"""Bytes of one square of a board that is a table, at most on average."""
BUTTON_BYTES, LINK_BYTES = 340, 240
"""Bytes of a button for a move, and of a mere link, at most on average."""
MOST_LINKS = 64
FEW_BOARDS = 6
"""Boards whose pieces are also listed."""
LINES_OF_MOVES = 6
"""Lines of legal moves that the text lists for one match."""
_HEADING = re.compile(r"\b(match\s+\d+)\s*:", re.IGNORECASE)


@dataclass(frozen=True)
class DigestPart:
    """A match in a digest."""

    view: MatchView
    boards: int = 1
    """Number of boards in the digest."""
    said: Sequence[str] = ()
    """Sentences about events."""
    notes: Sequence[WaitingNote] = ()
    notes_left: int = 0
    """Number of notes that are too long for a digest and wait."""
    lapsed: Sequence[LapsedPlan] = ()
    """Plans of the reader that have ended without their doing."""

    @property
    def heading(self) -> Figure:
        """The line by which an answer's parts are found, the same in every language."""
        view = self.view
        others = ", ".join(view.names[each] for each in view.match.others(view.you.id))
        line = f"Match {view.match.id}: {view.game.info.title}, {others}"
        text = textwrap.shorten(line, WIDTH, placeholder=" ...")
        return Figure(text, lambda _: element("h2", MATCH_HEADING, escape(line, quote=False)))

    @property
    def sentences(self) -> list[str]:
        """The sentences, none of which looks like the heading of a match, wherever it breaks."""
        return [_HEADING.sub(r"\1,", each) for each in self.said]

    @property
    def board(self) -> Figure:
        """The board without a legend, and in HTML the links below it."""
        lists = paint_lists(self.view.captions) if self._has_lists else ""
        return Figure(f"{self._drawn}\n\n{lists}".rstrip(), self._html, has_taps=True)

    @cached_property
    def _drawn(self) -> str:
        return paint_board(self.view.board_diagram)

    @property
    def _has_lists(self) -> bool:
        """Whether there is room for lists of what the board shows."""
        return self.boards <= FEW_BOARDS

    @property
    def example(self) -> str:
        """A legal action."""
        return self.moves[0] if self.moves else self.view.example

    @property
    def listed(self) -> str:
        """The legal moves, if they are few and short enough for the text."""
        said = columns(self.moves, gap=2)
        return said if said.count("\n") < LINES_OF_MOVES else ""

    @cached_property
    def moves(self) -> Sequence[str]:
        """The legal moves, none if the digest has no room for links to all of them."""
        view, most = self.view, min(MOST_LINKS, self._room // LINK_BYTES)
        if not view.your_turn:
            return ()
        some = list(islice(view.game.legal_actions(view.match.position), most + 1))
        if len(some) > most:
            return ()
        return [view.game.format(view.match.position, each) for each in some]

    @property
    def _room(self) -> int:
        """Bytes of HTML for the board and the links."""
        notes = sum(len(line) + 20 for each in self.notes for line in (each.author, *each.lines))
        words = WORDS_BYTES + notes + sum(map(len, self.said))
        return max(MOST_BYTES // max(self.boards, 1) - words, 0)

    def _html(self, page: Page) -> str:
        table = CELL_BYTES * len(self.view.board_diagram.cells)
        as_table = page.board != "ascii" and 4 * table <= 3 * self._room
        drawn = "" if as_table else self._drawn
        shown = in_digest(self.view.captions, drawn, lists=self._has_lists)
        if page.reply is None:
            return shown
        parts = (shown, self._links(page.reply, self._room - len(shown)))
        below = buttons(self._commands(page.reply), look=QUIET)
        return "\n".join(filter(None, (*parts, below)))

    def _links(self, reply: ReplyTo, room: int) -> str:
        """Return the links to all moves: as buttons, as mere links, or none if there is no room."""
        if len(self.moves) * BUTTON_BYTES <= room:
            links = [Tap(each, self._sent(reply, each)) for each in self.moves]
            return buttons(links, look=BUTTON) if links else ""
        # An answer with a shorter subject works too.
        shorter = reply._replace(subject=f"{reply.subject.partition(']')[0]}]")
        links = [Tap(each, self._sent(shorter, each)) for each in self.moves]
        said = close_links(links)
        return said if len(said) <= room else ""

    def _commands(self, reply: ReplyTo) -> Iterator[Tap]:
        view, words = self.view, self.view.words
        yield Tap(words.text(phrase("command.whole")), mailto(*reply, f"match {view.match.id}"))
        for offer in view.open.offers:
            for each in (str(offer), f"no {offer}"):
                yield tap(words, reply, each, self._block(each))
        pause = view.pending.pause
        if pause is not None and view.open.pause:
            for each in (pause.answer, "no pause"):
                yield tap(words, reply, each, self._block(each))

    def _block(self, text: str) -> str:
        return in_block(self.view.match.id, text)

    def _sent(self, reply: ReplyTo, text: str) -> str:
        return mailto(*reply, self._block(text))


@dataclass(frozen=True)
class Digest(Mail):
    """News of several matches. Its reader chose to get one email a day."""

    urgency = Urgency.PLAY

    yours: Sequence[DigestPart]
    """Matches that wait for the reader and have news, by time left."""
    still: Sequence[TurnDue] = ()
    """Matches that wait for the reader as in an earlier digest, by time left."""
    others: Sequence[DigestPart] = ()
    """Running matches with news that do not wait for the reader."""
    finished: Sequence[DigestPart] = ()
    watched: Sequence[Watched] = ()
    """Matches of others that the reader watches, with news."""
    """Matches that have ended."""
