"""Emails that the club's own mail server hands over, without a mailbox."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import psycopg
import pytest

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage
from pbem.adapters.job_queue import ProcrastinateQueue
from pbem.inbox.hand_over import Listening, take
from pbem.jobs.sweep import sweep
from pbem.ports.inbound import HandedMail, InboundState
from pbem.ports.process import ClockWrong
from pbem.ports.storage import HANDED_OVER
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.post_office import Fakes
from tests.fakes.clock import FakeClock
from tests.fakes.storage import FakeStorage

MX = "mx.games.example"


class Postfix(Fakes):
    """The club's mail server. It dates each email and hands over those for the club."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(clock)
        self.clock = clock
        self.house: House | None = None
        self.nobody_listens = False
        self.answer_is_lost = False
        self.queue: list[HandedMail] = []

    def takes(self, sender: str, recipient: str, raw: bytes) -> None:
        if not recipient.startswith("club"):
            super().takes(sender, recipient, raw)
            return
        at = format_datetime(self.clock.now())
        trace = (
            f"Received: from x (x [192.0.2.1])\r\n\tby {MX} (Postfix) with ESMTP id 4X; {at}\r\n"
        )
        self.queue.append(HandedMail(sender, (recipient,), trace.encode() + raw, MX))
        self.tries()

    def tries(self) -> None:
        """Hand over waiting emails."""
        assert self.house is not None
        while self.queue and not self.nobody_listens:
            take(self.house.club, self.queue[0])
            if self.answer_is_lost:
                return
            self.queue.pop(0)


@pytest.fixture
def postfix(clock: FakeClock) -> Postfix:
    return Postfix(clock)


@pytest.fixture
def house(postfix: Postfix, clock: FakeClock, tmp_path: Path) -> Iterator[House]:
    with closing(House(postfix, FakeStorage(), clock, tmp_path)) as house:
        house.club = replace(house.club, intakes=(HANDED_OVER,))
        postfix.house = house
        yield house


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def test_match_is_played_without_a_mailbox(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    for person, text in ((anna, "[41-36]"), (bert, "[10-19]"), (anna, "resign"), (anna, "confirm")):
        person.receives()
        person.says(text)
        house.works()
    assert house.moves() == ["[41-36]", "[10-19]"]
    assert house.state().result is not None


def test_email_with_a_lost_delivery_reply_is_recorded_once(
    house: House, postfix: Postfix, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    postfix.answer_is_lost = True
    anna.says("show")
    house.works()
    postfix.answer_is_lost = False
    postfix.tries()
    house.works()
    assert len(anna.receives()) == 1
    assert not house.inbound(InboundState.DUPLICATE), "it was recorded only once"


def goes_by(house: House, listening: Listening | None, time: timedelta) -> None:
    """Let time pass while the club watches its clocks and, if given, listens."""
    until = house.clock.now() + time
    while house.clock.now() < until:
        house.clock.advance(seconds=50)
        if listening is not None:
            listening.beat()
        sweep(house.club)


@pytest.fixture
def flag_at(house: House, anna: Person, bert: Person) -> datetime:
    """Anna loses at this time, in an hour."""
    house.match("lanko-68", anna, bert, days=2, chosen="flag=loss")
    anna.receives()
    house.clock.advance(hours=47)
    with writing(house.club) as work:
        work.service.beat(work.now)
        work.service.polled(work.now, HANDED_OVER)
    flag_at = house.flag_at()
    assert flag_at is not None
    return flag_at


def test_email_that_waited_while_nobody_listened_is_not_late(
    house: House, postfix: Postfix, anna: Person, bert: Person, flag_at: datetime
) -> None:
    postfix.nobody_listens = True
    goes_by(house, None, timedelta(minutes=50))
    anna.says("[41-36]")
    goes_by(house, None, timedelta(minutes=70))
    assert house.state().result is None, "her flag has fallen, but an email may be waiting"

    postfix.nobody_listens = False
    listening = Listening(house.club)
    goes_by(house, listening, timedelta(minutes=60))
    assert house.state().result is None, "Postfix waits for an hour before it retries"
    postfix.tries()
    house.works()
    assert house.moves() == ["[41-36]"]
    goes_by(house, listening, timedelta(minutes=60))
    assert house.state().result is None


def test_silent_player_loses_once_postfix_has_retried(
    house: House, postfix: Postfix, flag_at: datetime
) -> None:
    listening = Listening(house.club)
    goes_by(house, listening, timedelta(minutes=59))
    listening.put_off()  # the disk was full
    goes_by(house, listening, timedelta(minutes=5))
    assert house.state().result is None
    goes_by(house, listening, timedelta(minutes=10))
    assert house.state().result is not None


def test_slowly_sent_email_gains_no_time(
    house: House, postfix: Postfix, anna: Person, flag_at: datetime
) -> None:
    """Postfix dates an email when it begins. A line every few minutes keeps it unfinished."""
    postfix.nobody_listens = True  # it does not have the whole email yet
    anna.says("[41-36]")
    goes_by(house, Listening(house.club), timedelta(minutes=59))
    postfix.tries()
    house.works()
    assert house.moves() == []
    postfix.nobody_listens = False
    postfix.tries()
    house.works()
    [mail] = house.inbound(InboundState.DONE)
    assert mail.received_at >= mail.recorded_at - timedelta(minutes=2)


def test_machine_with_wrong_clock_accepts_no_email(house: House, clock: FakeClock) -> None:
    """The machine would give the email a wrong date, so the mail server keeps it."""
    of_all = FakeClock(clock.now() + timedelta(hours=1))
    house.club = replace(house.club, witness=of_all)
    listening = Listening(house.club)
    with pytest.raises(ClockWrong):
        listening.beat()
    with pytest.raises(ClockWrong):
        listening.require_fit()
    clock.advance(hours=1)
    listening.beat()
    listening.require_fit()


@pytest.mark.parametrize(
    ("trace", "counts"),
    (
        (f"by {MX} (Postfix) with ESMTP id 4X; {{hour_ago}}", True),
        (f"by {MX.upper()} (Postfix, from userid 0) id 4X; {{hour_ago}} (UTC)", True),
        ("by mx.anna.example (Postfix) with ESMTP id 4X; {hour_ago}", False),
        (f"by {MX}.anna.example with ESMTP id 4X; {{hour_ago}}", False),
        (f"by {MX} (Postfix) with ESMTP id 4X; {{in_an_hour}}", False),
        (f"by {MX} (Postfix) with ESMTP id 4X; {{last_week}}", False),
        (f"by {MX} (Postfix) with ESMTP id 4X; Mon, 31 Feb 2026", False),
        (f"by {MX} (Postfix) with ESMTP id 4X", False),
    ),
)
def test_only_own_mail_server_says_when_it_received_an_email(
    house: House, trace: str, counts: bool
) -> None:
    now = house.clock.now().replace(microsecond=0)
    times = {"hour_ago": -1, "in_an_hour": 1, "last_week": -24 * 7}
    at = {name: format_datetime(now + timedelta(hours=n)) for name, n in times.items()}
    below = f"Received: from x by {MX}; {at['hour_ago']}\r\n" if not counts else ""
    raw = f"Received: from x\r\n\t{trace.format(**at)}\r\n{below}From: a@b.example\r\n\r\nhello\r\n"
    take(house.club, HandedMail("", (house.address,), raw.encode(), MX))
    [mail] = house.inbound(InboundState.NEW)
    expected = now - timedelta(hours=1) if counts else mail.recorded_at
    assert mail.received_at == expected


@pytest.mark.servers
def test_emails_of_one_match_are_queued_in_recorded_order(
    postgresql_url: str, clock: FakeClock, tmp_path: Path
) -> None:
    """Other emails arrive at the same moment on other connections."""
    storage = SqlStorage(open_engine(postgresql_url), ProcrastinateQueue())
    with closing(storage), closing(House(Fakes(clock), storage, clock, tmp_path)) as house:
        mails = [
            f"From: {sender}\r\nSubject: [pbem {match}]\r\n\r\n{number}\r\n".encode()
            for number in range(12)
            for sender in (house.player(f"Anna{number}").address, "eve@evil.example")
            for match in (1, 2)
        ]
        with ThreadPoolExecutor(6) as connections:
            list(
                connections.map(
                    lambda raw: take(house.club, HandedMail("", (house.address,), raw, MX)), mails
                )
            )
        with psycopg.connect(postgresql_url) as connection:
            query = (
                "SELECT (args ->> 'row')::int FROM procrastinate_jobs WHERE lock = %s ORDER BY id"
            )
            # No stranger delays a match.
            for lock, mails_of_it in (
                ("match 1", 12),
                ("match 2", 12),
                ("from eve@evil.example", 24),
            ):
                rows = connection.execute(query, [lock]).fetchall()
                assert len(rows) == mails_of_it
                assert rows == sorted(rows)
