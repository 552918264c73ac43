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
    """A letter ready to be sent. Its Message-ID stays the same each time it is sent."""

    letter: Letter
    kind: str
    """Name of its template."""
    player: PlayerId | None = None
    topic: TopicKey | None = None
    turn: int | None = None
    bounce_key: str | None = None
    """Unguessable part of its envelope sender. None means the club's address."""
    urgency: Urgency = Urgency.NOTICE
    received_at: datetime | None = None
    """When the email that caused it was received. None if no email did, or if it is sent again."""
    allowance: str | None = None
    """The allowance it counts against if its reader did not ask for it. None if they did."""
    writer: PlayerId | None = None
    """The member whose own words it passes on, so that a plain reply goes to them."""

    @property
    def holder(self) -> Holder:
        """The person its token proves: the player, or for strangers the recipient's address."""
        return self.recipient.casefold() if self.player is None else self.player

    @property
    def message_id(self) -> str:
        """Message-ID, which threads refer to."""
        return self.letter.message_id

    @property
    def recipient(self) -> str:
        """Recipient's address."""
        return self.letter.to_address

    @property
    def domain(self) -> str:
        """Domain of the recipient, case-folded."""
        return self.recipient.rpartition("@")[2].casefold()


@dataclass(frozen=True)
class PostedMail:
    """A row of the outbox in any state."""

    id: int
    mail: OutgoingMail
    queued_at: datetime
    closed: bool
    """Whether it was sent or failed."""
    failed: bool
    bounces: int
    """Number of times it bounced and was tried again."""


class NewMail(NamedTuple):
    """An email to queue."""

    mail: OutgoingMail
    failure: str = ""
    """Why it cannot be sent, if that is already known. It then counts as failed."""
    not_before: datetime | None = None
    """When it may be sent, if a later email is likely to replace it. None: at once."""


class Unrequested(NamedTuple):
    """An email that its reader did not ask for."""

    queued_at: datetime
    player: PlayerId | None
    kind: str


class DueMail(NamedTuple):
    """An email that is due."""

    id: int
    urgency: Urgency
    domain: str


class OutboxLine(NamedTuple):
    """Untried due emails of one urgency to one domain."""

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
    """Number of earlier attempts."""


@dataclass(frozen=True)
class TroubledMail:
    """An email that failed, or waits because it was refused, deferred or bounced."""

    id: int
    recipient: str
    kind: str
    player: PlayerId | None
    topic: TopicKey | None
    queued_at: datetime
    failed_at: datetime | None
    """When it failed. None while it waits for another attempt."""
    reply: str
    """The reason, in the server's words."""


@dataclass(frozen=True)
class WaitingMail:
    """A waiting email, without its text."""

    id: int
    message_id: str
    recipient: str
    kind: str
    player: PlayerId | None
    topic: TopicKey | None
    queued_at: datetime
    received_at: datetime | None = None
    """When the email that caused it was received. None if no email did."""


SPACING = timedelta(seconds=10)
"""Delay between emails to one reader, or about one match, when they cannot all be sent at once.

So a flood to one reader or match does not delay anybody else."""


class Outbox(Protocol):
    """Emails that wait to be sent, and those that were sent.

    An email may be dropped while it is being sent. Its result is then ignored.
    """

    def add(self, mail: OutgoingMail, at: datetime, *, failure: str = "") -> None:
        """Queue an email. With `failure`, it counts as failed at once.

        Raises StorageError if its Message-ID or bounce key is taken. The caller must then abandon
        the unit of work.
        """

    def add_all(self, mails: Sequence[NewMail], at: datetime) -> None:
        """Queue several emails in this order, as `add` does."""

    def take_turns(self) -> None:
        """Lock claiming, until this unit of work ends, for everyone who calls this method."""

    def tried(self, since: datetime) -> Counter[str]:
        """Count the emails claimed since a moment and not released untried, by domain."""

    def due(self, now: datetime, most: int, without: Collection[str] = ()) -> list[DueMail]:
        """Return the first `most` due and unclaimed emails of each urgency, in sending order.

        That is the order of queueing, but with one email per reader and per match in `SPACING`.
        Leaves out the domains `without`. Locks the rows until this unit of work ends.
        """

    def claim(
        self, ids: Collection[int], now: datetime, until: datetime, holder: str = ""
    ) -> list[QueuedMail]:
        """Claim emails that are due until a moment. Return them in no particular order.

        A holder's name shows later whether the process that claimed them died.
        """

    def sent(self, queued_ids: Collection[int], at: datetime) -> None:
        """Mark emails as sent."""

    def failed(self, queued_id: int, reply: str, at: datetime) -> None:
        """Mark an email as failed for good."""

    def drop(self, queued_id: int) -> None:
        """Delete an email, whatever its state."""

    def retry(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        """Schedule another attempt after a temporary failure."""

    def release(self, queued_id: int, due_at: datetime | None = None) -> None:
        """Release a claim without counting an attempt. The email is due at once or at `due_at`."""

    def holders(self) -> list[str]:
        """Return the names of processes with claims, sorted. Claims without a name are left out."""

    def release_of(self, holder: str) -> int:
        """Release all claims of a holder, untried. Return how many."""

    def by_bounce_key(self, key: str) -> PostedMail | None:
        """Return the email whose envelope sender has a bounce key."""

    def by_message_id(self, message_id: str) -> PostedMail | None:
        """Return the email with a Message-ID."""

    def latest(self, topic: TopicKey, holder: Holder) -> PostedMail | None:
        """Return the newest email on a topic to a holder."""

    def bounced(self, queued_id: int, reply: str, at: datetime) -> None:
        """Mark a sent email as failed because it bounced permanently."""

    def bounced_for_now(self, queued_id: int, reply: str, next_attempt_at: datetime) -> None:
        """Schedule another attempt for an email that bounced temporarily."""

    def threads(self, topic: TopicKey, holders: Sequence[Holder]) -> Mapping[Holder, list[str]]:
        """Return the first and the last 9 Message-IDs on a topic for each holder, oldest first."""

    def thread(self, topic: TopicKey, holder: Holder) -> list[str]:
        """Return the Message-IDs on a topic for one holder, as `threads` does."""

    def queued_at(self, topic: TopicKey, holder: Holder, turn: int) -> datetime | None:
        """Return when the newest email on a topic and turn to a holder was queued, None if none."""

    def sent_to(self, topic: TopicKey, holder: Holder, turn: int) -> Mapping[str, datetime]:
        """Return the addresses that got an email on a topic and turn, each with its first time."""

    def latest_turn(self, topic: TopicKey, holder: Holder) -> int | None:
        """Return the turn in the newest email on a topic to a holder, None before the first."""

    def count(self, recipient: str, kind: str, since: datetime) -> int:
        """Count the emails of a kind, or of any, queued for an address since a moment.

        The address is case-folded.
        """

    def unrequested(self, allowance: str, since: datetime) -> list[Unrequested]:
        """Return the emails queued since then that count against an allowance, oldest first."""

    def to_strangers(self, since: datetime, allowances: str) -> list[Unrequested]:
        """Return the unrequested emails to nobody's address queued since then, oldest first.

        Only those whose allowance begins with a text.
        """

    def troubled(
        self, since: datetime, limit: int, player: PlayerId | None = None
    ) -> list[TroubledMail]:
        """Return emails queued since a moment that failed or are tried again, newest first.

        Of one player, or of all.
        """

    def unsent(self) -> int:
        """Count the waiting emails."""

    def waiting(self) -> list[WaitingMail]:
        """Return the waiting emails, oldest first."""

    def delayed(self, topic: TopicKey, now: datetime) -> Sequence[PostedMail]:
        """Return the untried emails on a topic that may be sent only later, oldest first."""

    def withhold(self, queued_id: int, why: str, at: datetime) -> None:
        """Cancel an email that no longer needs to be sent. It is neither sent nor failed."""

    def lines(self, now: datetime) -> list[OutboxLine]:
        """Return the lines of due emails, most urgent first."""


class Delivery(StrEnum):
    """The server's answer to one email."""

    SENT = "sent"
    DEFERRED = "deferred"
    """4xx, a lost connection or an unknown result: try again."""
    REFUSED = "refused"
    """5xx to the recipient or the email: don't try again."""


class DeliveryReport(NamedTuple):
    """Result of sending one email."""

    delivery: Delivery
    reply: str
    """The server's reply, for people."""


class TransportError(Exception):
    """The SMTP server could not be reached or refused the session. Nothing was sent."""


class Session(Protocol):
    """An open SMTP connection for a batch."""

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        """Send one email to one recipient. Raises TransportError if the connection is lost."""


class Transport(Protocol):
    """The SMTP server."""

    def connect(self) -> AbstractContextManager[Session]:
        """Open a connection. Raises TransportError."""
