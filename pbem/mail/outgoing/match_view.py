"""Match view: the data of a match that templates show to one player, and its history line."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from itertools import islice
from typing import NamedTuple

from pbem.games.api import Action, AnyGame, Seat
from pbem.games.diagram import Captions, Diagram, Trail
from pbem.games.phrases import Phrase, Words
from pbem.games.text_diagram import paint_all
from pbem.mail.outgoing.competition_tables import signed
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.pending import Open, Pending, open_to, pending
from pbem.mail.outgoing.time_view import DueTime, TimeView, WidePause, due, time_view
from pbem.mail.outgoing.typeset.board import board
from pbem.mail.outgoing.typeset.page import Figure
from pbem.mail.outgoing.typeset.tables import in_columns
from pbem.matches.match import (
    OWN_RESIGNATION,
    RESIGNATION,
    Match,
    MatchOptions,
    MatchSummary,
    Player,
    PlayerId,
    termination_words,
)
from pbem.matches.offer_terms import is_begun_whole
from pbem.matches.ratings import Rating
from pbem.matches.record import short
from pbem.matches.score import TurnLine
from pbem.matches.time_control import FLAG
from pbem.painters.svg import alt, svg

MOST_COUNTED = 500
"""Legal actions are counted up to this number."""
MOST_LISTED = 12
"""Maximum number of legal actions that an email lists without being asked."""
MOST_LINES = 3


class Counted(NamedTuple):
    """A number, or a lower bound if there are more."""

    number: int
    more: bool


class Agreed(NamedTuple):
    """An option of the game as agreed for a match."""

    key: str
    value: int
    switch: bool
    help: Phrase
    usual: int = 0
    """The default value."""
    said: str = ""
    """The value as text."""


def agreed(game: AnyGame, options: MatchOptions) -> list[Agreed]:
    """Return the options of a game as agreed."""
    values = {own.key: options.game.get(own.key, own.default) for own in game.info.options}
    return [
        Agreed(
            own.key,
            values[own.key],
            own.switch,
            own.help,
            own.default,
            own.format(values[own.key]),
        )
        for own in game.info.options
    ]


class Ended(NamedTuple):
    """The end of a match."""

    winners: Sequence[str]
    """Names of the winners, or of players who share a draw that excludes others. Otherwise none."""
    why: str
    counts: bool = True
    drawn: bool = False
    """Whether the named players share a draw."""


class OwnResult(NamedTuple):
    """Result of a match for one player."""

    outcome: str
    """`won`, `drew`, `lost`, or if the match does not count, `cancelled`, `void` or `abandoned`."""
    partners: Sequence[str]
    """Names of those who won, drew or lost together with the player."""
    others: Sequence[str]
    """Names of those against whom the player won or drew, or who won."""
    why: str
    """Reason why the match ended."""


class PlayerScore(NamedTuple):
    """The score of a player."""

    name: str
    you: bool
    """Whether it is the reader's."""
    score: str


@dataclass(frozen=True)
class MatchView:
    """The data of a match for a template, for one player."""

    match: Match
    you: Player
    names: Mapping[PlayerId, str]
    now: datetime
    words: Words
    """The player's language."""
    since: Sequence[TurnLine] = ()
    """Turns since the player's last one."""
    with_own: bool = False
    """Whether these begin with that turn."""
    trails: Sequence[Trail] = ()
    """The last turn of each player, for the board."""
    due_at: datetime | None = None
    competition: CompetitionView | None = None
    """The competition of the match."""
    mails: str = ""
    """Emails that the player gets about it: `turn`, `all` or `digest`."""
    bots: Collection[PlayerId] = ()
    """Players that are bots, and have no clock."""
    former: Collection[PlayerId] = ()
    """Players who have left the club."""
    wide_pauses: Sequence[WidePause] = ()
    """Pauses of its competition or the club."""
    watching: int = 0
    """Number of members who watch it."""
    ratings: Mapping[PlayerId, Rating] = field(default_factory=dict)
    """Ratings that the player sees, by player."""
    banned: DueTime | None = None
    """Until when the player may start nothing new, if they have just lost on time."""

    @property
    def rated_names(self) -> list[str]:
        """Everybody who has a rating, with it."""
        return [f"{self.names[each]} {rating}" for each, rating in self.ratings.items()]

    @property
    def hides_names(self) -> bool:
        """Whether it is a blind match that has not ended."""
        return self.match.hides_names

    @property
    def rematch(self) -> bool:
        """Whether the player can ask for a rematch now."""
        part = self.competition
        goes_on = part is not None and is_begun_whole(part.of.kind) and not part.standing.over
        if self.match.result is None or self.former or self.banned:
            return False
        return not goes_on and not self.replayed

    @property
    def replayed(self) -> bool:
        """Whether the match was cancelled in a competition, which replays it."""
        return self.match.former_place is not None

    @property
    def game(self) -> AnyGame:
        """Rules of the match."""
        return self.match.game

    @cached_property
    def seat(self) -> Seat:
        """The seat the email is about."""
        return self.match.seat_for(self.you.id)

    @property
    def seat_title(self) -> str:
        """The seat with its side."""
        return self.title_of(self.seat)

    def title_of(self, seat: Seat) -> str:
        """Return a seat with its side, such as `N (White)`."""
        return self.words.text(self.game.info.seat_titles.get(seat, seat))

    @property
    def seats(self) -> list[str]:
        """All seats of the player, for `you are …`."""
        return [self.title_of(seat) for seat in self.match.seats_of(self.you.id)]

    @property
    def your_turn(self) -> bool:
        """Whether it is the player's turn."""
        return self.match.player_to_act == self.you.id

    @property
    def open_turn(self) -> bool:
        """Whether the player is in the middle of a turn that they may continue or end."""
        return self.your_turn and self.game.closing(self.match.position) is not None

    @property
    def to_act(self) -> str:
        """The player to move with their seat, such as `Anna (W, Black)`."""
        seat = self.match.to_act
        if seat is None:
            return ""
        if self.hides_names and self.match.seats[seat] != self.you.id:
            return self.title_of(seat)
        side = self.title_of(seat).replace(" (", ", ").rstrip(")")
        return f"{self.names[self.match.seats[seat]]} ({side})"

    @cached_property
    def seat_names(self) -> dict[Seat, str]:
        """Names of the players by seat, none in a blind match."""
        if self.hides_names:
            return {}
        return {seat: self.names[player] for seat, player in self.match.seats.items()}

    @cached_property
    def board_diagram(self) -> Diagram:
        """The board as data, with the player's first seat at the bottom."""
        diagram = self.game.diagram(self.match.position, self.own_seats[0])
        return diagram.marked(self.trails)

    @cached_property
    def captions(self) -> Captions:
        """The captions below the board."""
        return Captions(self.board_diagram, self.seat_names, self.words)

    @property
    def diagram(self) -> Figure:
        """The board with the lists by seat and the legend."""
        text = paint_all(self.captions)
        html = partial(board, self.captions, self.alt, lambda: self.picture)
        return Figure(text, html, is_board=True, has_taps=True)

    @cached_property
    def picture(self) -> str:
        """The board as SVG."""
        return svg(self.board_diagram, self.alt, words=self.words)

    @property
    def alt(self) -> str:
        """Description of the board for people who cannot see it."""
        match = self.match
        return alt(self.board_diagram, match.id, match.turn, self.own_seats[0], words=self.words)

    @cached_property
    def own_seats(self) -> Sequence[Seat]:
        """The player's seats. The first is at the bottom."""
        return self.match.seats_of(self.you.id)

    @cached_property
    def due(self) -> DueTime | None:
        """The deadline, None if it has passed, the clock is paused or there is none."""
        if self.due_at is None or self.due_at <= self.now:
            return None
        return due(self.due_at, self.you.time_zone, self.now)

    @cached_property
    def time(self) -> TimeView:
        """Everyone's time, and periods when clocks are paused."""
        match, you, wide = self.match, self.you, self.wide_pauses
        gone = () if match.result is not None else filter(match.has_resigned, match.players)
        return time_view(match, you, self.names, self.now, without={*self.bots, *gone}, wide=wide)

    @property
    def grace_until(self) -> DueTime | None:
        """When the grace ends, None unless the player has run out of time."""
        ends = self.match.clock.over_at
        if not self.is_out_of_time or ends is None or ends <= self.now:
            return None
        return due(ends, self.you.time_zone, self.now)

    @property
    def is_out_of_time(self) -> bool:
        """Whether the player to move has run out of time, even if no sweep has reported it yet."""
        clock = self.match.clock
        return FLAG in clock.seen or (clock.flag_at is not None and clock.flag_at <= self.now)

    @property
    def is_late(self) -> bool:
        """Whether the player to move has run out of time, with no grace left."""
        return self.is_out_of_time and self.grace_until is None

    @cached_property
    def actions(self) -> Sequence[Action]:
        """Legal actions in the game's order, at most as many as anyone would read."""
        return list(islice(self.game.legal_actions(self.match.position), MOST_COUNTED))

    @property
    def legal(self) -> Counted:
        """Number of legal actions."""
        count = len(self.actions)
        return Counted(count, count == MOST_COUNTED)

    @property
    def example(self) -> str:
        """A legal action, a different one each turn."""
        some = self.actions
        if len(some) > 1 and self.open_turn:
            some = some[:-1]  # ending the turn is mentioned separately
        return self.game.format(self.match.position, some[self.match.turn % len(some)])

    @property
    def since_text(self) -> Figure:
        """Turns since the player's last one, several on a line."""
        return in_columns([str(line) for line in self.since])

    @cached_property
    def pending(self) -> Pending:
        """An open draw offer, pause or resignation, and who may answer it."""
        return pending(self.match, self.names, self.you.id, self.now)

    @cached_property
    def open(self) -> Open:
        """Requests that the player may answer when it is not their turn."""
        return open_to(self.match, self.names, self.you.id, self.now)

    @property
    def begins(self) -> bool:
        """Whether nothing has been played yet."""
        return self.match.actions == 0 and self.match.result is None

    @property
    def options(self) -> list[Agreed]:
        """The options of the game as agreed."""
        return agreed(self.game, self.match.options)

    @property
    def few(self) -> Figure | None:
        """The legal actions if they are few and short, otherwise None."""
        if len(self.actions) > MOST_LISTED:
            return None
        texts = [self.game.format(self.match.position, each) for each in self.actions]
        listed = in_columns(texts, gap=2)
        return listed if len(listed.text.splitlines()) <= MOST_LINES else None

    @property
    def result(self) -> Ended | None:
        """Winners, and why the match ended."""
        result = self.match.result
        if result is None:
            return None
        winners = dict.fromkeys(self.names[self.match.seats[seat]] for seat in result.winners)
        why = termination_words(self.match, self.words)
        return Ended(list(winners), why, self.match.counts, result.drawn)

    @property
    def own_result(self) -> OwnResult | None:
        """Result of the match for the player, None before the end."""
        match, result = self.match, self.match.result
        if result is None:
            return None
        own = set(match.side_of(self.you.id))
        winners = {match.seats[seat] for seat in result.winners}
        if not match.counts:
            outcome, others = result.termination, set(match.players) - {self.you.id}
            own = {self.you.id}
        elif not winners:
            outcome, others = "drew", set(match.players) - own
        elif not winners & own:
            outcome, others = "lost", winners
        else:
            outcome = "drew" if result.drawn else "won"
            others = winners - own if result.drawn else set(match.players) - own
        resigned = outcome == "lost" and result.termination == RESIGNATION
        why = self.words.text(OWN_RESIGNATION) if resigned else termination_words(match, self.words)
        return OwnResult(outcome, self._named(own - {self.you.id}), self._named(others), why)

    def _named(self, players: Collection[PlayerId]) -> list[str]:
        return [self.names[each] for each in self.match.players if each in players]

    @property
    def scores(self) -> Sequence[PlayerScore]:
        """Scores by player, with a sign if one is below zero. Empty before the end."""
        match, result = self.match, self.match.result
        if result is None:
            return ()
        write = signed if min(result.scores.values()) < 0 else str
        return [
            PlayerScore(self.names[player], player == self.you.id, write(result.scores[seats[0]]))
            for player, seats in ((each, match.seats_of(each)) for each in match.players)
        ]

    @property
    def history_line(self) -> str:
        """The state of the history, for readers to compare with the archive later."""
        return history_line(self.match)


_LINE = re.compile(
    r"History of match (\d{1,9}), entry (\d{1,9}): ([a-z2-7]{4}(?:-[a-z2-7]{4}){3})\.", re.ASCII
)


class HistoryLine(NamedTuple):
    """The contents of a history line."""

    match_id: int
    entry: int
    """Number of entries in the history, 0 before the first."""
    head: str
    """The hash as shown to people."""


def history_line(match: MatchSummary) -> str:
    """Return the history line of a match, empty if its history has no hash."""
    if not match.head:
        return ""
    # The full stop separates it from any text typed just below.
    return f"History of match {match.id}, entry {match.entries}: {short(match.head)}."


def read_history_line(text: str) -> HistoryLine | None:
    """Parse the last history line in a text, None if there is none."""
    for line in reversed(text.splitlines()):
        if found := _LINE.fullmatch(line.rstrip()):
            return HistoryLine(int(found[1]), int(found[2]), found[3])
    return None
