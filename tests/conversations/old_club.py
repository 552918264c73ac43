"""A club of an earlier release, opened by the pbem of today; its people have the mails they got."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.mail.addresses.addressing import Signer
from pbem.ports.storage import Storage
from tests.conversations.house import TICK, House, Person, Received
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock
from tests.fakes.mail import FakeTransport, Sent
from tests.support.old_databases import Held, Snapshot


@dataclass
class Member(Person):
    """Somebody with a mailbox at the post office."""

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
        fakes = Fakes(clock)
        self.left, self.office = left, fakes.office
        super().__init__(fakes, storage, clock, home)
        signer = Signer({1: left.data["club"]["secret"].encode()}, 1)
        self.club = replace(self.club, signer=signer)
        assert self.address == left.data["club"]["address"], "its tokens are of this address"
        inbox = self.office.folders(self.address)["INBOX"]
        inbox.uidvalidity, inbox.highest = (
            left.data["inbox"][k] for k in ("uidvalidity", "highest")
        )
        self.transport = self.outgoing = FakeTransport(self.office)
        self.members = {row["name"]: self._member(row["id"], row["name"]) for row in _people(left)}
        self._restore_files()

    def _person(self, name: str, address: str) -> Member:
        self.office.add(address)
        return Member(name, address, self.post)

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
                self.office.deliver(self.address, row["recipient"], row["raw"].encode())
        for person in (*self.members.values(), self.director):
            person.receives()
        archive = self.home / "archive"
        archive.mkdir()
        for name, record in self.left.archive.items():
            (archive / name).write_text(record)

    def reads(self, held: Held) -> Member:
        """A mail that was written before the migration comes in; returns its player."""
        member = self.members[held.player]
        self.office.deliver(member.address, held.recipient, held.raw)
        self.works()
        return member

    def goes_on(self, length: timedelta) -> list[tuple[datetime, Sent]]:
        """Nobody writes for a while; returns what the club sends, and when."""
        sent, end = [], self.clock.now() + length
        while self.clock.now() < end:
            before = len(self.outgoing.sent)
            self.sweeps()
            sent += [(self.clock.now(), each) for each in self.outgoing.sent[before:]]
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
