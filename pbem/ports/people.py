"""Ports for members: addresses, leave, absence notices, offers, blocks and open questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from pbem.mail.topic import Holder, QuestionTopic, TopicKey
from pbem.matches.leave import Leave
from pbem.matches.match import Player, PlayerId
from pbem.matches.offer import Offer


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
    added_at: datetime | None = None
    """When it was confirmed, if the member added it by email; None for any other."""


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
        """A new player; raises StorageError if an address or a name like theirs is taken."""

    def get(self, player: PlayerId) -> Player:
        """Raises StorageError if there is none."""

    def lock(self, player: PlayerId) -> Player:
        """Like get; nobody else can lock them until this unit of work ends."""

    def named(self, name: str) -> Player | None:
        """Player with a name, case-folded."""

    def like(self, name: str) -> Player | None:
        """Player whose name can be taken for a text: with the same skeleton (UTS #39)."""

    def rename(self, player: PlayerId, name: str) -> Player:
        """Gives a player another name; raises StorageError if one like it is another's."""

    def at(self, address: str) -> Player | None:
        """Player with an address, whatever the case of its letters; ß is not ss here."""

    def all(self) -> list[Player]:
        """Every member, by name; nobody who has left."""

    def addresses(self, player: PlayerId) -> list[Address]:
        """All that is known of a player's addresses, in their order."""

    def set_addresses(
        self, player: PlayerId, addresses: Sequence[str], added_at: datetime | None = None
    ) -> Player:
        """Replaces their addresses; of those that stay, what is known stays too.

        `added_at` is when the member added the new ones by email; None if they did not.
        Raises StorageError if one is taken (case-folded), ValueError if there is none.
        """

    def add_bot(self, kind: str, name: str, address: str) -> Player:
        """A new computer opponent; raises StorageError if the name or the address is taken."""

    def bots(self) -> list[Player]:
        """Every computer opponent, in the order in which they were made."""

    def choose(self, player: PlayerId, key: str, value: str) -> None:
        """Sets something for a player, by the key of the setting; raises StorageError."""

    def address_failed(self, address: str, at: datetime, why: str) -> None:
        """An address (case-folded) accepts no mail; raises StorageError if nobody has it."""

    def unreached_since(self, moment: datetime) -> list[PlayerId]:
        """Who has an address that has accepted no mail since that moment, or longer."""

    def address_works(self, address: str, at: datetime) -> None:
        """It accepts mail again."""


class Absences(Protocol):
    """What automatic answers of players said."""

    def add(self, notice: AbsenceNotice) -> None:
        """Keeps a notice."""

    def of(self, player: PlayerId, limit: int) -> list[AbsenceNotice]:
        """A player's notices, newest first."""


class Leaves(Protocol):
    """When players are on leave."""

    def of(self, player: PlayerId, since: datetime) -> list[Leave]:
        """Those of a player that end after a moment, in order."""

    def put(self, player: PlayerId, leaves: Iterable[Leave], since: datetime) -> None:
        """Has some in place of all that end after a moment; raises StorageError."""


class Offers(Protocol):
    """Challenges and open tables, numbered together."""

    def add(self, offer: Offer) -> Offer:
        """Stores a new offer and gives it its number; raises StorageError for unknown players."""

    def get(self, number: int) -> Offer:
        """An offer, also one that stands no more; raises StorageError if there is none."""

    def lock(self, number: int) -> Offer:
        """Like get; nobody else can lock it until this unit of work ends."""

    def save(self, offer: Offer) -> None:
        """Stores what changed of an offer."""

    def standing(self) -> list[Offer]:
        """Those that can be answered, oldest first."""

    def of_player(self, player: PlayerId) -> list[Offer]:
        """Those of them that somebody is in, or is asked by; oldest first."""

    def expired(self, now: datetime) -> list[int]:
        """Numbers of those that stand though their time is over, oldest first."""

    def postpone(self, by: timedelta, after: datetime) -> None:
        """What stands until later than a moment stands so much longer."""


class Blocks(Protocol):
    """Who wants neither to be challenged nor to be joined by whom."""

    def add(self, player: PlayerId, blocked: PlayerId) -> None:
        """A player blocks another; nothing happens if they do already."""

    def remove(self, player: PlayerId, blocked: PlayerId) -> None:
        """They do so no more."""

    def of(self, player: PlayerId) -> list[PlayerId]:
        """Whom a player blocks, in the order in which they did."""

    def around(self, player: PlayerId) -> frozenset[PlayerId]:
        """Everybody whom a player blocks, or who blocks them."""


@dataclass(frozen=True)
class OpenQuestion:
    """Something somebody was asked; it waits for their answer until it expires."""

    kind: str
    """Which question it is, by its type in `pbem.service.questions`."""
    holder: Holder
    """Who was asked."""
    about: TopicKey | None
    """What it is about, beside itself."""
    expires_at: datetime
    asked_by: str = ""
    """Message-ID of the mail that asked; empty before there is one."""
    inbound_id: int | None = None
    """The received mail that waits for the answer."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What else its kind needs, fit for JSON."""
    id: int = 0

    @property
    def topic(self) -> QuestionTopic:
        """The question itself, as a token names it."""
        return QuestionTopic(self.id)


class Questions(Protocol):
    """Questions of the club that wait for an answer."""

    def ask(self, question: OpenQuestion) -> OpenQuestion:
        """Stores a question and gives it its id.

        Raises StorageError if its received mail waits already, or who or what it names is not
        stored.
        """

    def get(self, question_id: int) -> OpenQuestion:
        """A question that waits, or has just expired; raises StorageError if there is none."""

    def waiting(
        self, holder: Holder, now: datetime, about: TopicKey | None = None
    ) -> list[OpenQuestion]:
        """What somebody was asked, of a topic or at all, and has not expired; oldest first."""

    def of_kind(self, kind: str, now: datetime) -> list[OpenQuestion]:
        """All of a kind that wait, whoever was asked, and have not expired; oldest first."""

    def asked_by(self, message_id: str) -> OpenQuestion | None:
        """The question that a mail asked."""

    def asked(self, question_id: int, message_id: str) -> None:
        """A mail with that Message-ID asks it now."""

    def postpone(self, by: timedelta, after: datetime) -> None:
        """What waits until later than a moment waits so much longer."""

    def drop_expired(self, now: datetime) -> int:
        """Deletes what has expired, with the names and addresses in it; returns how many."""

    def settle(self, question_id: int) -> None:
        """A question was answered, and waits no more; raises StorageError if it did not."""
