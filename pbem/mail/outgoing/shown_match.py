"""Shown match: a match requested by number, by one of its players or any other reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from pbem.games.api import Seat
from pbem.games.diagram import Captions, Diagram
from pbem.games.phrases import Words
from pbem.games.text_diagram import paint_all
from pbem.mail.outgoing.match_view import Ended
from pbem.mail.outgoing.pending import Pending
from pbem.mail.outgoing.time_view import DueTime, TimeView
from pbem.mail.outgoing.typeset.board import apart
from pbem.mail.outgoing.typeset.page import Figure, Page
from pbem.matches.match import MatchSummary, PlayerId, termination_words


@dataclass(frozen=True)
class ShownMatch:
    """The data of the match for a template. Its reader may see all of it."""

    match: MatchSummary
    names: Mapping[PlayerId, str]
    """Names as the reader may see them."""
    drawn: Diagram
    """The board as data."""
    words: Words
    due: DueTime | None = None
    """Deadline of the player to move, only for players of the match and directors."""
    time: TimeView | None = None
    """The clocks, only for players of the match and directors."""
    pending: Pending = field(default_factory=Pending)
    delayed: int = 0
    """Number of recent turns that the reader may not see yet."""
    watching: int = 0
    """Number of members who watch it, only for its players."""

    @property
    def title(self) -> str:
        """Title of the game."""
        return self.match.game.info.title

    @property
    def seat_names(self) -> Mapping[Seat, str]:
        """Names by seat."""
        return {seat: self.names[player] for seat, player in self.match.seats.items()}

    @property
    def seats(self) -> Sequence[tuple[str, str]]:
        """Seats with their sides, and their players."""
        titles = self.match.game.info.seat_titles
        return [
            (self.words.text(titles.get(seat, seat)), name)
            for seat, name in self.seat_names.items()
        ]

    @property
    def to_act(self) -> str:
        """Name of the player to move, empty after the end."""
        seat = self.match.to_act
        return "" if seat is None else self.seat_names[seat]

    @cached_property
    def result(self) -> Ended | None:
        """Winners, and why the match ended."""
        if self.match.result is None:
            return None
        result = self.match.result
        won = dict.fromkeys(self.seat_names[seat] for seat in result.winners)
        return Ended(list(won), termination_words(self.match, self.words), drawn=result.drawn)

    @property
    def diagram(self) -> Figure:
        """The board with the lists below it, without links."""
        names = {} if self.match.hides_names else self.seat_names
        captions = Captions(self.drawn, names, self.words)
        return board_apart(captions)


def board_apart(captions: Captions) -> Figure:
    """Return a board that the email is not about, without links."""
    return Figure(paint_all(captions), partial(_apart, captions))


def _apart(captions: Captions, page: Page) -> str:
    # An email has only one picture, of the match it is about.
    shown = "letters" if page.board == "picture" else page.board
    return apart(captions, replace(page, board=shown, taps=None))
