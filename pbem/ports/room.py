"""Ports for the archive and the reading room: public matches, notes, stale pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pbem.archive.site.values import MemberResults, MonthCount, Note, Results
from pbem.matches.match import MatchSummary, PlayerId


class PageKind(StrEnum):
    """What a page is about, in the order in which pages are written.

    Some make others stale, and only such as come after them.
    """

    PERSON = "person"
    """No page: what a player shows of themselves, wherever they are named; the key is theirs."""
    MATCH = "match"
    TURN = "turn"
    """The pages of a match of which nothing has changed but its turns; the key is the match's."""
    COMPETITION = "competition"
    MEMBER = "member"
    GAME = "game"
    MONTH = "month"
    """The key is `2026-11`."""
    RUNNING = "running"
    COMPETITIONS = "competitions"
    MEMBERS = "members"
    CLUB = "club"
    FEED = "feed"
    """No page: what a member's calendar program reads; the key is theirs."""


@dataclass(frozen=True)
class StalePage:
    """A page that is not as it should be."""

    kind: PageKind
    key: str
    """Number of what it is about, or its name; empty where there is one of the kind."""
    marks: tuple[int, ...] = ()
    """What says so, one for each change since it was written."""


class StalePages(Protocol):
    """Pages that wait to be written. What changes a match, a competition or a player marks them."""

    def mark(self, kind: PageKind, keys: Iterable[object] = ("",)) -> None:
        """These are stale from now on, whether or not they were."""

    def mark_all(self) -> None:
        """Every match, competition and player."""

    def mark_where_named(self, player: PlayerId) -> None:
        """Every match and competition of a player."""

    def waiting(self, kind: PageKind, most: int) -> list[StalePage]:
        """The first so many of a kind, each with all its marks."""

    def settle(self, pages: Iterable[StalePage]) -> None:
        """Takes away the marks that they had; one that was marked meanwhile stays stale."""


@dataclass(frozen=True)
class Choices:
    """Which matches everybody may read: those of which one of these choices was made."""

    running: AbstractSet[str]
    ended: AbstractSet[str]

    def show(self, match: MatchSummary) -> bool:
        """Whether a match is one of them."""
        return match.public in (self.running if match.result is None else self.ended)


class ShownMatches(Protocol):
    """The matches that everybody may read, as lists and tables need them."""

    def running(
        self, which: Choices, most: int | None = None, game_key: str | None = None
    ) -> list[MatchSummary]:
        """Those being played, the newest first; of one game, if it is named."""

    def ended(self, which: Choices, most: int, game_key: str | None = None) -> list[MatchSummary]:
        """Those that ended last, the newest first."""

    def ended_between(
        self, which: Choices, since: datetime, before: datetime
    ) -> list[MatchSummary]:
        """Those that ended in a span, in order."""

    def of_player(self, which: Choices, player: PlayerId, most: int) -> list[MatchSummary]:
        """All that a player is playing, the newest first, then so many that ended last."""

    def running_count(self, which: Choices, game_key: str | None = None) -> int:
        """How many are being played."""

    def months(self, which: Choices) -> list[MonthCount]:
        """How many ended in each month (UTC), in order."""

    def results(self, which: Choices, game_key: str) -> list[Results]:
        """How those of a game ended, by the number of players."""

    def results_of(self, which: Choices, player: PlayerId) -> list[MemberResults]:
        """How those of a player ended, by game."""

    def players(self, which: Choices) -> set[PlayerId]:
        """Everybody who plays in one."""

    def competitions(self, which: Choices) -> set[int]:
        """Every competition that one belongs to."""


class WaitingNotes(Protocol):
    """Notes that were not mailed to somebody yet: they asked for fewer mails than there are."""

    def add(self, match_id: int, reader: PlayerId, note: Note) -> None:
        """Keeps a note for a reader; raises StorageError if the match or one of them is unknown."""

    def of(self, match_id: int) -> Mapping[PlayerId, Sequence[Note]]:
        """What waits in a match for each of those for whom something does, in order."""

    def told(self, match_id: int, reader: PlayerId, held: Collection[PlayerId] = ()) -> None:
        """Drop the notes that wait for a reader, except those of some authors."""


class Notes(Protocol):
    """What players wrote beside their turns, for everybody to read; other notes are not kept."""

    def add(self, match_id: int, note: Note) -> None:
        """Keeps a note; raises StorageError if the match or the author is not stored."""

    def of(self, match_id: int) -> Sequence[Note]:
        """Notes of a match, in the order in which they were written."""


class ArchiveStore(Protocol):
    """Where records and pages are kept. Names may have folders in them: `matches/12.html`."""

    def write(self, name: str, data: bytes) -> None:
        """Writes a file as a whole or not at all; an existing one is replaced."""

    def write_all(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Writes files, each as a whole or not at all, in their order."""

    def read(self, name: str) -> bytes | None:
        """Content of a file, None if there is none."""

    def remove(self, name: str) -> None:
        """Takes a file away, if it is there."""

    def names(self, beginning: str = "") -> list[str]:
        """Names of all files that begin so, sorted."""

    def alone(self) -> AbstractContextManager[bool]:
        """A block in which nobody else who asks for it writes here; False where somebody does."""
