"""Email without servers: mailboxes in memory, and a transport that puts emails into them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from pbem.ports.inbound import MailboxError, MailboxState, ReceivedMail
from pbem.ports.outbox import Delivery, DeliveryReport, TransportError
from tests.fakes.post_office import FakePostOffice, Folder

_LINE_END = re.compile(rb"\r\n|\r|\n")


class FakeMailbox:
    """Satisfies `ports.Mailbox`."""

    def __init__(self, office: FakePostOffice, address: str, folder: str, done_folder: str) -> None:
        self._office = office
        self._address = address
        self._name = folder
        self._done_folder = done_folder
        self._connected: int | None = None

    def open(self) -> MailboxState:
        if self._office.away:
            self._connected = None
            raise MailboxError(self._office.away)
        folders = self._office.folders(self._address)
        if self._name not in folders:
            raise MailboxError(f"There is no folder {self._name}.")
        if self._done_folder:
            folders.setdefault(self._done_folder, Folder())
        self._connected = self._office.cuts
        return MailboxState(self._name, folders[self._name].uidvalidity)

    def _folder(self) -> Folder:
        if self._connected != self._office.cuts:
            self._connected = None
            raise MailboxError("The mailbox is not open.")
        return self._office.folders(self._address)[self._name]

    def unhandled(self, after: int) -> list[int]:
        messages = self._folder().messages
        seen = {uid for uid, each in messages.items() if uid <= after and each.seen}
        return sorted(messages.keys() - (set() if self._done_folder else seen))

    def sizes(self, uids: Sequence[int]) -> dict[int, int]:
        messages = self._folder().messages
        return {uid: len(messages[uid].raw) for uid in uids if uid in messages}

    def heads(self, uids: Sequence[int]) -> dict[int, bytes]:
        messages = self._folder().messages
        heads = {uid: messages[uid].raw for uid in uids if uid in messages}
        return {uid: re.split(rb"\n\r?\n", raw, maxsplit=1)[0] for uid, raw in heads.items()}

    def fetch(self, uids: Sequence[int], most: int | None = None) -> list[ReceivedMail]:
        folder = self._folder()
        return [
            ReceivedMail(self._name, folder.uidvalidity, uid, found.received_at, found.raw[:most])
            for uid in sorted(uids)
            if (found := folder.messages.get(uid))
        ]

    def mark_done(self, uids: Sequence[int]) -> None:
        folder = self._folder()
        for uid in uids:
            if uid in folder.messages:
                folder.messages[uid].seen = True
                if self._done_folder:
                    done = self._office.folders(self._address)[self._done_folder]
                    done.put(folder.messages.pop(uid))

    def remove(self, uids: Sequence[int], message_ids: Sequence[str] = ()) -> None:
        folder = self._folder()
        for uid in uids:
            folder.messages.pop(uid, None)
        if self._done_folder:
            done = self._office.folders(self._address)[self._done_folder]
            for uid, message in list(done.messages.items()):
                wanted = (f"Message-ID: {each}".encode() for each in message_ids if each)
                if any(each in message.raw for each in wanted):
                    del done.messages[uid]

    def close(self) -> None:
        self._connected = None


class FakeWatch:
    """Satisfies `ports.MailboxWatch`."""

    def __init__(self, office: FakePostOffice) -> None:
        self._office = office
        self._closed = False
        self._connected: int | None = None
        self._told = 0

    def wait(self, seconds: float) -> bool:
        office = self._office
        with office.news:
            if self._closed:
                return False
            if self._connected is None:
                return self._connect()
            office.news.wait_for(self._interrupted, seconds)
            return self._news()

    def _news(self) -> bool:
        if self._closed:
            return False
        if self._connected != self._office.cuts:
            self._connected = None
            raise MailboxError("The connection was lost.")
        told, self._told = self._told, self._office.arrivals
        return self._told > told

    def _connect(self) -> bool:
        if self._office.away:
            raise MailboxError(self._office.away)
        self._connected, self._told = self._office.cuts, self._office.arrivals
        return True

    def _interrupted(self) -> bool:
        cut = self._connected != self._office.cuts
        return self._closed or cut or self._office.arrivals > self._told

    def close(self) -> None:
        with self._office.news:
            self._closed = True
            self._office.news.notify_all()


class Sent(NamedTuple):
    """An email that the transport accepted."""

    sender: str
    recipient: str
    raw: bytes


class FakeTransport:
    """Satisfies `ports.Transport`. Its attributes let a test make it fail."""

    def __init__(self, office: FakePostOffice) -> None:
        self._office = office
        self.sent: list[Sent] = []
        self.connections = 0
        self.unreachable = ""
        """Why no connection can be made, or empty if one can."""
        self.answers: list[DeliveryReport | None] = []
        """Results for the next emails, in order: a report instead of delivery, or None."""
        self.lost_after: int | None = None
        """Lose the connection in the middle of an email after this many emails."""
        self.hangs_up_on: bytes | None = None
        """Lose the connection before an email that contains this."""

    @contextmanager
    def connect(self) -> Iterator[FakeSession]:
        if self.unreachable:
            raise TransportError(self.unreachable)
        self.connections += 1
        yield FakeSession(self, self._office)


class FakeSession:
    """Satisfies `ports.Session`."""

    def __init__(self, transport: FakeTransport, office: FakePostOffice) -> None:
        self._transport = transport
        self._office = office
        self._sent = 0
        self._gone = False

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        hangs_up = self._transport.hangs_up_on
        self._gone |= hangs_up is not None and hangs_up in raw
        if self._gone:
            raise TransportError("The connection was lost.")
        if self._sent == self._transport.lost_after:
            self._gone = True
            return DeliveryReport(Delivery.DEFERRED, "The connection was lost.")
        told = self._transport.answers.pop(0) if self._transport.answers else None
        return told or self._deliver(sender, recipient, _LINE_END.sub(b"\r\n", raw))

    def _deliver(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        try:
            self._office.deliver(sender, recipient, raw)
        except LookupError:
            return DeliveryReport(Delivery.REFUSED, "550 5.1.1 There is nobody of that name")
        self._sent += 1
        self._transport.sent.append(Sent(sender, recipient, raw))
        return DeliveryReport(Delivery.SENT, "250 2.0.0 OK")
