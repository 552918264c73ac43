"""The tables. Rows are never domain objects: the repositories convert between them.

UNIQUE keys guard what must happen only once. Every query in the course of play has an index, so
that nothing slows down as matches, emails and turns accumulate.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Index,
    MetaData,
    SmallInteger,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlmodel import Field, SQLModel

from pbem.adapters.db.types import Data, Moment, Packed, WordsColumn
from pbem.mail.topic import TopicKey

NAMES = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
}
"""Names of keys and indexes, the same in both databases, so that migrations can refer to them."""

FRESH_IDS = {"sqlite_autoincrement": True}
"""Ids of deleted rows are never reused, so that an old one never means something else."""

EMPTY = {"server_default": ""}
NOTE = {"server_default": "note"}
ZERO = {"server_default": text("0")}
ONE = {"server_default": text("1")}
"""Defaults for columns that are newer than their table."""
OWN_NUMBER = {"autoincrement": False}
"""For a key that is the number of something else, which no database may choose."""


class DatabaseRow(SQLModel):
    """Base of all tables. Its schema is separate from any other SQLModel in the process."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES)


def only(name: str, columns: str, condition: str, *, unique: bool = False) -> Index:
    """Return an index of the few rows that meet a condition."""
    return Index(name, *columns.split(", "), unique=unique, sqlite_where=text(condition))


def index_on_postgresql() -> None:
    """Give PostgreSQL the same conditions of indexes. Apart, as this imports its dialect."""
    for table in DatabaseRow.metadata.tables.values():
        for index in table.indexes:
            condition = index.dialect_options["sqlite"]["where"]
            if condition is not None:
                index.dialect_kwargs["postgresql_where"] = condition


class PlayerRow(DatabaseRow, table=True):
    """A person or a bot."""

    __tablename__ = "players"
    __table_args__ = (
        only("ix_players_bots", "id", "bot <> ''"),
        Index(None, "skeleton", unique=True),
        FRESH_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=WordsColumn)
    name_key: str = Field(sa_type=WordsColumn, unique=True)
    bot: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    """The kind of bot. Empty for a person."""
    settings: dict[str, str] = Field(
        default_factory=dict, sa_type=Data, sa_column_kwargs={"server_default": "{}"}
    )
    """The member's choices by key of the setting."""
    skeleton: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    """The same for names that can be mistaken for each other."""
    former: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether they have left. Former members have no address, and their name is not a real one."""
    joined_at: datetime | None = Field(default=None, sa_type=Moment)
    """When they became a member. None for bots, former members, and older members."""
    unbanned_at: datetime | None = Field(default=None, sa_type=Moment)
    """When a director last lifted a ban. Earlier losses on time ban them from nothing."""


class AddressRow(DatabaseRow, table=True):
    """An address of a person. Email goes to the first by place that has not failed."""

    __tablename__ = "addresses"
    __table_args__ = (only("ix_addresses_failed", "failed_at", "failed_at IS NOT NULL"),)

    player_id: int = Field(primary_key=True, foreign_key="players.id")
    place: int = Field(primary_key=True)
    address: str = Field(sa_type=WordsColumn)
    address_key: str = Field(sa_type=WordsColumn, unique=True)
    failed_at: datetime | None = Field(default=None, sa_type=Moment)
    failure: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    works_since: datetime | None = Field(default=None, sa_type=Moment)
    added_at: datetime | None = Field(default=None, sa_type=Moment)
    """When it was confirmed, if its member added it by email."""


class AbsenceRow(DatabaseRow, table=True):
    """An automatic reply of a person's email program."""

    __tablename__ = "absences"
    __table_args__ = (Index(None, "player_id", "at"), FRESH_IDS)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="players.id")
    match_id: int | None = Field(foreign_key="matches.id")
    at: datetime = Field(sa_type=Moment)
    subject: str = Field(sa_type=WordsColumn)
    text: str = Field(sa_type=WordsColumn)


class LeaveRow(DatabaseRow, table=True):
    """Days that a person takes off."""

    __tablename__ = "leaves"
    __table_args__ = (Index(None, "player_id", "end_at"), FRESH_IDS)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="players.id")
    first_day: date
    """In the calendar of the time zone they had when they took it."""
    last_day: date
    start_at: datetime = Field(sa_type=Moment)
    end_at: datetime = Field(sa_type=Moment)
    auto: bool


ANNOUNCED = "phase <> ''"
"""Condition for competitions that a director announced, worded as in the index."""


class CompetitionRow(DatabaseRow, table=True):
    """A competition. Its terms depend on its kind, and its number is the one that people see."""

    __tablename__ = "competitions"
    __table_args__ = (
        UniqueConstraint("numbering", "number"),
        only("ix_competitions_phase", "phase", ANNOUNCED),
        only("ix_competitions_announced", "number", ANNOUNCED, unique=True),
        FRESH_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(sa_type=WordsColumn)
    numbering: str = Field(sa_type=WordsColumn)
    """The group of competitions numbered together."""
    number: int
    game_key: str = Field(sa_type=WordsColumn)
    options: dict[str, Any] = Field(sa_type=Data)
    terms: dict[str, Any] = Field(sa_type=Data)
    created_at: datetime = Field(sa_type=Moment)
    phase: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    """How far an announced competition has come. Empty for others, which have started."""
    announcement: dict[str, Any] | None = Field(default=None, sa_type=Data)


class CompetitionPlayerRow(DatabaseRow, table=True):
    """A player of a competition, or a member on its waiting list. `place` is their order."""

    __tablename__ = "competition_players"

    competition_id: int = Field(primary_key=True, foreign_key="competitions.id")
    place: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="players.id")
    waiting: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    always: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether they enter each time that the competition is repeated."""


WAITED = "waited IS NOT NULL"
"""Condition for searches that have started something, worded as in the index."""


class OfferRow(DatabaseRow, table=True):
    """A challenge or an open table. Its id is its number."""

    __tablename__ = "offers"
    __table_args__ = (
        only("ix_offers_standing", "id", "state = 'stands'"),
        only("ix_offers_waited", "id", WAITED),
        FRESH_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    state: str = Field(sa_type=WordsColumn)
    open: bool
    revision: int
    terms: dict[str, Any] = Field(sa_type=Data)
    conditions: dict[str, Any] = Field(sa_type=Data)
    created_at: datetime = Field(sa_type=Moment)
    expires_at: datetime = Field(sa_type=Moment)
    begun: str = Field(sa_type=WordsColumn)
    waited: int | None = Field(default=None)
    """Seconds that a search took. None for other offers, and before it has started anything."""


class OfferPlayerRow(DatabaseRow, table=True):
    """A player who has accepted an offer or was asked. The first made it. `wish` is a place."""

    __tablename__ = "offer_players"
    __table_args__ = (UniqueConstraint("offer_id", "player_id"),)

    offer_id: int = Field(primary_key=True, foreign_key="offers.id")
    place: int = Field(primary_key=True)
    player_id: int = Field(foreign_key="players.id", index=True)
    accepted: bool
    wish: int | None


class BlockRow(DatabaseRow, table=True):
    """A member who wants no contact with another."""

    __tablename__ = "blocks"
    __table_args__ = (UniqueConstraint("player_id", "blocked_id"), FRESH_IDS)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="players.id")
    blocked_id: int = Field(foreign_key="players.id", index=True)


class MuteRow(DatabaseRow, table=True):
    """A member who reads nothing that another says, in one match or in all."""

    __tablename__ = "mutes"
    __table_args__ = (UniqueConstraint("player_id", "muted_id", "match_id"), FRESH_IDS)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="players.id")
    muted_id: int = Field(foreign_key="players.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="matches.id")
    """The match, None for all."""


class MatchRow(DatabaseRow, table=True):
    """The current state of a match. Its seats and actions are separate rows."""

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("competition_id", "competition_index"),
        only("ix_matches_unarchived", "id", "ended_at IS NOT NULL AND archived_at IS NULL"),
        only("ix_matches_playing", "id", "ended_at IS NULL"),
        only("ix_matches_asked", "turn_started_at", "ended_at IS NULL"),
        only("ix_matches_ended_at", "ended_at", "ended_at IS NOT NULL"),
        FRESH_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    game_key: str = Field(sa_type=WordsColumn)
    rules_version: int
    options: dict[str, Any] = Field(sa_type=Data)
    started_at: datetime = Field(sa_type=Moment)
    actions: int
    turn: int
    to_act: str | None = Field(sa_type=WordsColumn)
    turn_started_at: datetime | None = Field(sa_type=Moment)
    offer: dict[str, Any] | None = Field(sa_type=Data)
    """The draw offer. `offers` has the others."""
    resigned: list[int] = Field(sa_type=Data)
    result: dict[str, Any] | None = Field(sa_type=Data)
    ended_at: datetime | None = Field(sa_type=Moment)
    archived_at: datetime | None = Field(default=None, sa_type=Moment)
    club: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    entries: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    head: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    clock: dict[str, Any] = Field(sa_type=Data, sa_column_kwargs={"server_default": text("'{}'")})
    competition_id: int | None = Field(foreign_key="competitions.id")
    competition_round: int | None
    competition_index: int | None
    public: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    """Key of the choice when everybody may read it. Empty for the club's setting."""
    lead: int = Field(default=0, sa_column_kwargs=ZERO)
    """Difference between the turn in tokens and `turn`, which is lower."""
    began_with: int = Field(default=0, sa_column_kwargs=ZERO)
    """Number of players at the start. Follows from seats and `hands`, but SQL can count by it."""
    hands: dict[str, Any] = Field(
        default_factory=dict, sa_type=Data, sa_column_kwargs={"server_default": text("'{}'")}
    )
    """Changes of the players of seats, by player number."""
    pause_offer: dict[str, Any] | None = Field(sa_type=Data)
    breaks: list[Any] = Field(sa_type=Data, sa_column_kwargs={"server_default": text("'[]'")})
    offers: dict[str, Any] = Field(
        default_factory=dict, sa_type=Data, sa_column_kwargs={"server_default": text("'{}'")}
    )
    """Standing offers, except a draw, and the number of offers that players have made."""
    provider: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    """Distribution that provided the rules, and its version. Empty for pbem."""


class SeatRow(DatabaseRow, table=True):
    """The player in a seat of a match. `playing` says that the match is not over, for the index."""

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("match_id", "seat"),
        Index(None, "player_id", "playing", "match_id"),
    )

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    place: int = Field(primary_key=True)
    seat: str = Field(sa_type=WordsColumn)
    player_id: int = Field(foreign_key="players.id")
    playing: bool


TIMED = "player_id IS NOT NULL AND undone = 0"
"""Condition for actions that are counted for a player's reliability, worded as in the index."""


class ActionRow(DatabaseRow, table=True):
    """A recorded action. Its key stops two workers from playing the same turn."""

    __tablename__ = "actions"
    __table_args__ = (
        Index(None, "match_id", "turn"),
        only("ix_actions_timed", "player_id, at, late, spent", TIMED),
    )

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    number: int = Field(primary_key=True)
    turn: int
    seat: str = Field(sa_type=WordsColumn)
    text: str = Field(sa_type=WordsColumn)
    passed: list[str] = Field(sa_type=Data)
    at: datetime = Field(sa_type=Moment)
    head: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    undone: int = Field(default=0, sa_column_kwargs=ZERO)
    """History entry that took it back, 0 if it is in force."""
    account: dict[str, Any] | None = Field(default=None, sa_type=Data)
    """Time account of its player before the email with it, in its first action."""
    player_id: int | None = Field(default=None)
    """The player, if it is the first action of an email that completed a timed turn."""
    spent: int | None = Field(default=None)
    """Seconds charged for that turn."""
    late: bool | None = Field(default=None)
    """Whether the flag had fallen."""


DEPARTURE = "kind IN ('lost_on_time', 'forfeited', 'resigned')"
"""Condition for happenings by which players may leave a match, worded as in the index."""
SUCCESSION = "kind IN ('replaced', 'kept', 'given_back')"
"""Condition for happenings that moved seats between players, worded as in the index."""


class SnapshotRow(DatabaseRow, table=True):
    """The position after an action, as text. A cache."""

    __tablename__ = "snapshots"

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    actions: int
    head: str = Field(sa_type=WordsColumn)
    rules_version: int
    text: str = Field(sa_type=Packed)


class HappeningRow(DatabaseRow, table=True):
    """An entry of a match's history that is not an action. `entry` counts actions too."""

    __tablename__ = "happenings"
    __table_args__ = (
        only("ix_happenings_succession", "match_id", SUCCESSION),
        only("ix_happenings_departure", "match_id", DEPARTURE),
    )

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    entry: int = Field(primary_key=True)
    turn: int
    seat: str = Field(sa_type=WordsColumn)
    kind: str = Field(sa_type=WordsColumn)
    at: datetime = Field(sa_type=Moment)
    head: str = Field(sa_type=WordsColumn)
    text: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)


class PlanRow(DatabaseRow, table=True):
    """Turns that a player wrote ahead. `number` counts those of one player in one match."""

    __tablename__ = "plans"
    __table_args__ = (Index(None, "player_id"),)

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    player_id: int = Field(primary_key=True, foreign_key="players.id")
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    lines: list[Any] = Field(sa_type=Data)
    """Lines of steps: whether it is the author's, its actions, the men they must have."""
    turn: int
    since: int
    ended: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    """Why it ended. Empty if it is active."""
    told: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


class DigestRow(DatabaseRow, table=True):
    """A sent digest, and the turn that it showed of each match, by its number."""

    __tablename__ = "digests"
    __table_args__ = (Index(None, "player_id"), Index(None, "at"), FRESH_IDS)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="players.id")
    at: datetime = Field(sa_type=Moment)
    turns: dict[str, int] = Field(sa_type=Data)


class WaitingNewsRow(DatabaseRow, table=True):
    """News of a match that waits for a reader's next digest."""

    __tablename__ = "waiting_news"
    __table_args__ = (Index(None, "reader_id"), Index(None, "due_at"))

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    reader_id: int = Field(primary_key=True, foreign_key="players.id")
    turn: int
    due_at: datetime = Field(sa_type=Moment)
    safe_until: datetime = Field(sa_type=Moment)
    """If the reader's flag falls before this, the news is urgent."""
    said: list[str] = Field(sa_type=Data)
    """Sentences about events."""


class DecisionRow(DatabaseRow, table=True):
    """A director's decision and its reason. `by_id` is empty if made on the command line."""

    __tablename__ = "decisions"
    __table_args__ = (FRESH_IDS,)

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=Moment)
    by_id: int | None = Field(default=None, foreign_key="players.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="matches.id", index=True)
    line: str = Field(sa_type=WordsColumn)
    reason: str = Field(sa_type=WordsColumn)


class PauseRow(DatabaseRow, table=True):
    """A pause of a competition's matches, by its id, or of the whole club (0)."""

    __tablename__ = "pauses"

    competition: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    start: datetime = Field(sa_type=Moment)
    end: datetime | None = Field(default=None, sa_type=Moment)


class InboundRow(DatabaseRow, table=True):
    """A received email. UID and UIDVALIDITY are unsigned 32-bit (RFC 9051 section 2.3.1.1)."""

    __tablename__ = "inbound"
    __table_args__ = (
        UniqueConstraint("folder", "uidvalidity", "uid"),
        Index(None, "state", "id"),
        Index(None, "sender_key", "proven", "recorded_at"),
        Index(None, "topic", "proven", "recorded_at"),
        FRESH_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    folder: str = Field(sa_type=WordsColumn)
    uidvalidity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    received_at: datetime = Field(sa_type=Moment)
    recorded_at: datetime = Field(sa_type=Moment)
    digest: str = Field(sa_type=WordsColumn, index=True)
    state: str = Field(sa_type=WordsColumn)
    sender: str = Field(sa_type=WordsColumn)
    sender_key: str = Field(sa_type=WordsColumn)
    message_id: str = Field(sa_type=WordsColumn)
    reason: str = Field(sa_type=WordsColumn)
    raw: bytes
    player_id: int | None = Field(default=None, foreign_key="players.id")
    proven: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    topic: TopicKey | None = Field(default=None, sa_type=WordsColumn)


class QuestionRow(DatabaseRow, table=True):
    """An unanswered question to a player, or to a stranger at an address."""

    __tablename__ = "questions"
    __table_args__ = (
        Index(None, "player_id", "about"),
        Index(None, "kind", "id"),
        CheckConstraint("(player_id IS NULL) <> (address IS NULL)", name="one_asked"),
        FRESH_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(sa_type=WordsColumn)
    player_id: int | None = Field(foreign_key="players.id")
    address: str | None = Field(sa_type=WordsColumn)
    address_key: str | None = Field(sa_type=WordsColumn, index=True)
    about: TopicKey | None = Field(sa_type=WordsColumn)
    expires_at: datetime = Field(sa_type=Moment)
    asked_by: str = Field(sa_type=WordsColumn, index=True)
    inbound_id: int | None = Field(foreign_key="inbound.id", unique=True)
    data: dict[str, Any] = Field(sa_type=Data)


class InvitedMailboxRow(DatabaseRow, table=True):
    """A mailbox that gets no further invitation, as a keyed hash."""

    __tablename__ = "invited_mailboxes"

    mailbox_key: str = Field(sa_type=WordsColumn, primary_key=True)
    never: bool = False
    """Whether its owner answered `never`."""


class ExposureRow(DatabaseRow, table=True):
    """The proofs of one player (by number) or address that others may have read."""

    __tablename__ = "exposures"

    topic: str = Field(sa_type=WordsColumn, primary_key=True)
    holder_key: str = Field(sa_type=WordsColumn, primary_key=True)
    mail: int
    """Highest outbox id of an email to them whose Message-ID may be known."""
    turn: int
    """Highest turn whose token may be known."""


WAITING = "closed_at IS NULL"
UNREQUESTED = "allowance IS NOT NULL"


class OutboxRow(DatabaseRow, table=True):
    """An email to send. It waits until it was sent or has failed, at `closed_at`."""

    __tablename__ = "outbox"
    __table_args__ = (
        only("ix_outbox_waiting", "urgency, line, id", WAITING),
        only("ix_outbox_waiting_for", "recipient_key, urgency, line", WAITING),
        only("ix_outbox_waiting_about", "topic, urgency, line", WAITING),
        Index(None, "tried_at"),
        Index(None, "topic", "player_id", "id"),
        Index(None, "recipient_key", "kind", "queued_at"),
        only("ix_outbox_allowance", "allowance, queued_at", UNREQUESTED),
        only("ix_outbox_unrequested", "queued_at", UNREQUESTED),
        FRESH_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(sa_type=WordsColumn, unique=True)
    kind: str = Field(sa_type=WordsColumn)
    recipient: str = Field(sa_type=WordsColumn)
    recipient_key: str = Field(sa_type=WordsColumn)
    player_id: int | None = Field(foreign_key="players.id")
    turn: int | None
    queued_at: datetime = Field(sa_type=Moment)
    next_attempt_at: datetime = Field(sa_type=Moment)
    claimed_until: datetime | None = Field(default=None, sa_type=Moment)
    attempts: int = 0
    closed_at: datetime | None = Field(default=None, sa_type=Moment)
    failed: bool = False
    reply: str = Field(default="", sa_type=WordsColumn)
    bounce_key: str | None = Field(default=None, sa_type=WordsColumn, unique=True)
    bounces: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    claimed_by: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    """The worker with the latest claim, which is still valid if `claimed_until` is set."""
    from_name: str = Field(sa_type=WordsColumn)
    from_address: str = Field(sa_type=WordsColumn)
    to_name: str = Field(sa_type=WordsColumn)
    subject: str = Field(sa_type=WordsColumn)
    text: str = Field(sa_type=WordsColumn)
    written_at: datetime = Field(sa_type=Moment)
    thread: list[str] = Field(sa_type=Data)
    """Message-IDs for References."""
    answers: bool
    topic: TopicKey | None = Field(sa_type=WordsColumn)
    html: str = Field(default="", sa_type=Packed, nullable=True)
    picture: str = Field(default="", sa_type=Packed, nullable=True)
    """SVG, from which the attached image is made."""
    reply_to: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    list_id: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    unsubscribe: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    attachments: str = Field(default="", sa_type=Packed, nullable=True)
    """JSON with name, type and text of each."""
    urgency: int = Field(default=1, sa_type=SmallInteger, sa_column_kwargs=ONE)
    domain: str = Field(default="", sa_type=WordsColumn, sa_column_kwargs=EMPTY)
    """Domain of the recipient, case-folded."""
    line: int = Field(default=0, sa_type=BigInteger, sa_column_kwargs=ZERO)
    """Place among those of its urgency, in seconds: when it was queued, or later."""
    tried_at: datetime | None = Field(default=None, sa_type=Moment)
    """When it was last claimed. None if never, or if released untried."""
    received_at: datetime | None = Field(default=None, sa_type=Moment)
    """When the email that caused it was received."""
    allowance: str | None = Field(default=None, sa_type=WordsColumn)
    """The allowance that it counts against, if its reader did not ask for it."""
    writer_id: int | None = None
    """The member whose own words it passes on. No foreign key: SQLite would copy the table."""


class DeadlineRow(DatabaseRow, table=True):
    """A deadline from the clock of a match. This table is an index of the clocks by time."""

    __tablename__ = "deadlines"

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    kind: str = Field(sa_type=WordsColumn, primary_key=True)
    due_at: datetime = Field(sa_type=Moment, index=True)


class ServiceRow(DatabaseRow, table=True):
    """A time that the service remembers, by name."""

    __tablename__ = "service"

    name: str = Field(sa_type=WordsColumn, primary_key=True)
    at: datetime = Field(sa_type=Moment)


class NoteRow(DatabaseRow, table=True):
    """What a player said in a turn. `public` says whether they let everybody read it."""

    __tablename__ = "notes"
    __table_args__ = (FRESH_IDS,)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id", index=True)
    turn: int
    player_id: int = Field(foreign_key="players.id", index=True)
    text: str = Field(sa_type=WordsColumn)
    """Empty if they took it back."""
    at: datetime = Field(sa_type=Moment)
    kind: str = Field(default="note", sa_type=WordsColumn, sa_column_kwargs=NOTE)
    public: bool = Field(default=True, sa_column_kwargs={"server_default": true()})


class WaitingNoteRow(DatabaseRow, table=True):
    """A note that has not been sent to one of its readers yet."""

    __tablename__ = "waiting_notes"
    __table_args__ = (Index(None, "match_id", "reader_id"), Index(None, "reader_id"), FRESH_IDS)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id")
    reader_id: int = Field(foreign_key="players.id")
    turn: int
    player_id: int = Field(foreign_key="players.id")
    """The note's author."""
    text: str = Field(sa_type=WordsColumn)
    at: datetime = Field(sa_type=Moment)
    kind: str = Field(default="note", sa_type=WordsColumn, sa_column_kwargs=NOTE)


class StalePageRow(DatabaseRow, table=True):
    """A change that makes a page of the reading room stale. One page may have several.

    Rows are only added and deleted, never changed, so that players never wait for the publisher.
    """

    __tablename__ = "stale_pages"
    __table_args__ = (Index(None, "kind", "key"), FRESH_IDS)

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(sa_type=WordsColumn)
    key: str = Field(sa_type=WordsColumn)


class WatchRow(DatabaseRow, table=True):
    """Something that a member watches: a match or a member by number, or a game by key."""

    __tablename__ = "watches"
    __table_args__ = (Index(None, "kind", "what"),)

    player_id: int = Field(primary_key=True, foreign_key="players.id")
    kind: str = Field(primary_key=True, sa_type=WordsColumn)
    what: str = Field(primary_key=True, sa_type=WordsColumn)
    since: datetime = Field(sa_type=Moment)


class WatchedRow(DatabaseRow, table=True):
    """What a watcher knows of a match."""

    __tablename__ = "watched"
    __table_args__ = (
        Index(None, "player_id"),
        only("ix_watched_news", "match_id, player_id", "news_at IS NOT NULL"),
    )

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    player_id: int = Field(primary_key=True, foreign_key="players.id")
    turn: int = 0
    """The turn that they know. 0 before the first news."""
    over: bool = False
    news_at: datetime | None = Field(default=None, sa_type=Moment)
    """When its page changed for the first time since their last email about it."""


class AnnouncedRow(DatabaseRow, table=True):
    """What the club's webhook knows of a match."""

    __tablename__ = "announced"
    __table_args__ = (only("ix_announced_waiting", "match_id", "since IS NOT NULL"),)

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    turn: int = 0
    """The turn that it knows. 0 before the first event."""
    over: bool = False
    marks: int = 0
    """Number of changes of its page since then."""
    since: datetime | None = Field(default=None, sa_type=Moment)
    """When the first of them was."""


class RatedMatchRow(DatabaseRow, table=True):
    """A match that counts for ratings, as they see it. Derived from its record.

    The number of an imported match is negative here, so no number of a match is a foreign key.
    """

    __tablename__ = "rated_matches"
    __table_args__ = (Index(None, "ended_at", "match_id"),)

    match_id: int = Field(primary_key=True, sa_column_kwargs=OWN_NUMBER)
    ended_at: datetime = Field(sa_type=Moment)
    game_key: str = Field(sa_type=WordsColumn)
    computers: bool
    sides: list[Any] = Field(sa_type=Data)
    """Rank and players of each side."""
    method: str = Field(sa_type=WordsColumn)
    """Name and version of the model."""


class RatingStepRow(DatabaseRow, table=True):
    """A player's rating in a list after a match. `game_key` is empty in the list of all games."""

    __tablename__ = "rating_steps"
    __table_args__ = (
        Index(
            "ix_rating_steps_course", "player_id", "game_key", "computers", "ended_at", "match_id"
        ),
    )

    match_id: int = Field(primary_key=True)
    game_key: str = Field(primary_key=True, sa_type=WordsColumn)
    player_id: int = Field(primary_key=True, foreign_key="players.id")
    computers: bool
    ended_at: datetime = Field(sa_type=Moment)
    mean: float
    deviation: float
    matches: int


class UnratedMatchRow(DatabaseRow, table=True):
    """A match whose record has changed since it was rated."""

    __tablename__ = "unrated_matches"

    match_id: int = Field(primary_key=True, sa_column_kwargs=OWN_NUMBER)
    aside: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether its game was missing when it should have been rated."""


class ImportedMatchRow(DatabaseRow, table=True):
    """A match of another club, as its record."""

    __tablename__ = "imported_matches"
    __table_args__ = (
        UniqueConstraint("club", "match_id"),
        FRESH_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    club: str = Field(sa_type=WordsColumn)
    match_id: int
    """Its number in that club."""
    record: str = Field(sa_type=Packed)
    """The record as JSON."""
    written: bool = Field(default=False, index=True)
    """Whether the archive has the record as it is here."""


class RatedNameRow(DatabaseRow, table=True):
    """A name in the records of another club that stands for one of our members."""

    __tablename__ = "rated_names"

    club: str = Field(primary_key=True, sa_type=WordsColumn)
    name: str = Field(primary_key=True, sa_type=WordsColumn)
    player_id: int = Field(foreign_key="players.id", index=True)


class ErasedMailRow(DatabaseRow, table=True):
    """A received email that was erased here but is still in the mailbox."""

    __tablename__ = "erased_mails"
    __table_args__ = (FRESH_IDS,)

    id: int | None = Field(default=None, primary_key=True)
    folder: str = Field(sa_type=WordsColumn)
    uidvalidity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    message_id: str = Field(sa_type=WordsColumn)


class ReadUntilRow(DatabaseRow, table=True):
    """The highest UID of a folder whose email has been pruned."""

    __tablename__ = "read_until"

    folder: str = Field(sa_type=WordsColumn, primary_key=True)
    uidvalidity: int = Field(
        sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False}
    )
    uid: int = Field(sa_type=BigInteger)


class FingerprintRow(DatabaseRow, table=True):
    """A pruned email, as 64 bits of a hash."""

    __tablename__ = "fingerprints"

    fingerprint: int = Field(
        sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False}
    )
