"""An in-memory post office with every address's folders."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count

from pbem.ports.process import WallClock

_UIDVALIDITY = count(1_700_000_000)


@dataclass
class Stored:
    """A message in a folder."""

    raw: bytes
    received_at: datetime
    seen: bool = False


@dataclass
class Folder:
    """Messages by UID. A recreated folder has another UIDVALIDITY."""

    uidvalidity: int = field(default_factory=lambda: next(_UIDVALIDITY))
    messages: dict[int, Stored] = field(default_factory=dict)
    highest: int = 0

    def put(self, message: Stored) -> int:
        """Store a message under a new UID. Return the UID."""
        self.highest += 1
        self.messages[self.highest] = message
        return self.highest


class FakePostOffice:
    """Folders of every address. Emails from the transport arrive in the mailbox at once."""

    def __init__(self, clock: WallClock) -> None:
        self._clock = clock
        self._accounts: dict[str, dict[str, Folder]] = {}
        self.news = threading.Condition()
        self.arrivals = 0
        """Number of messages ever received. `news` is notified of each."""
        self.away = ""
        """Why no connection to the IMAP server can be made, or empty if one can."""
        self.cuts = 0
        """Number of times all connections were cut."""

    def add(self, address: str) -> None:
        """Add an account."""
        self._accounts.setdefault(address.casefold(), {"INBOX": Folder()})

    def folders(self, address: str) -> dict[str, Folder]:
        """Return the folders of an account."""
        return self._accounts[address.casefold()]

    def owner(self, address: str) -> str | None:
        """Return the mailbox owner of an address, which may contain a plus."""
        local, _, domain = address.casefold().rpartition("@")
        name = f"{local.partition('+')[0]}@{domain}"
        return name if name in self._accounts else None

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        """Put an email into the recipient's mailbox. Raises LookupError if there is none.

        The last server notes the envelope (RFC 5321 section 4.4).
        """
        owner = self.owner(recipient)
        if owner is None:
            raise LookupError(recipient)
        trace = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n"
        self.put(owner, "INBOX", Stored(trace.encode() + raw, self._clock.now()))

    def put(self, address: str, folder: str, message: Stored) -> None:
        """Put a message into a folder. Like servers, keep its time in UTC and whole seconds."""
        message.received_at = message.received_at.astimezone(UTC).replace(microsecond=0)
        with self.news:
            self.folders(address)[folder].put(message)
            self.arrivals += 1
            self.news.notify_all()

    def cut(self) -> None:
        """Break every connection to the IMAP server."""
        with self.news:
            self.cuts += 1
            self.news.notify_all()
