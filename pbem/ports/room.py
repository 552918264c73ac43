"""Ports for the archive and the reading room: public matches, notes, stale pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Protocol

from pbem.archive.site.values import MemberResults, MonthCount, Note
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.statistics import PlayedMatch, Results


class PageKind(StrEnum):
    """Subjects of pages, in the order of writing.

    A page can only make pages of later kinds stale.
    """

    PERSON = "person"
    """No page: a player's name and visibility on all pages that name them. The key is theirs."""
    MATCH = "match"
    TURN = "turn"
    """The pages of a match in which only turns have changed. The key is the match's."""
    COMPETITION = "competition"
    MEMBER = "member"
    GAME = "game"
    IMPORTED_MATCH = "imported match"
    """A match of another club. The key is its number among the imported ones."""
    IMPORTED_CLUB = "imported club"
    """The list of the matches of another club. The key is the club's name."""
    MONTH = "month"
    """The key is `2026-11`."""
    RUNNING = "running"
    COMPETITIONS = "competitions"
    MEMBERS = "members"
    CLUB = "club"
    FEED = "feed"
    """No page: the calendar feed of a member. The key is the member's."""


@dataclass(frozen=True)
class StalePage:
    """A page that must be written again."""

    kind: PageKind
    key: str
    """Number or name of its subject. Empty if there is only one page of the kind."""
    marks: tuple[int, ...] = ()
    """Ids of its marks, one per change since it was written."""


class StalePages(Protocol):
    """Pages that must be written again. Changes of matches, competitions and players mark them."""

    def mark(self, kind: PageKind, keys: Iterable[object] = ("",)) -> None:
        """Mark pages as stale. Idempotent."""

    def mark_all(self) -> None:
        """Mark the pages of all matches, competitions, players and imported matches as stale."""

    def mark_where_named(self, player: PlayerId) -> None:
        """Mark the pages of a player's matches, competitions and rated imports as stale."""

    def kinds(self) -> list[PageKind]:
        """Return the kinds with stale pages, in the order of writing."""

    def waiting(self, kind: PageKind, most: int) -> list[StalePage]:
        """Return the first `most` stale pages of a kind, each with all its marks."""

    def settle(self, pages: Iterable[StalePage]) -> None:
        """Delete the marks of written pages. A page marked since then stays stale."""


@dataclass(frozen=True)
class Choices:
    """The settings under which a match is public."""

    running: AbstractSet[str]
    ended: AbstractSet[str]

    def show(self, match: MatchSummary) -> bool:
        """Return whether a match is public."""
        return match.public in (self.running if match.result is None else self.ended)


class ShownMatches(Protocol):
    """Public matches, as lists and tables need them."""

    def running(
        self, which: Choices, most: int | None = None, game_key: str | None = None
    ) -> list[MatchSummary]:
        """Return those being played, newest first, of one game or of all."""

    def ended(self, which: Choices, most: int, game_key: str | None = None) -> list[MatchSummary]:
        """Return those that ended last, newest first."""

    def ended_between(
        self, which: Choices, since: datetime, before: datetime
    ) -> list[MatchSummary]:
        """Return those that ended in an interval, in order."""

    def of_player(self, which: Choices, player: PlayerId, most: int) -> list[MatchSummary]:
        """Return a player's matches, newest first.

        All being played, then the last `most` ended ones.
        """

    def running_count(self, which: Choices, game_key: str | None = None) -> int:
        """Count those being played."""

    def months(self, which: Choices) -> list[MonthCount]:
        """Count those that ended in each month (UTC), in order."""

    def results(self, which: Choices, game_key: str) -> list[Results]:
        """Return the results of a game by number of players."""

    def results_of(self, which: Choices, player: PlayerId) -> list[MemberResults]:
        """Return a player's results by game."""

    def played(
        self, which: Choices, player: PlayerId, game_key: str | None = None
    ) -> list[PlayedMatch]:
        """Return a player's ended matches that count, as they saw them, in order.

        A match counts for whoever held the seat at the end.
        """

    def longest(self, which: Choices, game_key: str, most: int) -> list[MatchSummary]:
        """Return the ended matches of a game with the most turns, the longest first."""

    def ended_early(self, since: datetime) -> list[MatchSummary]:
        """Return all matches of two that ended since a moment before their fourth round.

        Shown or not, for directors.
        """

    def players(self, which: Choices) -> set[PlayerId]:
        """Return everyone who plays in one."""

    def competitions(self, which: Choices) -> set[int]:
        """Return every competition with a public match."""


class WatchKind(StrEnum):
    """What a member can watch."""

    MATCH = "match"
    MEMBER = "member"
    """All matches of a member that show them."""
    GAME = "game"
    """All matches of a game."""


class Watch(NamedTuple):
    """Something that a member watches."""

    player: PlayerId
    kind: WatchKind
    what: str
    """The number of the match or member, or the key of the game."""
    since: datetime


class Watched(NamedTuple):
    """What a watcher knows of a match about which there may be news."""

    player: PlayerId
    match_id: int
    turn: int
    """The last turn that they know. 0 before the first news."""
    over: bool
    """Whether they know that it has ended."""


class Watches(Protocol):
    """What members watch, and what they know of it."""

    def add(self, watch: Watch) -> None:
        """Store a watch, unless there is one. Raises StorageError if the player is not stored."""

    def remove(self, player: PlayerId, kind: WatchKind, what: str) -> None:
        """Delete a watch if there is one."""

    def of(self, player: PlayerId) -> list[Watch]:
        """Return what a player watches, oldest first."""

    def on(self, match: MatchSummary) -> list[Watch]:
        """Return the watches of a match, its game and its players, oldest first."""

    def stir(self, match: MatchSummary, at: datetime) -> int:
        """Note for all watchers of a match that there may be news. Return their number."""

    def stirred(self, most: int, after: tuple[int, PlayerId] = (0, 0)) -> list[Watched]:
        """Return the first watchers with news, by match and player, after one of them."""

    def stirred_for(self, player: PlayerId) -> list[Watched]:
        """Return the matches with news for a player, in order."""

    def stirred_since(self) -> Mapping[PlayerId, datetime]:
        """Return when the oldest news came that each watcher does not know."""

    def take(self, watched: Watched) -> bool:
        """Note that there is no more news. Return False if somebody else did so before."""

    def told(self, watched: Watched) -> None:
        """Store what a watcher knows. Raises StorageError if match or player are not stored."""


class Announced(NamedTuple):
    """What the club's webhook knows of a match whose page has changed."""

    match_id: int
    turn: int
    """The turn that it knows. 0 before the first event."""
    over: bool
    """Whether it knows that the match has ended."""
    marks: int
    """Number of changes since then."""
    since: datetime
    """When the first of them was."""


class Announcements(Protocol):
    """What the club's webhook knows of public matches."""

    def stir(self, match_id: int, at: datetime) -> None:
        """Note that the page of a match has changed."""

    def waiting(self, most: int, after: int = 0) -> list[Announced]:
        """Return the first matches with changes, by number, after one of them."""

    def known(self, match_id: int, turn: int, *, over: bool) -> None:
        """Store what the webhook knows of a match."""

    def settle(self, announced: Announced) -> None:
        """Note that all these changes are known, unless there are further ones."""


class WaitingNotes(Protocol):
    """Notes not yet emailed to readers who asked for fewer emails."""

    def add(self, match_id: int, reader: PlayerId, note: Note) -> None:
        """Store a note for a reader.

        Raises StorageError if the match or either player is unknown.
        """

    def of(self, match_id: int) -> Mapping[PlayerId, Sequence[Note]]:
        """Return a match's waiting notes for each reader, in order."""

    def matches_of(self, reader: PlayerId) -> set[int]:
        """Return the matches in which notes wait for a reader."""

    def told(self, match_id: int, reader: PlayerId, held: Collection[PlayerId] = ()) -> None:
        """Delete a reader's waiting notes, except those of the authors `held`."""

    def take_back(self, match_id: int, note: Note) -> None:
        """Delete a note that waits, for all readers."""


class Notes(Protocol):
    """Everything that players said in matches."""

    def add(self, match_id: int, note: Note) -> None:
        """Store a note. Raises StorageError if the match or the author is not stored."""

    def of(self, match_id: int) -> Sequence[Note]:
        """Return the public notes of a match in the order of writing."""

    def by(
        self, author: PlayerId, match_id: int | None = None, since: datetime | None = None
    ) -> Sequence[Note]:
        """Return what a player said in one match or in all, in order, with what they took back.

        With `since`, only what they said after that moment.
        """

    def take_back(self, note: Note) -> None:
        """Delete the text of a stored note. That it was written stays known."""

    def publish(self, note: Note) -> None:
        """Make a stored note public."""


class ArchiveStore(Protocol):
    """Storage of records and pages. Names may contain folders: `matches/12.html`."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file atomically, replacing an existing one."""

    def write_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Write files in order, each atomically."""

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, None if there is none."""

    def remove(self, name: str) -> None:
        """Delete a file if it exists."""

    def names(self, beginning: str = "") -> list[str]:
        """Return the sorted names of all files that begin with a text."""

    def alone(self) -> AbstractContextManager[bool]:
        """Hold the write lock for a block. Gives False if another process holds it."""
