"""What is kept for a time, and no longer."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple, Protocol


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
