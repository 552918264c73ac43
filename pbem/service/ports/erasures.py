"""What is known of a member and is to be known no more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

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
