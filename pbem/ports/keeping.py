"""Ports for retention, for exposed proofs, and for the erasure of members."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from pbem.mail.topic import Holder, TopicKey
from pbem.matches.match import PlayerId


@dataclass(frozen=True)
class LeftMail:
    """An erased email that is still in the club's mailbox."""

    id: int
    """Id of the note about it, not of the email."""
    folder: str
    uidvalidity: int
    uid: int
    message_id: str
    """Finds the email if it was moved to another folder. Empty if it has none."""


class Erasures(Protocol):
    """Erase the data of members, and track the files that still hold some of it."""

    def erase(
        self, player: PlayerId, called: str, settings: Mapping[str, str], at: datetime
    ) -> None:
        """Erase a member, who becomes a former member named `called` everywhere.

        Deletes their addresses, absences, notes, exposures, questions, emails, and all settings but
        the given ones. Deletes the raw bytes of processed emails by others that name them or belong
        to their matches. Removes their name and addresses from letters to others, and the notes
        from letters about their matches. Lists the files that still hold such data, to be cleaned
        later.

        Raises StorageError if there is no such member.
        """

    def note(self, at: datetime) -> None:
        """Note that something was erased whose bytes the database's files may still hold."""

    def left_in_database(self) -> datetime | None:
        """Return when data was last erased that the database's files may still hold."""

    def gone_from_database(self, until: datetime) -> None:
        """Note that the database's files no longer hold what was erased until a moment."""

    def left_in_mailbox(self, most: int, elsewhere: Collection[str] = ()) -> list[LeftMail]:
        """Return the first erased emails still in a mailbox, except in the folders `elsewhere`."""

    def gone_from_mailbox(self, mails: Iterable[LeftMail]) -> None:
        """Note that these emails are no longer in the mailbox."""


class Pruned(NamedTuple):
    """Result of pruning a batch of rows."""

    last: int | None
    """Id of the last row looked at. None if no later row is old enough."""
    dropped: int = 0
    """Number of emails deleted or stripped of their text."""


class Retention(Protocol):
    """Delete what is only kept for a time. Games are kept forever.

    Emails are pruned in small batches, oldest first, so that nobody waits for it.
    """

    def prune_received(self, until: datetime, after: int, most: int) -> Pruned:
        """Delete emails recorded before a moment, among the first `most` after an id.

        Keeps emails that are new, kept, shunted, or the subject of an open question. A pruned email
        is still recognised as a duplicate.
        """

    def prune_sent(self, until: datetime, after: int, most: int) -> Pruned:
        """Delete emails closed before a moment, among the first `most` after an id.

        Keeps emails that ask an open question, and the newest to each director. Keeps the newest to
        each reader about a running match or an open offer. Strips the others of their text only,
        since threads and proofs refer to them.
        """

    def prune_words(self, until: datetime) -> int:
        """Delete other data about emails from before a moment. Return the number of rows.

        These are absence notices, closed offers, plans and unsent notes of ended matches, and
        digests with their exposures and unsent news.
        """

    def prune_leaves(self, until: datetime) -> int:
        """Delete leaves that ended before a moment, unless a current turn began before that.

        Returns how many.
        """

    def prune_caches(self) -> None:
        """Delete positions of ended matches, and duplicate marks of stale pages."""

    def is_mostly_room(self) -> bool:
        """Return whether most of the database's file is free space, and enough to reclaim."""


class Exposure(NamedTuple):
    """Proofs of a holder in a topic that other people may have read."""

    mail: int
    """Message-IDs up to this row of the outbox are exposed. 0 if none is."""
    turn: int
    """Tokens of the turns up to this one are exposed."""


class Worth(NamedTuple):
    """Facts that decide whether a proof in a topic still counts."""

    newest_turn: int | None
    """Turn in the newest email of the topic to the holder. None before the first."""
    exposure: Exposure | None
    """The exposed proofs. None if there are none."""
    has_digests: bool
    """Whether digests were sent to the holder, which may have shown newer turns."""


class Exposures(Protocol):
    """Record which proofs of a holder other people may have read."""

    def note(self, topic: TopicKey, holder: Holder, exposure: Exposure) -> None:
        """Record an exposure. Recorded exposure never shrinks."""

    def worth(self, topic: TopicKey, holder: Holder) -> Worth:
        """Return what decides whether a holder's proof in a topic still counts."""

    def of(self, topic: TopicKey, holder: Holder) -> Exposure | None:
        """Return a holder's exposed proofs in a topic, None if there are none."""
