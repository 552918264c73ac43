"""The club's IMAP folder, and mail that needs none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol


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
