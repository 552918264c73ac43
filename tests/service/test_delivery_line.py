"""Test which emails go first if not all can go at once, and how many go in a minute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pbem.mail.outgoing.letter import Urgency
from pbem.mail.topic import match_key
from pbem.ports.outbox import Delivery, DeliveryReport
from pbem.service.club import Rates
from pbem.service.delivery.claims import BATCH, claim
from pbem.service.delivery.deliver import deliver
from tests.fakes.clock import FakeClock
from tests.service.test_deliver_outbox import Office, office
from tests.support.sending import NO_LIMIT, sending_club
from tests.support.stored import outgoing

__all__ = ["office"]


class Line:
    """Emails that wait in an office."""

    def __init__(self, office: Office, rates: Rates = NO_LIMIT) -> None:
        self.office = office
        self.club = sending_club(office.storage, office.clock, rates)
        self._number = 0

    def waits(
        self, urgency: Urgency, mails: int, to: str = "reader{}@mail.example", match: int = 0
    ) -> None:
        """Queue some emails to separate readers, or all to one, perhaps about a match."""
        topic = match_key(match) if match else None
        with self.office.storage.writing() as uow:
            for _ in range(mails):
                self._number += 1
                address = to.format(self._number)
                mail = outgoing(
                    self._number, to_address=address, subject="", urgency=urgency, topic=topic
                )
                uow.outbox.add(mail, self.office.clock.now())

    def goes(self) -> list[str]:
        """Return the recipients of the next batch, in order."""
        return [queued.mail.recipient for queued in claim(self.club).mails]

    def goes_by_urgency(self) -> Counter[Urgency]:
        """Return how many of each urgency go in the next batch."""
        return Counter(queued.mail.urgency for queued in claim(self.club).mails)

    def goes_by_domain(self) -> Counter[str]:
        """Send batches until none may go, and return the counts by domain."""
        gone = Counter[str]()
        while mails := claim(self.club).mails:
            gone += Counter(queued.mail.domain for queued in mails)
        return gone


class SlowServer:
    """A mail server with an open session, slow for one domain."""

    SLOW_S = 20

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self._begun = clock.now()
        self.took: list[tuple[str, int]] = []
        """Recipients of accepted emails, with the seconds since the start."""

    @contextmanager
    def connect(self) -> Iterator[SlowServer]:
        """Connect at once."""
        yield self

    def send(self, sender: str, recipient: str, raw: bytes) -> DeliveryReport:
        """Accept everything."""
        if recipient.endswith("@slow.example"):
            self._clock.advance(seconds=self.SLOW_S)
        self.took.append((recipient, round((self._clock.now() - self._begun).total_seconds())))
        return DeliveryReport(Delivery.SENT, "250 OK")


@pytest.fixture
def line(office: Office) -> Line:
    return Line(office)


def test_turn_does_not_wait_for_an_announcement_to_everybody(line: Line) -> None:
    line.waits(Urgency.ANNOUNCEMENT, 200)
    assert len(line.goes()) == BATCH
    line.waits(Urgency.PLAY, 1, to="anna@mail.example")
    assert line.goes()[0] == "anna@mail.example"


def test_each_urgency_has_its_share_and_the_most_urgent_goes_first(line: Line) -> None:
    for urgency in Urgency:
        line.waits(urgency, 100)
    batch = claim(line.club).mails
    urgencies = [queued.mail.urgency for queued in batch]
    assert urgencies == sorted(urgencies)
    assert Counter(urgencies) == dict(zip(Urgency, (12, 4, 2, 2), strict=True))


def test_unused_share_of_an_urgency_goes_to_the_most_urgent(line: Line) -> None:
    line.waits(Urgency.NOTICE, 100)
    line.waits(Urgency.REPORT, 100)
    assert line.goes_by_urgency() == {Urgency.NOTICE: 18, Urgency.REPORT: 2}


def test_flood_to_a_reader_or_match_does_not_block_others(line: Line) -> None:
    line.waits(Urgency.PLAY, 100, to="flooded@mail.example")
    line.waits(Urgency.PLAY, 100, match=7)
    line.waits(Urgency.PLAY, 3, to="reader{}@other.example")
    going = [each for each in line.goes() if each.endswith("@other.example")]
    assert len(going) == 3
    # The flooded reader and match get their share later.
    assert Counter(line.goes())["flooded@mail.example"] == BATCH / 2


def test_minute_limit_of_the_club_is_kept_and_spread_out(line: Line) -> None:
    limited = Line(line.office, Rates(60))
    limited.waits(Urgency.PLAY, 100)
    gone = []
    for _ in range(9):
        gone.append(limited.goes_by_domain().total())
        limited.office.clock.advance(seconds=10)
    assert gone == [10] * 9


def test_reports_get_through_at_a_low_limit(line: Line) -> None:
    rounds = iter(range(100_000))
    slow = Line(line.office, Rates(2))
    slow.club = replace(slow.club, chance=lambda below: next(rounds) % below)
    for urgency in Urgency:
        slow.waits(urgency, 60)
    gone = Counter[Urgency]()
    for _ in range(80):
        gone += slow.goes_by_urgency()
        slow.office.clock.advance(seconds=30)
    assert gone == dict(zip(Urgency, (48, 16, 8, 8), strict=True))


def test_domain_at_its_limit_does_not_block_others(line: Line) -> None:
    limited = Line(line.office, Rates(of_domains={"gmail.com": 6, "*": 60}))
    limited.waits(Urgency.PLAY, 100, to="reader{}@Gmail.com")
    limited.waits(Urgency.PLAY, 30, to="reader{}@mail.example")
    gone = Counter[str]()
    for _ in range(6):
        gone += limited.goes_by_domain()
        limited.office.clock.advance(seconds=10)
    assert gone == {"gmail.com": 6, "mail.example": 30}


def test_day_limit_is_kept_and_announcements_leave_room(line: Line) -> None:
    limited = Line(line.office, Rates(of_day=40))
    limited.waits(Urgency.ANNOUNCEMENT, 60)
    assert limited.goes_by_domain().total() == 30
    limited.waits(Urgency.PLAY, 60, to="player{}@mail.example")
    assert limited.goes_by_domain().total() == 10
    limited.office.clock.advance(hours=24)
    assert limited.goes_by_urgency() == {Urgency.PLAY: 18, Urgency.ANNOUNCEMENT: 2}


def test_untried_email_given_back_does_not_count(line: Line) -> None:
    limited = Line(line.office, Rates(6))
    limited.waits(Urgency.PLAY, 2)
    [queued] = claim(limited.club).mails
    assert limited.goes() == []
    with limited.office.storage.writing() as uow:
        uow.outbox.release(queued.id)
    assert limited.goes() == [queued.mail.recipient]


def test_slow_domain_delays_others_by_one_email(line: Line) -> None:
    line.waits(Urgency.PLAY, 10, to="reader{}@slow.example")
    line.waits(Urgency.PLAY, 10)
    server = SlowServer(line.office.clock)
    assert deliver(line.club, server) == 20
    others = [after for recipient, after in server.took if not recipient.endswith("@slow.example")]
    assert others == [server.SLOW_S] * 10
