"""What the pages of the reading room are made of: what may be public, and nothing else.

Whoever makes these values has left out what members and matches do not show: a hidden member's
name, a private match, a note that is not public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from pbem.matches.competition import Competition, Standing
from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.offer import Offer
from pbem.matches.record import Record


@dataclass(frozen=True)
class Site:
    """What is the same on all pages."""

    club: str
    """Name of the club."""
    address: str
    """Where mail goes; empty if it is not shown."""
    url: str = ""
    """Where the site can be read, ending in a slash; empty if nobody has said so."""
    join: str = ""
    """Link that opens a mail by which a reader joins; empty where nobody joins by mail alone."""


@dataclass(frozen=True)
class Person:
    """A member as others may know them."""

    id: PlayerId
    """Not to be shown of those who are hidden: it stays the same from match to match."""
    name: str
    """Theirs, or what stands in its place; different for each player of a match."""
    page: bool
    """Whether they have a page of their own."""
    bot: bool = False
    hidden: bool = False
    """Whether another name stands in the place of theirs."""


@dataclass(frozen=True)
class Note:
    """What a player wrote beside a turn, for everybody to read."""

    turn: int
    author: PlayerId
    text: str
    at: datetime


@dataclass(frozen=True)
class FeedEntry:
    """A match as lists show it."""

    match: MatchSummary
    people: Mapping[PlayerId, Person]
    competition: Competition | None = None


@dataclass(frozen=True)
class MatchPage:
    """A match to be read and replayed: up to now, or up to its delay."""

    entry: FeedEntry
    actions: Sequence[RecordedAction]
    happenings: Sequence[Happening] = ()
    notes: Sequence[Note] = ()
    delayed: int = 0
    """Turns by which it is behind what is being played; `entry` is of that turn, too."""
    record: Record | None = None
    """What the text and the JSON beside the page hold, with the names that may be shown; None where
    there can be none."""


@dataclass(frozen=True)
class CompetitionPage:
    """A set, series or tournament with its matches and cross-table."""

    competition: Competition
    standing: Standing
    entries: Sequence[FeedEntry]
    people: Mapping[PlayerId, Person]


@dataclass(frozen=True)
class MemberResults:
    """How a member has fared at a game, against people or computers: ended matches only."""

    game_key: str
    matches: Fraction | int
    """Of one in which others held their seat too, only their share, where that was agreed."""
    won: Fraction | int
    """A win that several players share counts for each."""
    drawn: Fraction | int
    computers: bool = False
    """Whether these are the matches that began with a computer among the others."""


@dataclass(frozen=True)
class MemberPage:
    """A member with their matches, those being played first, then the newest."""

    person: Person
    entries: Sequence[FeedEntry]
    """All that are being played, and of the ended ones the newest hundred or so."""
    ended_count: int = 0
    """How many have ended, whether or not `entries` has them."""
    results: Sequence[MemberResults] = ()
    """By game they have ended a match of; those against computers follow those against people."""


@dataclass(frozen=True)
class Results:
    """How the ended matches of a game with so many players went."""

    players: int
    matches: int
    drawn: int
    won: Mapping[str, int]
    """Matches won by seat; a shared win counts for each."""
    lengths: Mapping[int, int]
    """How many matches took so many turns."""
    terminations: Mapping[str, int]
    computers: bool = False
    """Whether these are the matches that began with a computer among the players."""


@dataclass(frozen=True)
class GamePage:
    """A game: its rules, and what was played."""

    game_key: str
    running: int
    results: Sequence[Results]
    """By number of players; those with computers follow those among people."""
    newest: Sequence[FeedEntry]


@dataclass(frozen=True)
class CalendarPage:
    """The matches that ended in a month (UTC)."""

    year: int
    month: int
    entries: Sequence[FeedEntry]


@dataclass(frozen=True)
class MonthCount:
    """How many matches ended in a month."""

    year: int
    month: int
    matches: int


@dataclass(frozen=True)
class OpenTable:
    """A table with a seat for anybody."""

    offer: Offer
    people: Mapping[PlayerId, Person]


@dataclass(frozen=True)
class ClubPage:
    """The first page: what is being played, what has just ended, what one can play."""

    running: Sequence[FeedEntry]
    """The newest of them; twenty are enough."""
    running_count: int
    ended: Sequence[FeedEntry]
    """The newest; twenty are enough."""
    ended_count: int
    competitions: Sequence[Competition]
    """The newest; ten are enough."""
    months: Sequence[MonthCount]
    """Every month in which a match ended, in order."""
    waiting: Sequence[OpenTable] = ()
    """Who waits for opponents, the oldest first."""
