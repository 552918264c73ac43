"""Ports for matches, competitions, deadlines, pauses, snapshots and directors' decisions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from pbem.matches.competition import Competition
from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.time_control import DeadlineKind

CompetitionT = TypeVar("CompetitionT", bound=Competition)


@dataclass(frozen=True)
class Deadline:
    """Something that is due in a match."""

    match_id: int
    kind: DeadlineKind
    due_at: datetime


class Matches(Protocol):
    """Matches and their recorded actions."""

    def add(self, match: MatchSummary) -> MatchSummary:
        """Stores a new match and gives it its id."""

    def get(self, match_id: int) -> MatchSummary:
        """Raises StorageError if there is none."""

    def lock(self, match_id: int) -> MatchSummary:
        """Like get; nobody else can lock it until this unit of work ends."""

    def save(self, match: MatchSummary) -> None:
        """Store what changed of a match, and mark its pages.

        A match that was locked and has only turned is marked as `PageKind.TURN`.
        """

    def save_clocks(self, matches: Sequence[MatchSummary]) -> None:
        """Stores the clocks of matches that are stored, and nothing else of them."""

    def append(
        self,
        match_id: int,
        actions: Iterable[RecordedAction],
        happenings: Iterable[Happening] = (),
    ) -> None:
        """Records what happened; raises StorageError if a number is taken.

        Then the unit of work is to be given up.
        """

    def take_back(self, match_id: int, turn: int, entry: int) -> None:
        """Actions of a turn and after it stand no more, by an entry of the history."""

    def all_recorded(self, match_id: int) -> list[RecordedAction]:
        """Actions of a match in order, those that were taken back too."""

    def recorded(
        self, match_id: int, from_turn: int = 0, from_number: int = 0
    ) -> list[RecordedAction]:
        """Actions of a match that stand, in order, without those of earlier turns or numbers."""

    def happenings(self, match_id: int) -> list[Happening]:
        """What happened in a match beside its actions, in order."""

    def of_player(self, player: PlayerId, *, playing: bool = True) -> list[MatchSummary]:
        """Matches a player is in, oldest first; only those being played unless told otherwise."""

    def asked_since(self, moment: datetime) -> list[PlayerId]:
        """Who has been to act in a match being played since that moment, or longer."""

    def playing(self, after: int, most: int) -> list[MatchSummary]:
        """The first so many of the matches being played whose ids are larger than one, by id.

        Nobody else can lock them until this unit of work ends.
        """

    def of_competition(self, competition_id: int) -> list[MatchSummary]:
        """Matches of a competition that have been started, in order."""

    def all(self) -> list[MatchSummary]:
        """Every match, oldest first."""

    def count_ended(self) -> int:
        """How many have ended."""

    def unarchived(self) -> list[int]:
        """Ids of ended matches whose record has not been written."""

    def mark_archived(self, match_id: int, at: datetime) -> None:
        """The record has been written."""

    def archive_again(self, player: PlayerId) -> None:
        """Records are to be written again: of ended matches where a player is named.

        In the table of a competition they are named beside matches of others.
        """


class Competitions(Protocol):
    """Competitions of all kinds."""

    def add(self, competition: CompetitionT) -> CompetitionT:
        """Stores a new competition and gives it its id, and the next number of its numbering.

        Raises StorageError if a player is not stored.
        """

    def get(self, competition_id: int) -> Competition:
        """Raises StorageError if there is none."""

    def lock(self, competition_id: int) -> Competition:
        """Like get; nobody else can lock it until this unit of work ends."""

    def numbered(self, numbering: str, number: int) -> Competition | None:
        """The one that has a number among those that are numbered together."""

    def all(self) -> list[Competition]:
        """Every competition, oldest first."""


class Deadlines(Protocol):
    """What is due in the turns being played: an index of the clocks of all matches as stored."""

    def due(self, until: datetime) -> list[Deadline]:
        """What is due at or before a moment, oldest first."""

    def reminded(self, until: datetime) -> list[PlayerId]:
        """Players to act to whom a reminder is due at or before a moment, in order."""

    def of_player(self, player: PlayerId, until: datetime) -> list[int]:
        """Ids of matches where a player is to act and something is due by then, in order."""


@dataclass(frozen=True)
class Snapshot:
    """The position of a match after one of its actions, as a text."""

    actions: int
    """Number of the action after which it was written."""
    head: str
    """Hash of the history up to that action."""
    rules_version: int
    """Version of the rules by which the position came about."""
    text: str
    """In the form of the game."""

    def follows(self, action: int, head: str) -> bool:
        """Whether it is of the moment after an action, by its number and its head."""
        return bool(head) and (self.actions, self.head) == (action, head)


class Snapshots(Protocol):
    """Snapshots, one a match."""

    def put(self, match_id: int, snapshot: Snapshot) -> None:
        """Keeps a snapshot, in the place of any other of the match."""

    def of(self, match_id: int) -> Snapshot | None:
        """That of a match; None if there is none."""


@dataclass(frozen=True)
class LoggedDecision:
    """Something that a director did by their role."""

    at: datetime
    by: PlayerId | None
    """The director; None: who sits at the shell."""
    match_id: int | None
    """The match that it is about."""
    line: str
    """What was asked for, members by number: `forfeit 12 {7}`. Names can be taken away."""
    reason: str
    """Why, in the director's words; may be empty."""
    id: int = 0


class Decisions(Protocol):
    """The log of what directors did."""

    def add(self, decision: LoggedDecision) -> None:
        """Logs it; raises StorageError if a member or a match is not stored."""

    def newest(self, limit: int, match_id: int | None = None) -> Sequence[LoggedDecision]:
        """The last so many, newest first; of one match, if it is named."""


CLUB = 0
"""In the place of the number of a competition: all matches."""


@dataclass(frozen=True)
class Pause:
    """No time of these matches counts, nor of those that begin meanwhile."""

    competition: int
    """Its id; `CLUB`: all matches."""
    start: datetime
    end: datetime | None = None
    """None: until the director has them go on."""


class Pauses(Protocol):
    """What is paused; one pause of each."""

    def put(self, pause: Pause) -> None:
        """Keeps a pause, in the place of any other of the same."""

    def of(self, competition: int) -> Sequence[Pause]:
        """Of a competition and of the club, those that are over too.

        Of the club alone where that is asked for.
        """
