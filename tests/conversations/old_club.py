"""A club of an earlier release, opened by the pbem of today; its people have the mails they got."""

from __future__ import annotations

import email
import email.policy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

from pbem.mail.incoming.addressing import Signer
from pbem.service.ports import Storage
from tests.conversations.house import TICK, House, Person, Received
from tests.fakes.clock import FakeClock
from tests.fakes.mail import FakeMailbox, FakeTransport, Sent
from tests.fakes.post_office import FakePostOffice
from tests.support.old_databases import Held, Snapshot


class Office(FakePostOffice):
    """A post office in memory where a house wants a mail server."""

    host, imap_port, smtp_port = "", 0, 0

    def add(self, address: str, password: str = "") -> None:
        """A mailbox more; nobody asks for its password."""
        super().add(address)


@cache
def as_read(raw: bytes) -> Received:
    """A mail as its reader sees it; those of an old club are the same in every test."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("plain",))
    assert part is not None
    return Received(message, str(part.get_content()).replace("\r\n", "\n"))


@dataclass
class Member(Person):
    """Somebody with a mailbox at the post office."""

    office: Office = field(kw_only=True)

    def receives(self) -> list[Received]:
        """Mails that have come since the last look, oldest first."""
        stored = list(self.office.folders(self.address)["INBOX"].messages.values())
        new = [as_read(each.raw) for each in stored[len(self.read) :]]
        self.read += new
        return new

    def sends(self, raw: bytes, recipient: str = "") -> None:
        """Hands a mail over as it is."""
        self.office.deliver(recipient, raw)

    def receives_of(self, number: int) -> list[Received]:
        """What has come about a match since the last look."""
        return [mail for mail in self.receives() if _is_of(mail, number)]

    def newest_of(self, number: int) -> Received:
        """The newest mail about a match, whenever it came."""
        self.receives()
        return [mail for mail in self.read if _is_of(mail, number)][-1]


def _is_of(mail: Received, number: int) -> bool:
    return f"[pbem {number}]" in mail.message["Subject"]


class OldClub(House):
    """The club, on its migrated database, at the moment at which it was left."""

    def __init__(self, storage: Storage, home: Path, left: Snapshot) -> None:
        clock = FakeClock(left.now)
        self.left, self.office = left, Office(clock)
        super().__init__(self.office, storage, home)
        self.clock = clock
        signer = Signer({1: left.data["club"]["secret"].encode()}, 1)
        self.club = replace(self.club, clock=clock, signer=signer)
        assert self.address == left.data["club"]["address"], "its tokens are of this address"
        inbox = self.office.folders(self.address)["INBOX"]
        inbox.uidvalidity, inbox.highest = (
            left.data["inbox"][k] for k in ("uidvalidity", "highest")
        )
        self.mailbox = FakeMailbox(self.office, self.address, "INBOX", "")  # type: ignore[assignment]
        self.post = FakeTransport(self.office)
        self.transport = self.post  # type: ignore[assignment]
        self.members = {row["name"]: self._member(row["id"], row["name"]) for row in _people(left)}
        self._restore_files()

    def _person(self, name: str, address: str) -> Member:
        self.office.add(address)
        return Member(name, address, self.office, office=self.office)

    def _member(self, player: int, name: str) -> Member:
        [first, *more] = [
            row["address"] for row in self.left.rows("addresses") if row["player_id"] == player
        ]
        for address in more:
            self._person(name, address)
        member = self._person(name, first)
        with self.club.storage.reading() as uow:
            member.player = uow.players.get(player)
        return member

    def _restore_files(self) -> None:
        for row in self.left.rows("outbox"):
            if row["closed_at"] and not row["failed"]:
                self.office.deliver(row["recipient"], row["raw"].encode())
        for person in (*self.members.values(), self.director):
            person.receives()
        archive = self.home / "archive"
        archive.mkdir()
        for name, record in self.left.archive.items():
            (archive / name).write_text(record)

    def reads(self, held: Held) -> Member:
        """A mail that was written before the migration comes in; returns its player."""
        self.office.deliver(held.recipient, held.raw)
        self.works()
        return self.members[held.player]

    def goes_on(self, length: timedelta) -> list[tuple[datetime, Sent]]:
        """Nobody writes for a while; returns what the club sends, and when."""
        sent, end = [], self.clock.now() + length
        while self.clock.now() < end:
            before = len(self.post.sent)
            self.sweeps()
            sent += [(self.clock.now(), each) for each in self.post.sent[before:]]
            self.clock.advance(minutes=TICK)
        return sent

    def to_act(self, number: int) -> Member:
        """Who is to act in a match."""
        to_act = self.state(number).to_act
        assert to_act is not None
        return self.members[self.names(number)[to_act]]

    def ends(self, number: int) -> None:
        """The players of a match resign, who is to act first, until it is over."""
        first = self.to_act(number)
        for name in sorted(set(self.names(number).values()), key=lambda name: name != first.name):
            if self.state(number).result is None:
                person = self.members[name]
                person.says("resign", person.newest_of(number))
                self.works()
        assert self.state(number).result is not None


def _people(left: Snapshot) -> list[dict[str, Any]]:
    return [row for row in left.rows("players") if row["name"] != "Greedy"]
