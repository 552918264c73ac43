"""Ports for outgoing email: the queue of waiting emails, and the server that takes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, Protocol

from pbem.mail.outgoing.letter import Letter, Urgency
from pbem.mail.topic import Holder, TopicKey
from pbem.matches.match import PlayerId


@dataclass(frozen=True)
class OutgoingMail:
    """A letter ready to go; its Message-ID stays the same however often it is sent."""

    letter: Letter
    kind: str
    """Name of its template."""
    player: PlayerId | None = None
    topic: TopicKey | None = None
    turn: int | None = None
    bounce_key: str | None = None
    """Unguessable part of its envelope sender; None: that is the club's address."""
    urgency: Urgency = Urgency.NOTICE
    received_at: datetime | None = None
    """When the mail was received upon which it was written; None: upon none, or it goes again."""
    allowance: str | None = None
    """What it counts against if its reader did not ask for it; None if they did."""

    @property
    def holder(self) -> Holder:
        """Whom its token proves: the player, or where it goes to if that is a stranger."""
        return self.recipient.casefold() if self.player is None else self.player

    @property
    def message_id(self) -> str:
        """What names it in a thread."""
        return self.letter.message_id

    @property
    def recipient(self) -> str:
        """The address that it goes to."""
        return self.letter.to_address

    @property
    def domain(self) -> str:
        """What stands behind the last @ of it, case-folded."""
        return self.recipient.rpartition("@")[2].casefold()


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


class NewMail(NamedTuple):
    """A mail to be queued."""

    mail: OutgoingMail
    failure: str = ""
    """Why it cannot go, where that is known: then it has failed at once."""


class Unrequested(NamedTuple):
    """An email that its reader did not ask for."""

    queued_at: datetime
    player: PlayerId | None
    kind: str


class DueMail(NamedTuple):
    """A mail that could go now."""

    id: int
    urgency: Urgency
    domain: str


class OutboxLine(NamedTuple):
    """Mails of one urgency to one domain that have not been tried, and could go now."""

    urgency: Urgency
    domain: str
    mails: int
    since: datetime
    """When the oldest was queued."""


@dataclass(frozen=True)
class QueuedMail:
    """A claimed row of the outbox."""

    id: int
    mail: OutgoingMail
    attempts: int
    """How often it has been tried before."""


@dataclass(frozen=True)
class TroubledMail:
    """A mail that has failed, or waits because it was refused, put off, or came back."""

    id: int
    recipient: str
    kind: str
    player: PlayerId | None
    topic: TopicKey | None
    queued_at: datetime
    failed_at: datetime | None
    """None: it waits to be tried again."""
    reply: str
    """Why, in the words of the server."""


@dataclass(frozen=True)
class WaitingMail:
    """A mail that has neither gone nor failed, without what it says."""

    id: int
    message_id: str
    recipient: str
    kind: str
    player: PlayerId | None
    topic: TopicKey | None
    queued_at: datetime
    received_at: datetime | None = None
    """When the mail came upon which it was written; None: upon none."""


SPACING = timedelta(seconds=10)
"""By how much later a mail goes for each that waits for the same reader, or about the same match,
where not all can go at once: a flood of either holds up nobody else."""


class Outbox(Protocol):
    """Mail waiting to go, and what has gone.

    A mail may be dropped while somebody sends it; what became of it then is told in vain.
    """

    def add(self, mail: OutgoingMail, at: datetime, *, failure: str = "") -> None:
        """Queues a mail; raises StorageError if its Message-ID or bounce key is taken.

        Then the unit of work is to be given up. Where it is known why the mail cannot go, it has
        failed at once.
        """

    def add_all(self, mails: Sequence[NewMail], at: datetime) -> None:
        """The same for several, in this order."""

    def take_turns(self) -> None:
        """Nobody else who takes turns claims mail until this unit of work ends."""

    def tried(self, since: datetime) -> Counter[str]:
        """How many mails have been claimed since then, and not given back untried, by domain."""

    def due(self, now: datetime, most: int, without: Collection[str] = ()) -> list[DueMail]:
        """The first `most` of each urgency that are due and nobody holds, in the order to go.

        That is the order in which they were queued; but of each reader, and of each match, one
        mail in `SPACING`. None is to the domains that are named. Nobody else is given them until
        this unit of work ends.
        """

    def claim(
        self, ids: Collection[int], now: datetime, until: datetime, holder: str = ""
    ) -> list[QueuedMail]:
        """Takes mails that are due until a moment; returns them in no certain order.

        The name of the holder, if there is one, says who has died.
        """

    def sent(self, queued_ids: Collection[int], at: datetime) -> None:
        """They have gone."""

    def failed(self, queued_id: int, reply: str, at: datetime) -> None:
        """It will never go."""

    def drop(self, queued_id: int) -> None:
        """Nothing is kept of it, whatever has become of it."""

    def retry(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        """It could not go now."""

    def release(self, queued_id: int, due_at: datetime | None = None) -> None:
        """Gives a claim back; the mail has not been tried, and is due at once or at a moment."""

    def holders(self) -> list[str]:
        """Names of those who hold mail, sorted; nobody without a name."""

    def release_of(self, holder: str) -> int:
        """Gives back what somebody holds, untried; returns how many mails."""

    def by_bounce_key(self, key: str) -> PostedMail | None:
        """Mail whose envelope sender has a key."""

    def by_message_id(self, message_id: str) -> PostedMail | None:
        """Mail with a Message-ID."""

    def latest(self, topic: TopicKey, holder: Holder) -> PostedMail | None:
        """Newest mail of a topic to somebody."""

    def bounced(self, queued_id: int, reply: str, at: datetime) -> None:
        """It came back for good: it has failed, though it had gone."""

    def bounced_for_now(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        """It came back, and is to be tried again."""

    def threads(self, topic: TopicKey, holders: Sequence[Holder]) -> Mapping[Holder, list[str]]:
        """Message-IDs of the mails of a topic to each of some, oldest first: first and last 9."""

    def thread(self, topic: TopicKey, holder: Holder) -> list[str]:
        """Those to one."""

    def queued_at(self, topic: TopicKey, holder: Holder, turn: int) -> datetime | None:
        """When the newest mail of a topic and turn to somebody was queued; None if none was."""

    def sent_to(self, topic: TopicKey, holder: Holder, turn: int) -> Mapping[str, datetime]:
        """Addresses to which mails of a topic and turn (or none) to somebody went; when first."""

    def latest_turn(self, topic: TopicKey, holder: Holder) -> int | None:
        """Turn in the newest mail of a topic to somebody; None before the first."""

    def count(self, recipient: str, kind: str, since: datetime) -> int:
        """How many mails of a kind, or any, were queued for an address (case-folded) since then."""

    def unrequested(self, allowance: str, since: datetime) -> list[Unrequested]:
        """Return the emails queued since then that count against an allowance, oldest first."""

    def to_strangers(self, since: datetime, allowances: str) -> list[Unrequested]:
        """Return the unrequested emails to nobody's address queued since then, oldest first.

        Only those whose allowance begins with a text.
        """

    def troubled(
        self, since: datetime, limit: int, player: PlayerId | None = None
    ) -> list[TroubledMail]:
        """Mails queued since then, to anybody or a player, that have failed or are tried again.

        Newest first.
        """

    def unsent(self) -> int:
        """How many wait."""

    def waiting(self) -> list[WaitingMail]:
        """Those that wait, oldest first."""

    def withhold(self, queued_id: int, why: str, at: datetime) -> None:
        """It does not go, and need not: neither sent nor failed."""

    def lines(self, now: datetime) -> list[OutboxLine]:
        """The mails that could go now and wait in line, the most urgent first."""


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
