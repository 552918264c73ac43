"""Ports for members: addresses, leave, absence notices, offers, blocks and open questions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from pbem.mail.topic import Holder, QuestionTopic, TopicKey
from pbem.matches.leave import Leave
from pbem.matches.match import Player, PlayerId
from pbem.matches.offer import Offer


@dataclass(frozen=True)
class Address:
    """A player's address, and whether it accepts email."""

    address: str
    failed_at: datetime | None = None
    """Time of its first rejection of email. None if it accepts email."""
    failure: str = ""
    """Why it rejects email, usually in a server's words."""
    works_since: datetime | None = None
    """When it last started to work again. None if it never failed."""
    added_at: datetime | None = None
    """When it was confirmed, if the member added it by email. Otherwise None."""


@dataclass(frozen=True)
class AbsenceNotice:
    """The content of an automatic answer to one of the club's emails."""

    player: PlayerId
    match_id: int | None
    at: datetime
    subject: str
    text: str


class Players(Protocol):
    """Members, former members and bots."""

    def add(
        self,
        name: str,
        addresses: Sequence[str],
        time_zone: str = "UTC",
        joined_at: datetime | None = None,
    ) -> Player:
        """Add a player. Raises StorageError if an address or a similar name is taken."""

    def get(self, player: PlayerId) -> Player:
        """Return a player. Raises StorageError if there is none."""

    def get_all(self, players: Collection[PlayerId]) -> list[Player]:
        """Return some players in the order given. Raises as `get` does if one is missing."""

    def lock(self, player: PlayerId) -> Player:
        """Return a player and lock them until this unit of work ends. Raises as `get` does."""

    def named(self, name: str) -> Player | None:
        """Return the player with a name, case-folded."""

    def like(self, name: str) -> Player | None:
        """Return the player whose name could be confused with a text: same skeleton (UTS #39)."""

    def rename(self, player: PlayerId, name: str) -> Player:
        """Change a player's name. Raises StorageError if another player has a similar one."""

    def at(self, address: str) -> Player | None:
        """Return the player with an address, ignoring case. ß does not equal ss here."""

    def at_each(self, addresses: Collection[str]) -> Mapping[str, Player]:
        """Return the players with some addresses, by the address as given. Compares as `at`."""

    def all(self) -> list[Player]:
        """Return all members by name, without former members."""

    def addresses(self, player: PlayerId) -> list[Address]:
        """Return a player's addresses in their order."""

    def set_addresses(
        self, player: PlayerId, addresses: Sequence[str], added_at: datetime | None = None
    ) -> Player:
        """Replace a player's addresses. Those that stay keep their state.

        `added_at` is when the member added the new ones by email, None if they did not. Raises
        StorageError if one is taken (case-folded), ValueError if there is none.
        """

    def add_bot(self, kind: str, name: str, address: str) -> Player:
        """Add a bot. Raises StorageError if the name or the address is taken."""

    def bots(self) -> list[Player]:
        """Return all bots in the order of their creation."""

    def choose(self, player: PlayerId, key: str, value: str) -> None:
        """Store a player's value of a setting. Raises StorageError if there is no such player."""

    def unban(self, player: PlayerId, at: datetime) -> None:
        """Lift any ban: losses on time up to a moment ban a player from nothing.

        Raises StorageError if there is no such player.
        """

    def address_failed(self, address: str, at: datetime, why: str) -> None:
        """Mark an address (case-folded) as rejecting email.

        Raises StorageError if it is nobody's.
        """

    def unreached_since(self, moment: datetime) -> list[PlayerId]:
        """Return the players with an address that has rejected email since a moment or longer."""

    def address_works(self, address: str, at: datetime) -> None:
        """Mark an address as accepting email again."""


class Absences(Protocol):
    """Absence notices from players' automatic answers."""

    def add(self, notice: AbsenceNotice) -> None:
        """Store a notice."""

    def of(self, player: PlayerId, limit: int) -> list[AbsenceNotice]:
        """Return a player's notices, newest first."""


class Leaves(Protocol):
    """Periods of leave."""

    def of(self, player: PlayerId, since: datetime) -> list[Leave]:
        """Return a player's leaves that end after a moment, in order."""

    def put(self, player: PlayerId, leaves: Iterable[Leave], since: datetime) -> None:
        """Replace a player's leaves that end after a moment. Raises StorageError."""


class Wait(NamedTuple):
    """How long a search for anybody took."""

    game_key: str
    waited: timedelta


class Offers(Protocol):
    """Challenges, open tables and searches, in one numbering."""

    def add(self, offer: Offer) -> Offer:
        """Store a new offer and number it. Raises StorageError for unknown players."""

    def get(self, number: int) -> Offer:
        """Return an offer, open or closed. Raises StorageError if there is none."""

    def lock(self, number: int) -> Offer:
        """Return an offer and lock it until this unit of work ends. Raises as `get` does."""

    def save(self, offer: Offer) -> None:
        """Store an offer's changes."""

    def standing(self) -> list[Offer]:
        """Return the open offers, oldest first."""

    def of_player(self, player: PlayerId) -> list[Offer]:
        """Return the open offers that a player has joined or is invited to, oldest first."""

    def expired(self, now: datetime) -> list[int]:
        """Return the numbers of open offers that have expired, oldest first."""

    def waits(self) -> list[Wait]:
        """Return how long the latest searches took, newest first."""

    def postpone(self, by: timedelta, after: datetime) -> None:
        """Extend by a duration the open offers that expire after a moment."""


class Blocks(Protocol):
    """Which players block which others."""

    def add(self, player: PlayerId, blocked: PlayerId) -> None:
        """Block a player. Idempotent."""

    def remove(self, player: PlayerId, blocked: PlayerId) -> None:
        """Unblock a player."""

    def of(self, player: PlayerId) -> list[PlayerId]:
        """Return the players whom a player blocks, in the order of blocking."""

    def around(self, player: PlayerId) -> frozenset[PlayerId]:
        """Return the players whom a player blocks or who block them."""

    def among(self, players: Collection[PlayerId]) -> frozenset[frozenset[PlayerId]]:
        """Return the pairs of these players of whom one blocks the other."""


@dataclass(frozen=True)
class Mute:
    """A player whom another does not want to read."""

    muted: PlayerId
    match_id: int | None = None
    """The match, None for all."""


class Mutes(Protocol):
    """Which players do not want to read which others."""

    def add(self, player: PlayerId, mute: Mute) -> None:
        """Mute a player. Idempotent. Raises StorageError if they or the match are not stored."""

    def remove(self, player: PlayerId, mute: Mute) -> None:
        """Lift a mute, if there is one."""

    def of(self, player: PlayerId) -> Sequence[Mute]:
        """Return a player's mutes in the order of muting."""


class InvitedMailboxes(Protocol):
    """Mailboxes that get no further invitation, by keyed hashes."""

    def note(self, key: str, *, never: bool = False) -> None:
        """Store a mailbox. `never` stays once it is stored."""

    def said_never(self, keys: Collection[str]) -> bool | None:
        """Return whether a mailbox with one of these keys said `never`, None if none is stored."""

    def drop(self, keys: Collection[str]) -> None:
        """Delete the mailboxes with these keys, unless they said `never`."""


@dataclass(frozen=True)
class OpenQuestion:
    """A question to a person. It waits for an answer until it expires."""

    kind: str
    """Name of its type in `pbem.service.questions`."""
    holder: Holder
    """The person who was asked."""
    about: TopicKey | None
    """Subject of the question, apart from the question itself."""
    expires_at: datetime
    asked_by: str = ""
    """Message-ID of the email that asked it. Empty before there is one."""
    inbound_id: int | None = None
    """The received email that waits for the answer."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Other data that its kind needs, as JSON values."""
    id: int = 0

    @property
    def topic(self) -> QuestionTopic:
        """The question as a topic, as in a token."""
        return QuestionTopic(self.id)


class Questions(Protocol):
    """The club's open questions."""

    def ask(self, question: OpenQuestion) -> OpenQuestion:
        """Store a question and number it.

        Raises StorageError if its received email already waits for an answer, or if anything it
        refers to is not stored.
        """

    def get(self, question_id: int) -> OpenQuestion:
        """Return a question that is open or has just expired.

        Raises StorageError if there is none.
        """

    def waiting(
        self, holder: Holder, now: datetime, about: TopicKey | None = None
    ) -> list[OpenQuestion]:
        """Return a person's unexpired questions, on one topic or all, oldest first."""

    def of_kind(self, kind: str, now: datetime) -> list[OpenQuestion]:
        """Return all unexpired questions of a kind, oldest first."""

    def asked_by(self, message_id: str) -> OpenQuestion | None:
        """Return the question asked by the email with a Message-ID."""

    def asked(self, question_id: int, message_id: str) -> None:
        """Record the Message-ID of the email that now asks a question."""

    def postpone(self, by: timedelta, after: datetime) -> None:
        """Extend by a duration the questions that expire after a moment."""

    def drop_expired(self, now: datetime) -> int:
        """Delete expired questions with the names and addresses in them. Return how many."""

    def settle(self, question_id: int) -> None:
        """Close an answered question. Raises StorageError if it is not open."""
