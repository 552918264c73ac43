"""What the use cases need of the outside: the ports, and the values that pass through them.

All datetimes are aware and in UTC. Adapters implement these protocols; tests run one contract suite
a port on the hand-written fakes and on the real things.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

from pbem.matches.events import Event
from pbem.matches.match import Match, Player, PlayerId, RecordedAction
from pbem.matches.sets import MatchSet
from pbem.matches.time_control import DeadlineKind, Due

EventT = TypeVar("EventT", bound=Event)


class Clock(Protocol):
    """The time."""

    def now(self) -> datetime:
        """Aware, UTC."""


# Mailbox and transport


class MailboxError(Exception):
    """The IMAP server could not be reached, or refused; the next poll connects afresh."""


class MailboxState(NamedTuple):
    """The folder as it is now; UIDs mean something only together with both."""

    folder: str
    uidvalidity: int


@dataclass(frozen=True)
class ReceivedMail:
    """One message of the folder."""

    folder: str
    uidvalidity: int
    uid: int
    received_at: datetime
    """INTERNALDATE."""
    raw: bytes


class Mailbox(Protocol):
    """The club's IMAP folder. Every method raises MailboxError."""

    def open(self) -> MailboxState:
        """Connects where there is no live connection, and selects the folder afresh."""

    def unhandled(self, after: int) -> list[int]:
        """UIDs above `after` and unseen ones, ascending; some may be known already.

        Where handled mail is moved away, all that are there: some could not be moved.
        """

    def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        """Bytes of the messages of these UIDs, as far as the server can tell."""

    def fetch(self, uids: Sequence[int]) -> list[ReceivedMail]:
        """Messages of these UIDs that still exist, without a change of flags."""

    def mark_done(self, uids: Sequence[int]) -> None:
        """Sets `\\Seen`, and moves the messages to the done folder if there is one."""

    def close(self) -> None:
        """Ends the connection; never raises."""


class MailboxWatch(Protocol):
    """Tells when the folder may have changed (IDLE); a second connection."""

    def wait(self, seconds: float) -> bool:
        """Whether something happened within so many seconds; raises MailboxError."""

    def close(self) -> None:
        """Ends the wait from another thread, and the connection; never raises."""


class Delivery(StrEnum):
    """What the server said to one mail."""

    SENT = "sent"
    DEFERRED = "deferred"
    """4xx, a lost connection, an unknowable outcome: to be tried again."""
    REFUSED = "refused"
    """5xx to the recipient or the mail: not to be tried again."""


class DeliveryReport(NamedTuple):
    """Result for one mail."""

    delivery: Delivery
    reply: str
    """Reply of the server, for people."""


class TransportError(Exception):
    """The SMTP server could not be reached or refused the session: nothing was sent."""


class Session(Protocol):
    """An open SMTP connection for a batch."""

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        """Sends one mail to one recipient; raises TransportError once the connection is gone."""


class Transport(Protocol):
    """The SMTP server."""

    def connect(self) -> AbstractContextManager[Session]:
        """Opens a connection; raises TransportError."""


# Storage


class StorageError(Exception):
    """What was asked for is not stored, or cannot be as it would be there twice."""


class StorageUnavailable(Exception):
    """The database cannot be reached or written now (locked, full, gone): try again later."""


class InboundState(StrEnum):
    """What has become of a mail."""

    NEW = "new"
    DONE = "done"
    REFUSED = "refused"
    IGNORED = "ignored"
    """Robot, bounce, list, own mail."""
    DUPLICATE = "duplicate"
    STRANGER = "stranger"
    LIMITED = "limited"
    PARKED = "parked"
    SHUNTED = "shunted"


@dataclass(frozen=True)
class InboundMail:
    """A row of received mail."""

    id: int
    raw: bytes
    received_at: datetime
    recorded_at: datetime
    message_id: str
    digest: str
    sender: str
    """Address in From, case-folded; empty if there is none."""
    state: InboundState = InboundState.NEW
    reason: str = ""
    """Why it is in this state; the traceback of a shunted one."""
    player: PlayerId | None = None
    """Whose mail it is, or claims to be."""
    match_id: int | None = None
    proven: bool = False


@dataclass(frozen=True)
class InboundKey:
    """What a mail is told by, beside its UID: see CONTRACTS on duplicates."""

    message_id: str
    digest: str
    sender: str


@dataclass(frozen=True)
class ParkedMail:
    """A mail that waits for `confirm`."""

    inbound_id: int
    player: PlayerId
    match_id: int
    asked_by: str
    """Message-ID of the mail that asked "did you send this?"."""
    expires_at: datetime


@dataclass(frozen=True)
class OutgoingMail:
    """A mail ready to go; its Message-ID stays the same however often it is sent."""

    message_id: str
    recipient: str
    raw: bytes
    kind: str
    """Name of its template."""
    player: PlayerId | None = None
    match_id: int | None = None
    turn: int | None = None
    bounce_key: str | None = None
    """Unguessable part of its envelope sender; None: that is the club's address."""


@dataclass(frozen=True)
class PostedMail:
    """A row of the outbox, whatever has become of it."""

    id: int
    mail: OutgoingMail
    queued_at: datetime
    closed: bool
    """Whether it has gone or failed."""
    failed: bool
    bounces: int
    """How often it came back and was tried again."""


@dataclass(frozen=True)
class QueuedMail:
    """A claimed row of the outbox."""

    id: int
    mail: OutgoingMail
    attempts: int
    """How often it has been tried before."""


@dataclass(frozen=True)
class Deadline:
    """Something that is due in a turn of a match."""

    id: int
    match_id: int
    turn: int
    kind: DeadlineKind
    due_at: datetime


@dataclass(frozen=True)
class Address:
    """An address of a player, and whether it accepts mail."""

    address: str
    failed_at: datetime | None = None
    """Since when it accepts no mail; None: it does."""
    failure: str = ""
    """Why not, mostly in the words of a server."""
    works_since: datetime | None = None
    """When that was last over; None: it never failed."""


@dataclass(frozen=True)
class AbsenceNotice:
    """What an automatic answer to a mail of ours said."""

    player: PlayerId
    match_id: int | None
    at: datetime
    subject: str
    text: str


class Players(Protocol):
    """People."""

    def add(self, name: str, addresses: Sequence[str], time_zone: str = "UTC") -> Player:
        """A new player; raises StorageError if the name or an address is taken (case-folded)."""

    def get(self, player: PlayerId) -> Player:
        """Raises StorageError if there is none."""

    def named(self, name: str) -> Player | None:
        """Player with a name, case-folded."""

    def at(self, address: str) -> Player | None:
        """Player with an address, case-folded."""

    def all(self) -> list[Player]:
        """Everybody, by name."""

    def addresses(self, player: PlayerId) -> list[Address]:
        """All that is known of a player's addresses, in their order."""

    def set_addresses(self, player: PlayerId, addresses: Sequence[str]) -> Player:
        """Replaces his addresses; of those that stay, what is known stays too.

        Raises StorageError if one is taken (case-folded), ValueError if there is none.
        """

    def set_proof(self, player: PlayerId, rule: str) -> None:
        """What proves his mail from now on, empty for the club's rule; raises StorageError."""

    def address_failed(self, address: str, at: datetime, why: str) -> None:
        """An address (case-folded) accepts no mail; raises StorageError if nobody has it."""

    def address_works(self, address: str, at: datetime) -> None:
        """It accepts mail again."""


class Absences(Protocol):
    """What automatic answers of players said."""

    def add(self, notice: AbsenceNotice) -> None:
        """Keeps a notice."""

    def of(self, player: PlayerId, limit: int) -> list[AbsenceNotice]:
        """A player's notices, newest first."""


class Matches(Protocol):
    """Matches and their recorded actions."""

    def add(self, match: Match) -> Match:
        """Stores a new match and gives it its id."""

    def get(self, match_id: int) -> Match:
        """Raises StorageError if there is none."""

    def lock(self, match_id: int) -> Match:
        """Like get; nobody else can lock it until this unit of work ends."""

    def save(self, match: Match) -> None:
        """Stores what changed of a match."""

    def append(self, match_id: int, actions: Iterable[RecordedAction]) -> None:
        """Records actions; raises StorageError if a number is taken."""

    def recorded(self, match_id: int, from_turn: int = 0) -> list[RecordedAction]:
        """Actions of a match in order, those of earlier turns left out."""

    def of_player(self, player: PlayerId, *, playing: bool = True) -> list[Match]:
        """Matches a player is in, oldest first; only those being played unless told otherwise."""

    def of_set(self, set_id: int) -> list[Match]:
        """Matches of a set that have been started, in order."""

    def of_event(self, event_id: int) -> list[Match]:
        """Matches of a series or tournament that have been started, in order."""

    def all(self) -> list[Match]:
        """Every match, oldest first."""

    def expose(self, match_id: int, player: PlayerId, until: int) -> None:
        """Others may have read what proves a player: his mails of the match up to one's id."""

    def exposed_until(self, match_id: int, player: PlayerId) -> int:
        """Id of the last mail to a player that others may have read; 0 if none."""

    def unarchived(self) -> list[int]:
        """Ids of ended matches whose record has not been written."""

    def mark_archived(self, match_id: int, at: datetime) -> None:
        """The record has been written."""


class Sets(Protocol):
    """Three-person sets."""

    def add(self, match_set: MatchSet) -> MatchSet:
        """Stores a new set and gives it its id."""

    def get(self, set_id: int) -> MatchSet:
        """Raises StorageError if there is none."""

    def lock(self, set_id: int) -> MatchSet:
        """Like get; nobody else can lock it until this unit of work ends."""

    def all(self) -> list[MatchSet]:
        """Every set, oldest first."""


class Events(Protocol):
    """Series and tournaments."""

    def add(self, event: EventT) -> EventT:
        """Stores a new event and gives it its id, which no other event of any kind has."""

    def get(self, event_id: int) -> Event:
        """Raises StorageError if there is none."""

    def lock(self, event_id: int) -> Event:
        """Like get; nobody else can lock it until this unit of work ends."""

    def all(self) -> list[Event]:
        """Every event, oldest first."""


class Inbound(Protocol):
    """Received mail, every one of it."""

    def add(self, mail: ReceivedMail, key: InboundKey, at: datetime) -> int | None:
        """Records a mail as NEW; None if its (folder, UIDVALIDITY, UID) is recorded already."""

    def known(self, state: MailboxState, uids: Collection[int]) -> set[int]:
        """Those of the UIDs that are recorded."""

    def highest(self, state: MailboxState) -> int:
        """Largest recorded UID, 0 if there is none."""

    def pending(self) -> list[int]:
        """Ids of NEW mails, oldest first."""

    def get(self, inbound_id: int) -> InboundMail:
        """Raises StorageError if there is none."""

    def lock(self, inbound_id: int) -> InboundMail:
        """Like get; nobody else can lock it until this unit of work ends."""

    def close(self, inbound_id: int, state: InboundState, reason: str = "") -> None:
        """What has become of a mail; NEW puts it back into the queue."""

    def copies(self, mail: InboundMail) -> list[InboundMail]:
        """Earlier mails with the same digest, oldest first; their Message-IDs may differ."""

    def told(
        self, inbound_id: int, player: PlayerId | None, match_id: int | None, proven: bool
    ) -> None:
        """Whose mail it is, which match it is about, and whether that is proven."""

    def count_before(self, mail: InboundMail, since: datetime, *, proven: bool) -> int:
        """How many mails of the same sender were recorded since then, and before this one.

        Only the proven ones are counted, or only the others.
        """

    def count_of_match(
        self, match_id: int, before_id: int, since: datetime, *, proven: bool
    ) -> int:
        """How many mails about a match were recorded since then, and before the one of an id.

        Only the proven ones are counted, or only the others.
        """

    def recorded_at(self, state: InboundState, nth: int) -> datetime | None:
        """When the n-th newest mail in a state was recorded, None if there are fewer."""

    def in_state(self, state: InboundState) -> list[InboundMail]:
        """All mails in a state, oldest first."""

    def park(self, parked: ParkedMail) -> None:
        """Puts a mail aside until it is confirmed."""

    def parked(self, player: PlayerId, match_id: int, now: datetime) -> list[ParkedMail]:
        """A player's mails of a match that wait and have not expired, oldest first."""

    def asked_anew(self, player: PlayerId, match_id: int, before: str, now: str) -> None:
        """A mail that asked "did you send this?" goes out under another Message-ID."""

    def unpark(self, inbound_id: int) -> None:
        """A parked mail was confirmed; it does not wait any more."""


class Outbox(Protocol):
    """Mail waiting to go, and what has gone."""

    def add(self, mail: OutgoingMail, at: datetime, *, failure: str = "") -> None:
        """Queues a mail; raises StorageError if its Message-ID or bounce key is taken.

        Where it is known why it cannot go, it has failed at once.
        """

    def claim(self, now: datetime, until: datetime, limit: int) -> list[QueuedMail]:
        """Takes up to `limit` due mails that nobody holds, oldest first, until a moment."""

    def sent(self, queued_id: int, at: datetime) -> None:
        """It has gone."""

    def failed(self, queued_id: int, reply: str, at: datetime) -> None:
        """It will never go."""

    def retry(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        """It could not go now."""

    def release(self, queued_id: int, due_at: datetime | None = None) -> None:
        """Gives a claim back; the mail has not been tried, and is due at once or at a moment."""

    def hasten(self, now: datetime) -> None:
        """Everything that waits is due now, whatever claims and pauses say."""

    def by_bounce_key(self, key: str) -> PostedMail | None:
        """Mail whose envelope sender has a key."""

    def by_message_id(self, message_id: str) -> PostedMail | None:
        """Mail with a Message-ID."""

    def latest(self, match_id: int, player: PlayerId) -> PostedMail | None:
        """Newest mail of a match to a player."""

    def bounced(self, queued_id: int, reply: str, at: datetime) -> None:
        """It came back for good: it has failed, though it had gone."""

    def bounced_for_now(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        """It came back, and is to be tried again."""

    def thread(self, match_id: int, player: PlayerId) -> list[str]:
        """Message-IDs of the mails of a match to a player, oldest first: the first, the last 9."""

    def latest_turn(self, match_id: int, player: PlayerId) -> int | None:
        """Turn in the newest mail of a match to a player; None before the first."""

    def count(self, recipient: str, kind: str, since: datetime) -> int:
        """How many mails of a kind were queued for an address (case-folded) since then."""

    def unsent(self) -> int:
        """How many wait."""


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


class ServiceLog(Protocol):
    """When the service was last alive."""

    def last_beat(self) -> datetime | None:
        """Last heartbeat."""

    def beat(self, at: datetime) -> None:
        """Heartbeat; never goes back."""

    def last_poll(self) -> datetime | None:
        """Start of the last poll after which all received mail was recorded."""

    def polled(self, at: datetime) -> None:
        """A poll that began then has recorded everything."""

    def set_back(self, at: datetime) -> None:
        """The clock has gone back: nothing was later than this."""


class UnitOfWork(Protocol):
    """One transaction over all repositories."""

    players: Players
    absences: Absences
    matches: Matches
    sets: Sets
    events: Events
    inbound: Inbound
    outbox: Outbox
    deadlines: Deadlines
    service: ServiceLog


class Storage(Protocol):
    """The database."""

    def writing(self) -> AbstractContextManager[UnitOfWork]:
        """A transaction that may write: commits at the end of the block, rolls back on an error.

        On SQLite it holds the write lock from its beginning; on PostgreSQL it reads what is
        committed, and `lock` methods take row locks.
        """

    def reading(self) -> AbstractContextManager[UnitOfWork]:
        """A transaction that writes nothing."""


# Archive


class ArchiveStore(Protocol):
    """Where records are kept."""

    def write(self, name: str, data: bytes) -> None:
        """Writes a file as a whole or not at all; an existing one is replaced."""

    def read(self, name: str) -> bytes | None:
        """Content of a file, None if there is none."""

    def names(self) -> list[str]:
        """Names of all files, sorted."""
