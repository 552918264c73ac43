"""Ports for received email: the mailbox, and the emails recorded from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Protocol

from pbem.mail.topic import TopicKey
from pbem.matches.match import Player, PlayerId


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
    """It gets no answer, and is not read again."""
    KEPT = "kept"
    """Over a limit; it is read again as soon as the limit allows."""
    PARKED = "parked"
    SHUNTED = "shunted"


ANSWERED = (InboundState.DONE, InboundState.REFUSED, InboundState.PARKED)
"""States of mails of players that were answered."""
CHANGED = "changed the match"
"""Reason of a mail that is DONE and has changed its match."""
CONFIRMED = "confirmed"
"""Reason of a mail that was parked and is DONE, since another one confirmed it."""
HELD = "over the limit of "
"""Prefix of the reason of a KEPT email that waits for room in an allowance, named after it."""
RETRIED = "retried by the director"
"""Reason of a mail that is NEW once more, whatever limit it is over."""
FEW = 16
"""If at most this many emails wait, they are read in the order in which they came."""
AHEAD = "it has a good token"
"""Reason of a NEW email that is read before those of people who have proven nothing."""


@dataclass(frozen=True)
class RecordedMail:
    """What is known of a received email, without its bytes: there may be many, and large ones."""

    id: int
    received_at: datetime
    recorded_at: datetime
    message_id: str
    digest: str
    sender: str
    """Address in From, in lower case; empty if there is none."""
    state: InboundState = InboundState.NEW
    reason: str = ""
    """Why it is in this state; the traceback of a shunted one."""
    player: PlayerId | None = None
    """Whose mail it is, or claims to be."""
    topic: TopicKey | None = None
    """What it is about."""
    proven: bool = False


class KeptMail(NamedTuple):
    """A received email that waits, without its bytes."""

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
    """Which received mails somebody wants to see; what is None does not matter."""

    player: Player | None = None
    """Whose they are, or from one of whose addresses they came."""
    topic: TopicKey | None = None
    state: InboundState | None = None
    since: datetime | None = None
    """Received at that moment or later."""


@dataclass(frozen=True)
class InboundKey:
    """What is read off an email as it is recorded.

    Beside its UID it is identified by the first three (docs/contracts.md, "Duplicates").
    """

    message_id: str
    digest: str
    sender: str
    ahead: bool = False
    """Whether it is read before those that have proven nothing."""


class Provenance(NamedTuple):
    """Whose address a mail came from, and what came before it.

    Of the mails that are counted none is a duplicate, and none changed a match: nobody plays too
    much.
    """

    player: Player | None
    pruned: bool
    """Whether the same mail was read and pruned: same digest, same Message-ID."""
    copied: bool
    """Whether there are copies of it."""
    proven: int
    """Mails of its sender, from any address of theirs, that were proven to be theirs."""
    unproven: int
    """Mails from its address that were not."""


class KeyedMail(NamedTuple):
    """A mail that has come, and what identifies it."""

    mail: ReceivedMail
    key: InboundKey


class Attribution(NamedTuple):
    """Whose a mail is, or claims to be, what it is about, and whether that is proven."""

    player: PlayerId | None
    topic: TopicKey | None
    proven: bool


class NewEmail(NamedTuple):
    """A NEW email."""

    id: int
    ahead: bool


def in_line(waiting: Iterable[NewEmail]) -> list[int]:
    """Return the ids of some emails, oldest first; of many, those that go ahead first."""
    line = sorted(waiting)
    if len(line) > FEW:
        line.sort(key=lambda each: not each.ahead)
    return [each.id for each in line]


class Inbound(Protocol):
    """Received mail, every one of it that is kept."""

    def add(self, mail: ReceivedMail, key: InboundKey, at: datetime) -> int | None:
        """Records a mail as NEW; None if its (folder, UIDVALIDITY, UID) is recorded already."""

    def add_all(self, mails: Sequence[KeyedMail], at: datetime) -> list[int | None]:
        """The same for several, numbered in this order."""

    def known(self, state: MailboxState, uids: Collection[int]) -> set[int]:
        """Those of the UIDs that are recorded, or are not above one that was pruned."""

    def highest(self, state: MailboxState, before: datetime | None) -> int:
        """Return the largest UID that was recorded before a moment, 0 if there is none."""

    def pending(self) -> list[int]:
        """Return the ids of NEW emails, in line."""

    def ahead(self, sender: str, since: datetime) -> int:
        """Count the emails from an address that were proven, or go ahead, since a moment."""

    def waiting_since(self) -> datetime | None:
        """When the earliest of the NEW mails was received; None if there is none."""

    def get(self, inbound_id: int) -> InboundMail:
        """Raises StorageError if there is none."""

    def lock(self, inbound_id: int) -> InboundMail:
        """Like get; nobody else can lock it until this unit of work ends."""

    def take_turns(self, key: str) -> None:
        """Nobody else takes turns for the same key until this unit of work ends.

        All addresses of one person are the same key.
        """

    def close(
        self,
        inbound_id: int,
        state: InboundState,
        reason: str = "",
        whose: Attribution | None = None,
    ) -> None:
        """What has become of a mail, and whose it is, as far as that is told now.

        NEW puts it back into the queue. Raises StorageError if the mail or the player is not there;
        then the unit of work is to be given up.
        """

    def shorten(self, inbound_id: int, raw: bytes) -> None:
        """Keep these bytes of an email and no others."""

    def copies(self, mail: RecordedMail) -> list[RecordedMail]:
        """Earlier mails with the same digest, oldest first; their Message-IDs may differ."""

    def provenance(self, mail: RecordedMail, since: datetime) -> Provenance:
        """Whose address a mail came from, and what came before it; counted since a moment."""

    def count_about(self, topic: TopicKey, before_id: int, since: datetime, *, proven: bool) -> int:
        """How many mails about a topic were recorded since then, and before the one of an id.

        Those that changed a match are not counted: nobody plays too much.

        Only the proven ones are counted, or only the others; duplicates never are.
        """

    def reopen(self, recorded_until: datetime) -> list[int]:
        """Make emails NEW that were KEPT at a moment or before. Return their ids, oldest first.

        Except those whose reason begins with `HELD`.
        """

    def kept_for(self, reason: str) -> list[KeptMail]:
        """Return the KEPT emails whose reason begins with a text, newest first."""

    def in_vain(self, address: str, before_id: int, since: datetime, *, proven: bool) -> int:
        """How many mails of a sender were answered and changed nothing, before the one of an id.

        Those since a moment are counted, and of the proven ones only those after the last that was
        closed as CHANGED. A parked mail is one of them until it is confirmed.
        """

    def heard(self, addresses: Collection[str], since: datetime) -> bool:
        """Whether a proven mail from one of some addresses was recorded since then and answered."""

    def recorded_since(self, moment: datetime) -> list[RecordedMail]:
        """Mails that were recorded at that moment or later, oldest first."""

    def in_state(self, state: InboundState) -> list[RecordedMail]:
        """All mails in a state, oldest first."""

    def newest(self, wanted: MailFilter, limit: int) -> list[RecordedMail]:
        """Emails that a filter lets through, newest first."""


class MailboxError(Exception):
    """The IMAP server could not be reached, or refused; the next poll connects afresh."""


class MailboxState(NamedTuple):
    """The folder as it is now; UIDs mean something only together with both."""

    folder: str
    uidvalidity: int


@dataclass(frozen=True)
class ReceivedMail:
    """One message of the folder, or one that lies in none."""

    folder: str
    uidvalidity: int
    uid: int
    received_at: datetime
    """INTERNALDATE."""
    raw: bytes


NO_FOLDER = ""
"""Stands for the folder of a mail that was handed over, and lies in no mailbox."""
FROM_BOTS = "bots by entry"
"""Likewise of what a bot has sent. By turn it was once; but a bot can hold a seat, lose it and get
it again in one turn."""


@dataclass(frozen=True)
class HandedMail:
    """A mail as our own mail server hands it over by LMTP."""

    sender: str
    """Of the envelope; empty for a bounce."""
    recipients: tuple[str, ...]
    raw: bytes
    host: str
    """As whom the mail server introduced itself."""


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

    def heads(self, uids: Sequence[int]) -> dict[int, bytes]:
        """Return the header fields of messages that show the sender and the email they answer.

        They may be cut off or missing, and prove nothing.
        """

    def fetch(self, uids: Sequence[int], most: int | None = None) -> list[ReceivedMail]:
        """Messages of these UIDs that still exist, without a change of flags.

        Of each at most its first so many bytes, if that is said.
        """

    def mark_done(self, uids: Sequence[int]) -> None:
        """Sets `\\Seen`, and moves the messages to the done folder if there is one."""

    def remove(self, uids: Sequence[int], message_ids: Sequence[str] = ()) -> None:
        """Takes messages of these UIDs away for good; those that have gone already do no harm.

        Where handled mail is moved away, it takes those with these Message-IDs from there.
        """

    def close(self) -> None:
        """Ends the connection; never raises."""


class MailboxWatch(Protocol):
    """Tells when the folder may have changed (IDLE); a second connection."""

    def wait(self, seconds: float) -> bool:
        """Whether something happened within so many seconds; raises MailboxError."""

    def close(self) -> None:
        """Ends the wait from another thread, and the connection; never raises."""
