"""Ports for what is kept for a time, what may have leaked, and what is erased with a member."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from pbem.mail.topic import Holder, TopicKey
from pbem.matches.match import PlayerId


@dataclass(frozen=True)
class LeftMail:
    """A received mail that was erased, and still lies in the club's mailbox."""

    id: int
    """Of the note that says so."""
    folder: str
    uidvalidity: int
    uid: int
    message_id: str
    """By which it is found where it was moved to another folder; empty if it has none."""


class Erasures(Protocol):
    """What is known of a member and is to be known no more."""

    def erase(
        self, player: PlayerId, called: str, settings: Mapping[str, str], at: datetime
    ) -> None:
        """Erases a member; they are a former one, and called so, wherever anything names them.

        Their addresses, absences, notes, exposures, questions, settings but for those told, and
        mails are gone; the raw mails of others, once read, if they name them or are of a match of
        theirs; and in letters to others their name, their addresses, and in those of their matches
        the notes. What of it lies in files is noted, to be taken away later.

        Raises StorageError if there is no such member.
        """

    def note(self, at: datetime) -> None:
        """Something was erased in the database; its files may still hold it."""

    def left_in_database(self) -> datetime | None:
        """When something was erased last that the files of the database may still hold."""

    def gone_from_database(self, until: datetime) -> None:
        """What was erased until a moment is in them no more."""

    def left_in_mailbox(self, most: int, elsewhere: Collection[str] = ()) -> list[LeftMail]:
        """The first so many erased mails that still lie in a mailbox; not in folders elsewhere."""

    def gone_from_mailbox(self, mails: Iterable[LeftMail]) -> None:
        """They do not."""


class Pruned(NamedTuple):
    """What came of a look at some rows."""

    last: int | None
    """Id of the last one looked at; None where nothing behind it is old."""
    dropped: int = 0
    """Mails that are kept no longer, or without their text."""


class Retention(Protocol):
    """What is kept for a time, and no longer; the games are kept for ever.

    Each look at mails is at a few rows, oldest first, so that nobody waits for it.
    """

    def prune_received(self, until: datetime, after: int, most: int) -> Pruned:
        """Drops mails recorded before a moment, of the first so many behind an id.

        Those that wait for somebody stay: new, kept and shunted ones, and those about which
        somebody is asked. The others are recognised, should they be read again.
        """

    def prune_sent(self, until: datetime, after: int, most: int) -> Pruned:
        """Drops mails that were closed before a moment, of the first so many behind an id.

        Those by which a question is asked stay, and each director's newest. Of a match that is
        played, and of an offer that stands, the newest to each reader stays; of the others only
        the text is dropped: threads and proofs go by them.
        """

    def prune_words(self, until: datetime) -> int:
        """Drops what else is of mails before a moment; returns how many rows.

        Notices of absence, offers that stand no more, notes that wait for readers of matches that
        have ended.
        """

    def prune_leaves(self, until: datetime) -> int:
        """Drops leaves that ended before a moment, unless a turn that is played began before that.

        Returns how many.
        """

    def prune_caches(self) -> None:
        """Drops positions of matches that have ended, and marks of pages that are marked anew."""

    def is_mostly_room(self) -> bool:
        """Whether most of the database's file holds nothing, and that is much."""


class Exposure(NamedTuple):
    """What proves somebody in a topic, and others may have read."""

    mail: int
    """Message-IDs of mails to them up to this row of the outbox; 0 for none."""
    turn: int
    """Tokens of the turns up to this one."""


class Worth(NamedTuple):
    """What a proof of somebody in a topic is worth."""

    newest_turn: int | None
    """Turn in the newest mail of the topic to them; None before the first."""
    exposure: Exposure | None
    """What others have read of it, None if nothing."""


class Exposures(Protocol):
    """What others may have read that proves somebody."""

    def note(self, topic: TopicKey, holder: Holder, exposure: Exposure) -> None:
        """Others have read what proves somebody; what is known of it never shrinks."""

    def worth(self, topic: TopicKey, holder: Holder) -> Worth:
        """What a proof of somebody in a topic is worth."""

    def of(self, topic: TopicKey, holder: Holder) -> Exposure | None:
        """What others have read of somebody's proofs in a topic, None if nothing."""
