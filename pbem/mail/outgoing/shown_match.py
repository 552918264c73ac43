"""A match as somebody sees it who has asked for it by its number, whether or not they play it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from pbem.games.api import Seat
from pbem.games.diagram import Captions, Diagram
from pbem.games.phrases import Words
from pbem.games.plain import paint_all
from pbem.mail.outgoing.match_view import Ended
from pbem.mail.outgoing.pending import Pending
from pbem.mail.outgoing.time_view import DueTime, TimeView
from pbem.mail.outgoing.typeset.board import apart
from pbem.mail.outgoing.typeset.page import Figure, Page
from pbem.matches.match import MatchSummary, PlayerId, termination_words


@dataclass(frozen=True)
class ShownMatch:
    """What a template may say of it; everything in it may be read by its reader."""

    match: MatchSummary
    names: Mapping[PlayerId, str]
    """As the reader may know them."""
    drawn: Diagram
    """The board as data."""
    words: Words
    due: DueTime | None = None
    """When the flag falls of who is to act; for players alone."""
    time: TimeView | None = None
    """The clocks; for players alone."""
    pending: Pending = field(default_factory=Pending)
    delayed: int = 0
    """By how many turns it is behind what is being played."""

    @property
    def title(self) -> str:
        """Of its game."""
        return self.match.game.info.title

    @property
    def seat_names(self) -> Mapping[Seat, str]:
        """Name by seat."""
        return {seat: self.names[player] for seat, player in self.match.seats.items()}

    @property
    def seats(self) -> Sequence[tuple[str, str]]:
        """Seats with their sides, and who has each."""
        titles = self.match.game.info.seat_titles
        return [
            (self.words.text(titles.get(seat, seat)), name)
            for seat, name in self.seat_names.items()
        ]

    @property
    def to_act(self) -> str:
        """Name of who is; empty after the end."""
        seat = self.match.to_act
        return "" if seat is None else self.seat_names[seat]

    @cached_property
    def result(self) -> Ended | None:
        """Who won, and why it ended."""
        if self.match.result is None:
            return None
        result = self.match.result
        won = dict.fromkeys(self.seat_names[seat] for seat in result.winners)
        return Ended(list(won), termination_words(self.match, self.words), drawn=result.drawn)

    @property
    def diagram(self) -> Figure:
        """The board and the lists below it; nothing on it can be tapped."""
        captions = Captions(self.drawn, self.seat_names, self.words)
        return Figure(paint_all(captions), partial(self._board, captions))

    @staticmethod
    def _board(captions: Captions, page: Page) -> str:
        # A picture would be a part of the mail, which has but the one of the match it is about.
        shown = "html" if page.board == "picture" else page.board
        return apart(captions, replace(page, board=shown, taps=None))
