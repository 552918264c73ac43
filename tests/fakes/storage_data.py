"""The data of the in-memory storage. All values are frozen, so a copy copies only the dicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from pbem.archive.site.values import Note
from pbem.mail.topic import Holder, TopicKey
from pbem.matches.competition import Competition
from pbem.matches.history import SUCCESSIONS, Happening
from pbem.matches.leave import Leave
from pbem.matches.match import MatchSummary, Player, RecordedAction
from pbem.matches.offer import Offer
from pbem.matches.plans import Plan
from pbem.matches.ratings import RatedMatch, Rating, RatingList
from pbem.matches.record import Record
from pbem.matches.reliability import TurnTime
from pbem.matches.time_control import TimeAccount
from pbem.ports.inbound import InboundMail
from pbem.ports.keeping import Exposure, LeftMail
from pbem.ports.outbox import OutgoingMail
from pbem.ports.people import AbsenceNotice, Address, Mute, OpenQuestion
from pbem.ports.play import Digest, LoggedDecision, Pause, Snapshot, Unseen
from pbem.ports.process import StorageError
from pbem.ports.room import Announced, PageKind, Watch, Watched, WatchKind
from pbem.ports.storage import FailedBot, Failures


@dataclass(frozen=True)
class Queued:
    """An email in the outbox."""

    mail: OutgoingMail
    at: datetime
    next_attempt_at: datetime
    claimed_until: datetime | None = None
    attempts: int = 0
    closed: bool = False
    failed: bool = False
    bounces: int = 0
    closed_at: datetime | None = None
    reply: str = ""
    claimed_by: str = ""
    line: int = 0
    tried_at: datetime | None = None


@dataclass
class Data:
    """All data, by id."""

    players: dict[int, Player] = field(default_factory=dict)
    addresses: dict[int, tuple[Address, ...]] = field(default_factory=dict)
    absences: dict[int, AbsenceNotice] = field(default_factory=dict)
    leaves: dict[int, tuple[Leave, ...]] = field(default_factory=dict)
    """Leaves by player."""
    competitions: dict[int, Competition] = field(default_factory=dict)
    offers: dict[int, Offer] = field(default_factory=dict)
    blocks: dict[tuple[int, int], None] = field(default_factory=dict)
    mutes: dict[tuple[int, Mute], None] = field(default_factory=dict)
    """Mutes with the player who wants them."""
    invited: dict[str, bool] = field(default_factory=dict)
    """Invited mailboxes by key, and whether they said `never`."""
    matches: dict[int, MatchSummary] = field(default_factory=dict)
    archived: dict[int, datetime] = field(default_factory=dict)
    exposed: dict[tuple[TopicKey, Holder], Exposure] = field(default_factory=dict)
    actions: dict[int, tuple[RecordedAction, ...]] = field(default_factory=dict)
    happenings: dict[int, tuple[Happening, ...]] = field(default_factory=dict)
    accounts: dict[tuple[int, int], TimeAccount] = field(default_factory=dict)
    """Time accounts before actions, by match and number of the action."""
    timed: dict[tuple[int, int], TurnTime] = field(default_factory=dict)
    """Timed turns, by match and number of the action."""
    uids: dict[tuple[str, int, int], int] = field(default_factory=dict)
    read_until: dict[tuple[str, int], int] = field(default_factory=dict)
    """Highest pruned UID, by folder and UIDVALIDITY."""
    fingerprints: dict[tuple[str, str], None] = field(default_factory=dict)
    """Message-IDs and digests of pruned emails."""
    inbound: dict[int, InboundMail] = field(default_factory=dict)
    questions: dict[int, OpenQuestion] = field(default_factory=dict)
    outbox: dict[int, Queued] = field(default_factory=dict)
    notes: dict[int, tuple[Note, ...]] = field(default_factory=dict)
    waiting_notes: dict[tuple[int, int], tuple[Note, ...]] = field(default_factory=dict)
    """Notes by match and reader."""
    stale: dict[int, tuple[PageKind, str]] = field(default_factory=dict)
    left: dict[int, LeftMail] = field(default_factory=dict)
    decisions: dict[int, LoggedDecision] = field(default_factory=dict)
    pauses: dict[int, Pause] = field(default_factory=dict)
    plans: dict[tuple[int, int, int], Plan] = field(default_factory=dict)
    """Plans by match, player and number."""
    digests: dict[int, Digest] = field(default_factory=dict)
    waiting_news: dict[tuple[int, int], Unseen] = field(default_factory=dict)
    """News by match and reader."""
    ratings: dict[int, tuple[RatedMatch, Mapping[RatingList, Mapping[int, Rating]]]] = field(
        default_factory=dict
    )
    """Rated matches and the ratings after them, by match."""
    rated_by: dict[int, str] = field(default_factory=dict)
    """Methods by match."""
    unrated: dict[int, bool] = field(default_factory=dict)
    imported: dict[int, Record] = field(default_factory=dict)
    imported_unwritten: dict[int, None] = field(default_factory=dict)
    rated_names: dict[tuple[str, str], int] = field(default_factory=dict)
    """Members by club and name there."""
    watches: dict[tuple[int, WatchKind, str], Watch] = field(default_factory=dict)
    watched: dict[tuple[int, int], tuple[Watched, datetime | None]] = field(default_factory=dict)
    """What watchers know by match and player, and the time of the first news since then."""
    announced: dict[int, Announced] = field(default_factory=dict)
    """What the webhook knows by match."""
    snapshots: dict[int, Snapshot] = field(default_factory=dict)
    """Snapshots by match."""
    moments: dict[str, datetime] = field(default_factory=dict)
    failed_bots: dict[FailedBot, Failures] = field(default_factory=dict)
    last_ids: Counter[str] = field(default_factory=Counter)

    def copied(self) -> Data:
        """Return a copy that can be changed independently."""
        return Data(**{name: content.copy() for name, content in vars(self).items()})

    def next_id(self, table: str) -> int:
        """Return an id that was never given before."""
        self.last_ids[table] += 1
        return self.last_ids[table]

    def mark(self, kind: PageKind, key: object) -> None:
        """Mark a page as stale."""
        self.stale[self.next_id("stale_pages")] = kind, str(key)

    def ever_played(self, player: int, match: int) -> bool:
        """Return whether someone holds a seat, or held one until they were replaced."""
        happened = self.happenings.get(match, ())
        texts = " ".join(each.text for each in happened if each.kind in SUCCESSIONS)
        return player in self.matches[match].players or str(player) in texts.split()

    def require(self, *, players: tuple[int | None, ...] = (), match: int | None = None) -> None:
        """Raises StorageError if one of them is not stored. None stands for nobody."""
        for player in players:
            if player is not None and player not in self.players:
                raise StorageError(f"there is no player {player}")
        if match is not None and match not in self.matches:
            raise StorageError(f"there is no match {match}")


class Repository:
    """The basis of all repositories: the data, and whether they may change it."""

    def __init__(self, data: Data, writing: bool) -> None:
        self._data = data
        self._writing = writing

    def _changing(self) -> Data:
        if not self._writing:
            raise RuntimeError("a read-only transaction changes nothing and locks nothing")
        return self._data


def utc(at: datetime) -> datetime:
    """Return the same moment in UTC. Raises ValueError if it has no time zone."""
    if at.utcoffset() is None:
        raise ValueError(f"{at} has no time zone")
    return at.astimezone(UTC)


def match_in_utc(match: MatchSummary) -> MatchSummary:
    """Return a match with all its moments in UTC."""
    began, result = match.turn_started_at, match.result
    return replace(
        match,
        started_at=utc(match.started_at),
        turn_started_at=None if began is None else utc(began),
        result=None if result is None else replace(result, ended_at=utc(result.ended_at)),
    )


def storable(text: str) -> str:
    """Return text without characters that a database cannot store."""
    return text.replace("\0", "?").encode(errors="replace").decode()
