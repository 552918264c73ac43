"""A post office in memory: every address's folders."""

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
    """Messages by UID; a folder made anew has another UIDVALIDITY."""

    uidvalidity: int = field(default_factory=lambda: next(_UIDVALIDITY))
    messages: dict[int, Stored] = field(default_factory=dict)
    highest: int = 0

    def put(self, message: Stored) -> int:
        """Returns the UID, which no message had before."""
        self.highest += 1
        self.messages[self.highest] = message
        return self.highest


class FakePostOffice:
    """Folders of every address; what the transport takes is in the mailbox at once."""

    def __init__(self, clock: WallClock) -> None:
        self._clock = clock
        self._accounts: dict[str, dict[str, Folder]] = {}
        self.news = threading.Condition()
        self.arrivals = 0
        """Messages that ever came in; `news` is notified of each."""
        self.away = ""
        """Why no connection can be made to the IMAP server; empty: it is there."""
        self.cuts = 0
        """How often every connection was cut."""

    def add(self, address: str) -> None:
        """An account more."""
        self._accounts.setdefault(address.casefold(), {"INBOX": Folder()})

    def folders(self, address: str) -> dict[str, Folder]:
        """Folders of an account."""
        return self._accounts[address.casefold()]

    def owner(self, address: str) -> str | None:
        """Whose mailbox an address, perhaps with a plus in it, belongs to."""
        local, _, domain = address.casefold().rpartition("@")
        name = f"{local.partition('+')[0]}@{domain}"
        return name if name in self._accounts else None

    def deliver(self, sender: str, recipient: str, raw: bytes) -> None:
        """Puts a mail into the recipient's mailbox; raises LookupError if there is none.

        The last server notes the envelope (RFC 5321 section 4.4).
        """
        owner = self.owner(recipient)
        if owner is None:
            raise LookupError(recipient)
        trace = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n"
        self.put(owner, "INBOX", Stored(trace.encode() + raw, self._clock.now()))

    def put(self, address: str, folder: str, message: Stored) -> None:
        """Puts a message into a folder; servers keep whole seconds of its time, and UTC is ours."""
        message.received_at = message.received_at.astimezone(UTC).replace(microsecond=0)
        with self.news:
            self.folders(address)[folder].put(message)
            self.arrivals += 1
            self.news.notify_all()

    def cut(self) -> None:
        """Breaks every connection to the IMAP server."""
        with self.news:
            self.cuts += 1
            self.news.notify_all()
