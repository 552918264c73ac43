"""Ports for received email: the mailbox, and the emails recorded from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Protocol

from pbem.mail.topic import TopicKey
from pbem.matches.match import Player, PlayerId


class InboundState(StrEnum):
    """Processing state of a received email."""

    NEW = "new"
    DONE = "done"
    REFUSED = "refused"
    IGNORED = "ignored"
    """An automatic answer, a bounce, an email from a list, or one of the club's own."""
    DUPLICATE = "duplicate"
    STRANGER = "stranger"
    LIMITED = "limited"
    """Over a limit; not answered and never read again."""
    KEPT = "kept"
    """Over a limit; read again as soon as the limit allows."""
    PARKED = "parked"
    SHUNTED = "shunted"


ANSWERED = (InboundState.DONE, InboundState.REFUSED, InboundState.PARKED)
"""States of emails from players that got an answer."""
CHANGED = "changed the match"
"""Reason of a DONE email that changed its match."""
CONFIRMED = "confirmed"
"""Reason of an email that was PARKED and became DONE when another email confirmed it."""
PREVIEWED = "only previewed"
"""Reason of a DONE email whose answer uses none of those that a member gets in a day."""
NOT_IN_VAIN = frozenset({CHANGED, CONFIRMED, PREVIEWED})
"""Reasons of emails that do not count as answered without effect."""
HELD = "over the limit of "
"""Prefix of the reason of a KEPT email that waits for room in an allowance, named after it."""
RETRIED = "retried by the director"
"""Reason of an email that the director made NEW again, regardless of limits."""
FEW = 16
"""Up to this many waiting emails are read in the order in which they arrived."""
AHEAD = "it has a good token"
"""Reason of a NEW email that is read before those of senders who have proven nothing."""


@dataclass(frozen=True)
class RecordedMail:
    """Metadata of a received email, without its bytes, since lists may hold many large emails."""

    id: int
    received_at: datetime
    recorded_at: datetime
    message_id: str
    digest: str
    sender: str
    """Address in From, in lower case. Empty if there is none."""
    state: InboundState = InboundState.NEW
    reason: str = ""
    """Why it is in this state. For a shunted email, the traceback."""
    player: PlayerId | None = None
    """The player who sent it, or whom it claims as its sender."""
    topic: TopicKey | None = None
    """The match, membership or question that it is about."""
    proven: bool = False


class KeptMail(NamedTuple):
    """A KEPT email, without its bytes."""

    id: int
    sender: str
    reason: str
    recorded_at: datetime
    player: PlayerId | None


@dataclass(frozen=True)
class InboundMail(RecordedMail):
    """A received email with its bytes."""

    raw: bytes = field(kw_only=True)


@dataclass(frozen=True)
class MailFilter:
    """Conditions on received emails. A field that is None matches every email."""

    player: Player | None = None
    """The email belongs to this player or came from one of their addresses."""
    topic: TopicKey | None = None
    state: InboundState | None = None
    since: datetime | None = None
    """Received at this moment or later."""


@dataclass(frozen=True)
class InboundKey:
    """Key of an email, read when it is recorded.

    Besides the UID, the first three fields identify it (docs/contracts.md, "Duplicates").
    """

    message_id: str
    digest: str
    sender: str
    ahead: bool = False
    """Whether it is read before emails of senders who have proven nothing."""


class Provenance(NamedTuple):
    """Owner of the sender's address, and the earlier emails from that sender.

    The counts leave out duplicates and emails that changed a match, so nobody can play too much.
    """

    player: Player | None
    pruned: bool
    """Whether an email with the same digest and Message-ID was read and pruned."""
    copied: bool
    """Whether there are copies of this email."""
    proven: int
    """Number of proven emails from any address of the sender."""
    unproven: int
    """Number of unproven emails from this address."""


class KeyedMail(NamedTuple):
    """A received email and the key that identifies it."""

    mail: ReceivedMail
    key: InboundKey


class Attribution(NamedTuple):
    """The real or claimed sender of an email, its topic, and whether they are proven."""

    player: PlayerId | None
    topic: TopicKey | None
    proven: bool


class NewEmail(NamedTuple):
    """A NEW email."""

    id: int
    ahead: bool


def in_line(waiting: Iterable[NewEmail]) -> list[int]:
    """Return the ids of emails in reading order.

    The oldest come first, but in a long queue those ahead do.
    """
    line = sorted(waiting)
    if len(line) > FEW:
        line.sort(key=lambda each: not each.ahead)
    return [each.id for each in line]


class Inbound(Protocol):
    """All received emails that the club keeps."""

    def add(self, mail: ReceivedMail, key: InboundKey, at: datetime) -> int | None:
        """Record an email as NEW.

        Return None if its (folder, UIDVALIDITY, UID) is already recorded.
        """

    def add_all(self, mails: Sequence[KeyedMail], at: datetime) -> list[int | None]:
        """Record several emails as `add` does, numbered in this order."""

    def known(self, state: MailboxState, uids: Collection[int]) -> set[int]:
        """Return the UIDs that are recorded, or that are not above a pruned one."""

    def highest(self, state: MailboxState, before: datetime | None) -> int:
        """Return the largest UID recorded before a moment, 0 if there is none."""

    def pending(self) -> list[int]:
        """Return the ids of NEW emails in reading order."""

    def ahead(self, senders: Collection[str], since: datetime) -> Mapping[str, int]:
        """Count the emails since a moment that were proven or read ahead, by sender as given."""

    def waiting_since(self) -> datetime | None:
        """Return when the oldest NEW email was received, None if there is none."""

    def get(self, inbound_id: int) -> InboundMail:
        """Return an email with its bytes. Raises StorageError if there is none."""

    def lock(self, inbound_id: int) -> InboundMail:
        """Return an email and lock it until this unit of work ends. Raises as `get` does."""

    def take_turns(self, key: str) -> None:
        """Lock a key until this unit of work ends.

        All addresses of one person share one key.
        """

    def close(
        self,
        inbound_id: int,
        state: InboundState,
        reason: str = "",
        whose: Attribution | None = None,
    ) -> None:
        """Set the state of an email and, if given, its attribution.

        NEW puts the email back into the queue. Raises StorageError if the email or the player does
        not exist. The caller must then abandon the unit of work.
        """

    def shorten(self, inbound_id: int, raw: bytes) -> None:
        """Replace the stored bytes of an email by these."""

    def copies(self, mail: RecordedMail) -> list[RecordedMail]:
        """Return earlier emails with the same digest, oldest first.

        Their Message-IDs may differ.
        """

    def provenance(self, mail: RecordedMail, since: datetime) -> Provenance:
        """Return the provenance of an email, with earlier emails counted since a moment."""

    def count_about(self, topic: TopicKey, before_id: int, since: datetime, *, proven: bool) -> int:
        """Count the emails on a topic recorded since a moment and before the given id.

        Counts either proven or unproven emails. Leaves out duplicates and emails that changed a
        match, so nobody can play too much.
        """

    def reopen(self, recorded_until: datetime) -> list[int]:
        """Make NEW the emails KEPT at a moment or before. Return their ids, oldest first.

        Leaves out emails whose reason begins with `HELD`.
        """

    def kept_for(self, reason: str) -> list[KeptMail]:
        """Return the KEPT emails whose reason begins with a text, newest first."""

    def in_vain(self, address: str, before_id: int, since: datetime, *, proven: bool) -> int:
        """Count the emails of a sender that were answered without effect, before the given id.

        Counts since a moment, and proven emails only after the last one closed as CHANGED. A parked
        email counts until it is confirmed, one that only previewed never does.
        """

    def heard(self, addresses: Collection[str], since: datetime) -> bool:
        """Return whether any of these addresses sent a proven, answered email since a moment."""

    def recorded_since(self, moment: datetime) -> list[RecordedMail]:
        """Return the emails recorded at a moment or later, oldest first."""

    def in_state(self, state: InboundState) -> list[RecordedMail]:
        """Return all emails in a state, oldest first."""

    def newest(self, wanted: MailFilter, limit: int) -> list[RecordedMail]:
        """Return the emails that match a filter, newest first."""


class MailboxError(Exception):
    """The IMAP server could not be reached, or refused a command. The next poll reconnects."""


class MailboxState(NamedTuple):
    """The folder's current identity. A UID is only valid together with both fields."""

    folder: str
    uidvalidity: int


@dataclass(frozen=True)
class ReceivedMail:
    """One message, in a mailbox folder or handed over without one."""

    folder: str
    uidvalidity: int
    uid: int
    received_at: datetime
    """INTERNALDATE."""
    raw: bytes


NO_FOLDER = ""
"""Folder of an email that was handed over and is in no mailbox."""
FROM_BOTS = "bots by entry"
"""Folder of the emails written by bots, numbered by history entry.

Turns would not do: a bot can hold a seat, lose it and get it back within one turn."""


@dataclass(frozen=True)
class HandedMail:
    """An email handed over by the club's own mail server through LMTP."""

    sender: str
    """Envelope sender. Empty for a bounce."""
    recipients: tuple[str, ...]
    raw: bytes
    host: str
    """Name by which the mail server introduced itself."""


class Mailbox(Protocol):
    """The club's IMAP folder. Every method raises MailboxError."""

    def open(self) -> MailboxState:
        """Connect if there is no live connection, and select the folder again."""

    def unhandled(self, after: int) -> list[int]:
        """Return the UIDs above `after` and all unseen ones, ascending. Some may be known already.

        If handled emails are moved away, returns all UIDs, since a move may have failed.
        """

    def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        """Return the sizes in bytes of messages, where the server knows them."""

    def heads(self, uids: Sequence[int]) -> dict[int, bytes]:
        """Return the header fields of messages that show the sender and the email they answer.

        The fields may be truncated or missing, and prove nothing.
        """

    def fetch(self, uids: Sequence[int], most: int | None = None) -> list[ReceivedMail]:
        """Return the messages of these UIDs that still exist, without changing flags.

        With `most`, at most that many bytes of each.
        """

    def mark_done(self, uids: Sequence[int]) -> None:
        r"""Set `\Seen`, and move the messages to the done folder if there is one."""

    def remove(self, uids: Sequence[int], message_ids: Sequence[str] = ()) -> None:
        """Delete the messages of these UIDs. Ignores messages that no longer exist.

        If handled emails are moved away, also deletes those with these Message-IDs from that
        folder.
        """

    def close(self) -> None:
        """Close the connection. Never raises."""


class MailboxWatch(Protocol):
    """Wait for changes of the folder (IDLE, RFC 2177) on a second connection."""

    def wait(self, seconds: float) -> bool:
        """Return whether the folder changed within this many seconds. Raises MailboxError."""

    def close(self) -> None:
        """End the wait from another thread, and close the connection. Never raises."""
