"""Test what is known about sent emails after an interruption."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from pbem.mail.message.message import read_message
from pbem.ports.outbox import TransportError
from pbem.ports.process import StorageUnavailable
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Club
from pbem.service.delivery.deliver import deliver
from tests.fakes.clock import FakeClock
from tests.fakes.mail import FakeTransport
from tests.fakes.post_office import FakePostOffice
from tests.fakes.storage import FakeStorage
from tests.support.sending import sending_club
from tests.support.stored import outgoing

ANNA = "anna@mail.example"


class DyingStorage(FakeStorage):
    """A storage that allows a limited number of writes, as if the process had died."""

    writes_left = 1_000

    @contextmanager
    def writing(self) -> Iterator[UnitOfWork]:
        if self.writes_left == 0:
            raise StorageUnavailable("dead")
        self.writes_left -= 1
        with super().writing() as uow:
            yield uow


@dataclass
class Office:
    """A club with emails to send."""

    storage: DyingStorage
    clock: FakeClock
    transport: FakeTransport
    club: Club

    def queue(self, number: int) -> None:
        with self.storage.writing() as uow:
            for n in range(number):
                uow.outbox.add(outgoing(n, to_address=ANNA, subject=str(n)), self.clock.now())

    def arrived(self) -> list[int]:
        return [int(read_message(sent.raw).subject) for sent in self.transport.sent]


@pytest.fixture
def office() -> Office:
    clock, storage = FakeClock(), DyingStorage()
    post_office = FakePostOffice(clock)
    post_office.add(ANNA)
    club = sending_club(storage, clock)
    return Office(storage, clock, FakeTransport(post_office), club)


def test_email_sent_before_a_lost_connection_is_not_repeated(office: Office) -> None:
    office.queue(5)
    office.transport.lost_after = 2
    with pytest.raises(TransportError):
        deliver(office.club, office.transport)
    office.transport.lost_after = None
    office.clock.advance(minutes=10)
    deliver(office.club, office.transport)
    assert sorted(office.arrived()) == [0, 1, 2, 3, 4]


def test_email_that_makes_the_server_hang_up_does_not_block_others(office: Office) -> None:
    office.queue(4)
    office.transport.hangs_up_on = b"<1@club.example>"
    with pytest.raises(TransportError):
        deliver(office.club, office.transport)
    deliver(office.club, office.transport)
    assert office.arrived() == [0, 2, 3]
    office.transport.hangs_up_on = None
    office.clock.advance(minutes=1)
    deliver(office.club, office.transport)
    assert office.arrived() == [0, 2, 3, 1]


def test_email_sent_while_the_database_was_gone_is_repeated(office: Office) -> None:
    office.queue(3)
    office.storage.writes_left = 1  # the claim
    with pytest.raises(StorageUnavailable):
        deliver(office.club, office.transport)
    office.storage.writes_left = 1_000
    office.clock.advance(minutes=10)
    deliver(office.club, office.transport)
    assert office.arrived() == [0, 1, 2, 0, 1, 2]


def test_slow_server_gets_at_most_the_last_email_again(office: Office) -> None:
    office.queue(4)
    office.storage.writes_left = 3  # the claim, the first email, the second

    def keeps_running() -> bool:
        """Let time pass. Delivery calls this before each email, to ask whether to stop."""
        office.clock.advance(seconds=0.3)
        return False

    with pytest.raises(StorageUnavailable):
        deliver(office.club, office.transport, keeps_running)
    office.storage.writes_left = 1_000
    office.clock.advance(minutes=10)
    deliver(office.club, office.transport)
    assert office.arrived()[:3] == [0, 1, 2]
    assert sorted(office.arrived()) == [0, 1, 2, 2, 3]
