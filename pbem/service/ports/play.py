"""Matches, what they belong to, and what is due in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol, TypeVar

from pbem.matches.competition import Competition
from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.time_control import DeadlineKind, Due

CompetitionT = TypeVar("CompetitionT", bound=Competition)


@dataclass(frozen=True)
class Deadline:
    """Something that is due in a turn of a match."""

    id: int
    match_id: int
    turn: int
    kind: DeadlineKind
    due_at: datetime


class Exposure(NamedTuple):
    """What proves a player in a match, and others may have read."""

    mail: int
    """Message-IDs of his mails up to this row of the outbox; 0 for none."""
    turn: int
    """Tokens of the turns up to this one."""


class Matches(Protocol):
    """Matches and their recorded actions."""

    def add(self, match: MatchSummary) -> MatchSummary:
        """Stores a new match and gives it its id."""

    def get(self, match_id: int) -> MatchSummary:
        """Raises StorageError if there is none."""

    def lock(self, match_id: int) -> MatchSummary:
        """Like get; nobody else can lock it until this unit of work ends."""

    def save(self, match: MatchSummary) -> None:
        """Stores what changed of a match."""

    def append(
        self,
        match_id: int,
        actions: Iterable[RecordedAction],
        happenings: Iterable[Happening] = (),
    ) -> None:
        """Records what happened; raises StorageError if a number is taken."""

    def recorded(self, match_id: int, from_turn: int = 0) -> list[RecordedAction]:
        """Actions of a match in order, those of earlier turns left out."""

    def happenings(self, match_id: int) -> list[Happening]:
        """What happened in a match beside its actions, in order."""

    def of_player(self, player: PlayerId, *, playing: bool = True) -> list[MatchSummary]:
        """Matches a player is in, oldest first; only those being played unless told otherwise."""

    def of_competition(self, competition_id: int) -> list[MatchSummary]:
        """Matches of a competition that have been started, in order."""

    def all(self) -> list[MatchSummary]:
        """Every match, oldest first."""

    def expose(self, match_id: int, player: PlayerId, exposure: Exposure) -> None:
        """Others have read what proves a player in a match; what is known of it never shrinks."""

    def exposure(self, match_id: int, player: PlayerId) -> Exposure | None:
        """What others have read of a player's proofs in a match, None if nothing."""

    def unarchived(self) -> list[int]:
        """Ids of ended matches whose record has not been written."""

    def mark_archived(self, match_id: int, at: datetime) -> None:
        """The record has been written."""


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
    """What is due in the turns being played."""

    def put(
        self, match_id: int, turn: int, dues: Iterable[Due], *, stopped_at: datetime | None = None
    ) -> None:
        """Replaces everything due in a match; the clock of the turn may be stopped already."""

    def due(self, until: datetime) -> list[Deadline]:
        """What is due at or before a moment, oldest first, where the clock runs."""

    def done(self, deadline_id: int) -> bool:
        """Takes one off; False if somebody else has done so already."""

    def flag_at(self, match_id: int) -> datetime | None:
        """When the flag of the turn being played falls.

        None without a clock, past it, and while it is stopped.
        """

    def postpone(self, by: timedelta, after: datetime) -> int:
        """Moves everything due after a moment where the clock runs; returns how many."""

    def stop(self, match_ids: Sequence[int], at: datetime) -> None:
        """Stops clocks: what is due later is not due until they go on; what is stopped stays so."""

    def go_on(self, match_ids: Sequence[int], at: datetime) -> None:
        """Lets stopped clocks go on: what was due is due later by the time they stood."""
