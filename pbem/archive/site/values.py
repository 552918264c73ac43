"""Values for the pages of the reading room. They hold public content only.

Whoever creates them leaves out what members and matches do not show: a hidden member's name, a
private match, a note that is not public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from pbem.matches.competition import Competition
from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.offer import Offer
from pbem.matches.overview import Overview
from pbem.matches.ratings import Rating, RatingList
from pbem.matches.record import Record
from pbem.matches.reliability import Reliability
from pbem.matches.statistics import Results, Statistics, Tally


@dataclass(frozen=True)
class Site:
    """Values that all pages share."""

    club: str
    """Name of the club."""
    address: str
    """Address for emails. Empty if it is not shown."""
    url: str = ""
    """Address of the site, ending in a slash. Empty if not configured."""
    join: str = ""
    """Link that opens an email with which a reader joins. Empty if that is not possible."""


@dataclass(frozen=True)
class Person:
    """A member as others may see them."""

    id: PlayerId
    """Never show it for hidden members: it stays the same from match to match."""
    name: str
    """Their name, or its replacement. Different for each player of a match."""
    page: bool
    """Whether they have a page."""
    bot: bool = False
    hidden: bool = False
    """Whether another name replaces theirs."""


class NoteKind(StrEnum):
    """How a player said something."""

    NOTE = "note"
    """Beside a turn."""
    SAY = "say"
    """To the table."""
    TELL = "tell"
    """To one player. Nobody else ever reads it."""
    MEMO = "memo"
    """To themselves, until they publish it."""
    PLAN = "plan"
    """A plan, published after the match."""


@dataclass(frozen=True)
class Note:
    """What a player said in a turn."""

    turn: int
    author: PlayerId
    text: str
    """Empty if its author took it back."""
    at: datetime
    kind: NoteKind = NoteKind.NOTE
    public: bool = True
    """Whether its author lets everybody read it."""
    id: int = field(default=0, compare=False)
    """Its number in the storage."""


class Origin(NamedTuple):
    """Where an imported match was played."""

    club: str
    number: int
    """Number of the match there."""


@dataclass(frozen=True)
class FeedEntry:
    """A match in a list."""

    match: MatchSummary
    people: Mapping[PlayerId, Person]
    competition: Competition | None = None
    origin: Origin | None = None
    """The other club, if the match is imported."""

    @property
    def number(self) -> int:
        """Return the number of the match in its club."""
        return self.origin.number if self.origin else self.match.id


@dataclass(frozen=True)
class MatchPage:
    """A match to read and replay, up to now or up to its delay."""

    entry: FeedEntry
    actions: Sequence[RecordedAction]
    happenings: Sequence[Happening] = ()
    notes: Sequence[Note] = ()
    delayed: int = 0
    """Number of turns by which it lags. `entry` is from that earlier turn too."""
    record: Record | None = None
    """Content of the record files, with public names only. None if there are none."""


@dataclass(frozen=True)
class CompetitionPage:
    """A competition with its matches and tables."""

    overview: Overview
    entries: Sequence[FeedEntry]
    people: Mapping[PlayerId, Person]
    chapters: Sequence[MatchPage] | None = None
    """The matches of its book. None as long as it is played."""


@dataclass(frozen=True)
class MemberResults:
    """A member's results in a game, against people or bots. Ended matches only."""

    game_key: str
    matches: Fraction | int
    """If splitting was agreed, a match counts by the share of it that the member played."""
    won: Fraction | int
    """A win shared by several players counts for each of them."""
    drawn: Fraction | int
    computers: bool = False
    """Whether these are the matches that started with a bot among the others."""


@dataclass(frozen=True)
class MonthRating:
    """A member's rating after their last match in a month (UTC)."""

    year: int
    month: int
    rating: Rating

    @property
    def index(self) -> int:
        """Number of the month, counted from the year 0."""
        return 12 * self.year + self.month - 1


@dataclass(frozen=True)
class RatingCourse:
    """A member's rating in a list over time."""

    which: RatingList
    months: Sequence[MonthRating]
    """The months with a rated match, in order. At least one."""


@dataclass(frozen=True)
class RatedPerson:
    """A row of a rating list."""

    person: Person
    rating: Rating


@dataclass(frozen=True)
class MemberPage:
    """A member with their matches: current ones first, then the newest."""

    person: Person
    entries: Sequence[FeedEntry]
    """All current matches, and about a hundred of the newest ended ones."""
    ended_count: int = 0
    """Number of ended matches, including those not in `entries`."""
    results: Sequence[MemberResults] = ()
    """Results by game. Those against bots follow those against people."""
    has: Reliability | None = None
    """Their reliability over the last year. None for a bot."""
    statistics: Sequence[Statistics] = ()
    """What their ended matches add up to: among people, then with computers."""
    opponents: Sequence[tuple[Person, Tally]] = ()
    """The most frequent opponents who are not hidden."""
    ratings: Sequence[RatingCourse] = ()
    """Ratings in all games and by game. Those against bots follow those against people."""


@dataclass(frozen=True)
class GamePage:
    """A game: its rules and its matches."""

    game_key: str
    running: int
    results: Sequence[Results]
    """Results by number of players. Results between people come before results with bots."""
    newest: Sequence[FeedEntry]
    longest: Sequence[FeedEntry] = ()
    rated: Sequence[RatedPerson] = ()
    """The rating list, without those who are not shown. The best come first."""


@dataclass(frozen=True)
class CalendarPage:
    """The matches that ended in a month (UTC)."""

    year: int
    month: int
    entries: Sequence[FeedEntry]


@dataclass(frozen=True)
class MonthCount:
    """Number of matches that ended in a month."""

    year: int
    month: int
    matches: int


@dataclass(frozen=True)
class OpenTable:
    """A table with a seat that anyone can take."""

    offer: Offer
    people: Mapping[PlayerId, Person]


@dataclass(frozen=True)
class ClubPage:
    """The front page: current matches, recently ended ones, and what to play."""

    running: Sequence[FeedEntry]
    """The newest current matches, up to twenty."""
    running_count: int
    ended: Sequence[FeedEntry]
    """The newest ended matches, up to twenty."""
    ended_count: int
    competitions: Sequence[Competition]
    """The newest competitions, up to ten."""
    months: Sequence[MonthCount]
    """Every month in which a match ended, in order."""
    waiting: Sequence[OpenTable] = ()
    """Tables that wait for opponents, oldest first."""
    others: Sequence[str] = ()
    """Other clubs with imported matches, by name."""
