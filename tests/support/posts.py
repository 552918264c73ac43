"""The club's mailbox for the contract tests: one interface to each kind of server.

Besides the adapters under test there is another client, which reads and changes the mailbox as a
second email program would. It uses imaplib, unlike the adapters.
"""

from __future__ import annotations

import imaplib
import re
import smtplib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from itertools import count
from typing import Protocol

import pytest

from pbem.adapters.imap_mailbox import ImapMailbox, ImapSettings, ImapWatch
from pbem.ports.inbound import Mailbox, MailboxWatch
from tests.fakes.clock import FakeClock
from tests.fakes.mail import FakeMailbox, FakeWatch
from tests.fakes.post_office import FakePostOffice, Folder, Stored
from tests.support.outside import on_servers
from tests.support.relay import Relay

PASSWORD = "open sesame"
MAIL = b"From: anna@mail.example\r\nTo: club@games.example\r\nSubject: move\r\n\r\n[8-B]\r\n"

Deliver = Callable[[str, bytes], None]
"""Takes recipient and email."""


class Post(Protocol):
    """A server with the club's mailbox, and another client."""

    def mailbox(self, folder: str = "INBOX", done_folder: str = "") -> Mailbox:
        """The adapter under test."""

    def watch(self) -> MailboxWatch:
        """The other adapter under test."""

    def cut(self) -> None:
        """Break the connections of the adapters."""

    def deliver(self, raw: bytes, plus: str = "") -> None:
        """Deliver an email, to a plus-address if one is given."""

    def append(self, raw: bytes, at: datetime, folder: str = "INBOX") -> None:
        """Add a message with a date of receipt."""

    def make(self, folder: str) -> None:
        """Create a folder, replacing one of that name and its emails."""

    def messages(self, folder: str = "INBOX") -> dict[int, bool]:
        """Return UIDs, and whether each is seen."""

    def see(self, *uids: int) -> None:
        """Mark emails as seen."""

    def expunge(self, *uids: int) -> None:
        """Delete emails."""


def arrive(post: Post, number: int) -> list[int]:
    """Deliver this many emails. Return their UIDs."""
    before = set(post.messages())
    for _ in range(number):
        post.deliver(MAIL)
    return sorted(set(post.messages()) - before)


class FakePost:
    """On the fakes."""

    address = "club@games.example"

    def __init__(self) -> None:
        self._office = FakePostOffice(FakeClock())
        self._office.add(self.address)

    def mailbox(self, folder: str = "INBOX", done_folder: str = "") -> Mailbox:
        return FakeMailbox(self._office, self.address, folder, done_folder)

    def watch(self) -> MailboxWatch:
        return FakeWatch(self._office)

    def cut(self) -> None:
        self._office.cut()

    def deliver(self, raw: bytes, plus: str = "") -> None:
        self._office.deliver("anna@mail.example", _plus(self.address, plus), raw)

    def append(self, raw: bytes, at: datetime, folder: str = "INBOX") -> None:
        self._office.put(self.address, folder, Stored(raw, at))

    def make(self, folder: str) -> None:
        self._office.folders(self.address)[folder] = Folder()

    def _messages(self, folder: str = "INBOX") -> dict[int, Stored]:
        return self._office.folders(self.address)[folder].messages

    def messages(self, folder: str = "INBOX") -> dict[int, bool]:
        return {uid: each.seen for uid, each in self._messages(folder).items()}

    def see(self, *uids: int) -> None:
        for uid in uids:
            self._messages()[uid].seen = True

    def expunge(self, *uids: int) -> None:
        for uid in uids:
            del self._messages()[uid]


class ImapPost:
    """On a real server. The adapters connect through a relay, the other client does not."""

    def __init__(self, address: str, imap_port: int, relay: Relay, deliver: Deliver) -> None:
        self._address = address
        self._imap_port = imap_port
        self._relay = relay
        self._deliver = deliver
        self._closing = ExitStack()

    def settings(self, folder: str = "INBOX", done_folder: str = "") -> ImapSettings:
        return ImapSettings(
            "127.0.0.1", self._relay.port, self._address, PASSWORD, "none", folder, done_folder, 5
        )

    def mailbox(self, folder: str = "INBOX", done_folder: str = "") -> Mailbox:
        mailbox = ImapMailbox(self.settings(folder, done_folder), _leaping())
        return self._closing.enter_context(closing(mailbox))

    def watch(self) -> MailboxWatch:
        return self._closing.enter_context(closing(ImapWatch(self.settings())))

    def cut(self) -> None:
        self._relay.cut()

    def deliver(self, raw: bytes, plus: str = "") -> None:
        self._deliver(_plus(self._address, plus), raw)

    def close(self) -> None:
        self._closing.close()

    @contextmanager
    def _hand(self, folder: str = "") -> Iterator[imaplib.IMAP4]:
        with imaplib.IMAP4("127.0.0.1", self._imap_port) as hand:
            hand.login(self._address, PASSWORD)
            if folder:
                hand.select(folder)
            yield hand

    def append(self, raw: bytes, at: datetime, folder: str = "INBOX") -> None:
        with self._hand() as hand:
            hand.append(folder, "", at.strftime('"%d-%b-%Y %H:%M:%S %z"'), raw)

    def make(self, folder: str) -> None:
        with self._hand() as hand:
            hand.delete(folder)
            hand.create(folder)

    def messages(self, folder: str = "INBOX") -> dict[int, bool]:
        with self._hand(folder) as hand:
            lines = hand.uid("FETCH", "1:*", "(FLAGS)")[1]
        return {
            int(found[1]): rb"\Seen" in line
            for line in lines
            if isinstance(line, bytes) and (found := re.search(rb"UID (\d+)", line))
        }

    def _flag(self, flag: str, uids: tuple[int, ...]) -> None:
        with self._hand("INBOX") as hand:
            hand.uid("STORE", ",".join(map(str, uids)), "+FLAGS", flag)
            if flag == r"(\Deleted)":
                hand.expunge()

    def see(self, *uids: int) -> None:
        self._flag(r"(\Seen)", uids)

    def expunge(self, *uids: int) -> None:
        self._flag(r"(\Deleted)", uids)


def _leaping() -> Callable[[], float]:
    """Return a clock by which every pause between attempts has ended at the next reading."""
    return count(step=1000.0).__next__


def _plus(address: str, plus: str) -> str:
    local, _, host = address.partition("@")
    return f"{local}+{plus}@{host}" if plus else address


def wholly(at: datetime) -> datetime:
    """Return a time in UTC and whole seconds, as IMAP has them."""
    return at.astimezone(UTC).replace(microsecond=0)


@pytest.fixture(params=("fake", *on_servers("dovecot")))
def post(request: pytest.FixtureRequest, domain: str) -> Iterator[Post]:
    """The club's mailbox on each kind of server."""
    if request.param == "fake":
        yield FakePost()
        return
    with imap_post(request, request.param, f"club@{domain}") as made:
        yield made


@contextmanager
def imap_post(request: pytest.FixtureRequest, kind: str, address: str) -> Iterator[ImapPost]:
    """A mailbox on a real server."""
    server = request.getfixturevalue(f"{kind}_mail")
    server.add(address, PASSWORD)

    def deliver(recipient: str, raw: bytes) -> None:
        with smtplib.SMTP(server.host, server.smtp_port, "localhost") as client:
            client.sendmail("anna@mail.example", [recipient], raw)

    with (
        Relay(server.imap_port) as relay,
        closing(ImapPost(address, server.imap_port, relay, deliver)) as made,
    ):
        yield made


@pytest.fixture
def mailbox(post: Post) -> Mailbox:
    """An open mailbox without a done folder."""
    mailbox = post.mailbox()
    mailbox.open()
    return mailbox
