"""Ports for matches, plans, digests, competitions, deadlines, pauses, snapshots and decisions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from pbem.games.api import Seat
from pbem.matches.announcement import Phase
from pbem.matches.competition import Competition
from pbem.matches.history import Happening
from pbem.matches.match import MatchSummary, PlayerId, RecordedAction
from pbem.matches.plans import Ending, Plan
from pbem.matches.reliability import LeftMatch, TurnTime
from pbem.matches.time_control import DeadlineKind, TimeAccount

CompetitionT = TypeVar("CompetitionT", bound=Competition)


@dataclass(frozen=True)
class Deadline:
    """The time of the next deadline in a match."""

    match_id: int
    kind: DeadlineKind
    due_at: datetime


class Matches(Protocol):
    """Matches and their recorded actions."""

    def add(self, match: MatchSummary) -> MatchSummary:
        """Store a new match and give it its id."""

    def get(self, match_id: int) -> MatchSummary:
        """Return a match. Raises StorageError if there is none."""

    def lock(self, match_id: int) -> MatchSummary:
        """Return a match and lock it until this unit of work ends. Raises as `get` does."""

    def save(self, match: MatchSummary) -> None:
        """Store the changes of a match, and mark its pages as stale.

        If only the turn of a locked match has changed, marks `PageKind.TURN`.
        """

    def save_clocks(self, matches: Sequence[MatchSummary]) -> None:
        """Store the clocks of existing matches, and nothing else."""

    def append(
        self,
        match_id: int,
        actions: Iterable[RecordedAction],
        happenings: Iterable[Happening] = (),
        account: TimeAccount | None = None,
        timed: TurnTime | None = None,
    ) -> None:
        """Append to the history of a match. Raises StorageError if a number is taken.

        `account` is the time account of the player who acted, before that, and `timed` the turn
        that they completed, if it counts for their reliability. The caller must abandon the unit
        of work after an error.
        """

    def turns_of(self, player: PlayerId, since: datetime) -> list[TurnTime]:
        """Return a player's timed turns since a moment that were not taken back."""

    def left_by(self, player: PlayerId, since: datetime) -> list[LeftMatch]:
        """Return the matches with other people that a player left since a moment, in order."""

    def accounts_since(self, match_id: int, turn: int) -> list[tuple[Seat, TimeAccount]]:
        """Return accounts stored with valid actions from a turn on, in order, with their seats."""

    def take_back(self, match_id: int, turn: int, entry: int) -> None:
        """Take back the actions of a turn and all later ones, by an entry of the history."""

    def all_recorded(self, match_id: int) -> list[RecordedAction]:
        """Return all actions of a match in order, including those taken back."""

    def recorded(
        self, match_id: int, from_turn: int = 0, from_number: int = 0
    ) -> list[RecordedAction]:
        """Return a match's valid actions in order, without earlier turns or numbers."""

    def happenings(self, match_id: int) -> list[Happening]:
        """Return the events of a match other than actions, in order."""

    def of_player(self, player: PlayerId, *, playing: bool = True) -> list[MatchSummary]:
        """Return a player's matches, oldest first. By default only those being played."""

    def asked_since(self, moment: datetime) -> list[PlayerId]:
        """Return the players whose turn it has been since a moment or longer, in any match."""

    def playing(self, after: int, most: int) -> list[MatchSummary]:
        """Return and lock the first `most` matches being played after an id, by id.

        The locks last until this unit of work ends.
        """

    def of_competition(self, competition_id: int) -> list[MatchSummary]:
        """Return the started matches of a competition, in order."""

    def all(self) -> list[MatchSummary]:
        """Return all matches, oldest first."""

    def count_ended(self) -> int:
        """Count the ended matches."""

    def unarchived(self) -> list[int]:
        """Return the ids of ended matches whose record is not written yet."""

    def reopened(self) -> list[int]:
        """Return the ids of matches being played whose record is written, as they had ended."""

    def mark_archived(self, match_id: int, at: datetime | None) -> None:
        """Note that the record of a match was written, or with None that it was removed.

        Either way, the match must be rated again.
        When a match ends, its record is not written, whatever was noted before.
        """

    def archive_again(self, player: PlayerId) -> None:
        """Mark for rewriting the records of ended matches that name a player.

        This includes other matches of their competitions, whose tables name them.
        """


class Competitions(Protocol):
    """Competitions of all kinds."""

    def add(self, competition: CompetitionT) -> CompetitionT:
        """Store a new competition. Give it its id, and the next number of its numbering.

        An announced one gets a number that no other competition has.
        Raises StorageError if a player is not stored.
        """

    def get(self, competition_id: int) -> Competition:
        """Return a competition. Raises StorageError if there is none."""

    def lock(self, competition_id: int) -> Competition:
        """Return a competition and lock it until this unit of work ends. Raises as `get` does."""

    def save(self, competition: Competition) -> None:
        """Store the players, terms, start and announcement. Raises as `get` does."""

    def announced(self, phases: Collection[Phase]) -> list[Competition]:
        """Return the announced competitions in some phases, oldest first."""

    def announced_as(self, number: int) -> Competition | None:
        """Return the announced competition with a number, which no other announced one has."""

    def numbered(self, numbering: str, number: int) -> Competition | None:
        """Return the competition with a number of a numbering."""

    def all(self) -> list[Competition]:
        """Return all competitions that have started, oldest first."""


class Deadlines(Protocol):
    """Index of the stored clocks of all current turns."""

    def due(self, until: datetime) -> list[Deadline]:
        """Return deadlines at or before a moment, earliest first."""

    def reminded(self, until: datetime) -> list[PlayerId]:
        """Return the players due a reminder at or before a moment, in order."""

    def of_player(self, player: PlayerId, until: datetime) -> list[int]:
        """Return the ids of matches with a deadline for a player by a moment, in order."""


@dataclass(frozen=True)
class Snapshot:
    """Stored text of a match's position after one of its actions."""

    actions: int
    """Number of that action."""
    head: str
    """Hash of the history up to that action."""
    rules_version: int
    """Version of the rules that produced the position."""
    text: str
    """The position in the game's own format."""

    def follows(self, action: int, head: str) -> bool:
        """Return whether it shows the position after an action with this number and head."""
        return bool(head) and (self.actions, self.head) == (action, head)


class Snapshots(Protocol):
    """Snapshots, one per match."""

    def put(self, match_id: int, snapshot: Snapshot) -> None:
        """Store a snapshot in place of the match's previous one."""

    def of(self, match_id: int) -> Snapshot | None:
        """Return the snapshot of a match, None if there is none."""


class Plans(Protocol):
    """Plans of players. Nobody but their author may see them."""

    def add(self, plan: Plan) -> None:
        """Store a plan. Raises StorageError if its number is taken or its match unknown."""

    def in_match(self, match_id: int) -> Sequence[Plan]:
        """Return active plans, and ended ones whose author does not know it, in order."""

    def of_player(self, player: PlayerId, match_id: int | None = None) -> Sequence[Plan]:
        """Return a player's plans, active and ended, of one match or all, in order."""

    def end(self, plan: Plan, ending: Ending, *, told: bool) -> None:
        """Note why an active plan ended, and whether its author need not be told."""

    def told(self, match_id: int, player: PlayerId) -> None:
        """Note that an email to a player has named the plans of a match that have ended."""

    def forget(self, plan: Plan) -> None:
        """Delete a plan."""


@dataclass(frozen=True)
class Digest:
    """A sent digest: one email about several matches."""

    player: PlayerId
    """Its reader."""
    at: datetime
    turns: Mapping[int, int]
    """The turn, as in tokens, that it showed of each match with a board, by number of the match."""
    id: int = 0


class Digests(Protocol):
    """Sent digests. The token of a digest proves answers to the turns that it showed."""

    def add(self, digest: Digest) -> Digest:
        """Store a digest and give it its id. Raises StorageError if its reader is unknown."""

    def of(self, digest_id: int) -> Digest | None:
        """Return a digest, None if there is none or it has been pruned."""

    def showing(self, reader: PlayerId, match_id: int) -> Sequence[Digest]:
        """Return a reader's digests that show a match, newest first."""


@dataclass(frozen=True)
class Unseen:
    """News of a match that waits for a reader's next digest."""

    match_id: int
    reader: PlayerId
    turn: int
    """The turn of the match when the first of it happened."""
    due_at: datetime
    """When that digest is due."""
    safe_until: datetime
    """If the reader runs out of time in this match before, the news is urgent."""
    said: Sequence[str] = ()
    """Sentences about events that the match itself does not show, in order."""


class WaitingNews(Protocol):
    """News that waits for digests, at most one row for each match and reader."""

    def put(self, news: Unseen) -> None:
        """Store news in place of earlier news of the match for this reader.

        Raises StorageError if the match or the reader is unknown.
        """

    def in_match(self, match_id: int, *, lock: bool = False) -> Mapping[PlayerId, Unseen]:
        """Return the news of a match by reader.

        With `lock`, no digest shows it until this unit of work ends.
        """

    def of(self, reader: PlayerId, *, lock: bool = False) -> Sequence[Unseen]:
        """Return a reader's news by number of the match.

        With `lock`, nobody else changes it until this unit of work ends.
        """

    def due(self, until: datetime) -> list[PlayerId]:
        """Return the readers, in order, of news that is urgent or due at or before a moment."""

    def reschedule(self, reader: PlayerId, due_at: datetime, safe_until: datetime) -> None:
        """Give all of a reader's news another time."""

    def told(self, reader: PlayerId, matches: Collection[int]) -> None:
        """Delete a reader's news of some matches."""


@dataclass(frozen=True)
class LoggedDecision:
    """A director's decision."""

    at: datetime
    by: PlayerId | None
    """The director, or None for the command line."""
    match_id: int | None
    """The match concerned."""
    line: str
    """The order, with members as numbers so that names can be erased: `forfeit 12 {7}`."""
    reason: str
    """The reason in the director's words. May be empty."""
    id: int = 0


class Decisions(Protocol):
    """The log of directors' decisions."""

    def add(self, decision: LoggedDecision) -> None:
        """Log a decision. Raises StorageError if a member or a match is not stored."""

    def newest(self, limit: int, match_id: int | None = None) -> Sequence[LoggedDecision]:
        """Return the latest decisions, newest first, of one match or of all."""


CLUB = 0
"""Stands for all matches where a competition's number is expected."""


@dataclass(frozen=True)
class Pause:
    """A pause of matches, and of those that start meanwhile. Their clocks are stopped."""

    competition: int
    """Id of the competition, or `CLUB` for all matches."""
    start: datetime
    end: datetime | None = None
    """End of the pause. None if it lasts until the director resumes play."""


class Pauses(Protocol):
    """Current pauses, one per competition and one for the club."""

    def put(self, pause: Pause) -> None:
        """Store a pause in place of the previous one of the same scope."""

    def of(self, competition: int) -> Sequence[Pause]:
        """Return the pauses of a competition and of the club, including past ones.

        With `CLUB`, only those of the club.
        """
