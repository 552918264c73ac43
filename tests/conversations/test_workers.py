"""A club whose jobs wait in a queue: what workers do with them, one job at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from queue import SimpleQueue
from typing import Any

import pytest
from structlog.testing import capture_logs

from pbem.games import game_of
from pbem.inbox.poll import poll
from pbem.matches.match import MatchOptions
from pbem.ports.inbound import InboundState
from pbem.ports.outbox import TransportError
from pbem.ports.process import ClockWrong, StorageUnavailable
from pbem.ports.storage import Storage, UnitOfWork
from pbem.run.worker import MOST_DEATHS, Worker
from pbem.service.play.start import start_match
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person
from tests.fakes.clock import FakeClock
from tests.fakes.mail import FakeTransport


class Queue:
    """An in-memory queue and one worker that runs its jobs."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.worker = Worker(house.club, house.transport, threading.Event())
        self.wanted: list[str] = []
        house.club.storage.wake_by(self.wanted.append)

    def does(self, job: str, row: int | None = None, deaths: int = 0) -> None:
        """Let the worker run a job."""
        self.worker.jobs[job](row, deaths)

    def works(self) -> None:
        """Run everything that waits, one email after the other."""
        poll(self.house.club, self.house.mailbox)
        while waiting := self._waiting():
            for row in waiting:
                self.does("process", row)
        for job in ("deliver", "publish", "pages", "erase", "absent"):
            self.does(job)

    def _waiting(self) -> list[int]:
        with reading(self.house.club) as work:
            return work.inbound.pending()


@pytest.fixture
def queue(house: House) -> Queue:
    return Queue(house)


def test_whole_match_is_played_by_jobs_alone(house: House, queue: Queue) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    queue.does("deliver")
    for person, text in ((anna, "[41-36]"), (bert, "[10-19]"), (anna, "resign"), (anna, "confirm")):
        person.receives()
        person.says(text)
        queue.works()
    assert house.moves() == ["[41-36]", "[10-19]"]
    assert house.state().result is not None
    assert len(house.records()) == 2
    assert "resigned" in bert.receives()[-1].text


def test_bot_gets_its_turn_from_a_job_or_from_another_if_that_is_lost(
    house: House, queue: Queue
) -> None:
    anna = house.player("Anna")
    [bot] = house.bots("random")
    house.match("lanko-68", anna, bot)
    queue.does("deliver")
    anna.receives()
    anna.says("[41-36]")
    queue.works()
    for minutes, jobs in ((0, 0), (2, 1)):
        house.clock.advance(minutes=minutes)
        queue.wanted.clear()
        queue.does("bots")
        assert queue.wanted == ["bots"] * jobs
    for _ in range(2):
        queue.does("bots", house.state().id)
    queue.works()
    assert len(house.moves()) == 2


def a_move_waits(house: House, queue: Queue) -> Person:
    """Record an unread move of the first player of a match."""
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    queue.does("deliver")
    anna.receives()
    anna.says("[41-36]")
    poll(house.club, house.mailbox)
    return anna


def test_email_that_kills_workers_is_set_aside_and_delays_nobody(
    house: House, queue: Queue
) -> None:
    anna = a_move_waits(house, queue)
    queue.does("process", 1, MOST_DEATHS)
    queue.does("deliver")
    [mail] = house.inbound(InboundState.SHUNTED)
    assert "died over it" in mail.reason
    assert "died over it" in house.director.receives()[-1].text
    anna.says("[41-36]")
    queue.works()
    assert house.moves() == ["[41-36]"]


class Away:
    """A database that is unavailable a number of times."""

    def __init__(self, storage: Storage, times: int) -> None:
        self._storage, self._times = storage, times

    def writing(self) -> AbstractContextManager[UnitOfWork]:
        """Like that of the storage, once it is available."""
        self._times -= 1
        if self._times >= 0:
            raise StorageUnavailable("the database cannot be used now: lock timeout")
        return self._storage.writing()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)


class NeverWaits(threading.Event):
    """A stop event that never waits."""

    def wait(self, timeout: float | None = None) -> bool:
        """Return at once."""
        return self.is_set()


def test_email_waits_as_long_as_the_database_is_away(house: House, queue: Queue) -> None:
    a_move_waits(house, queue)
    away: Any = Away(house.club.storage, 50 * MOST_DEATHS)
    queue.worker = Worker(replace(house.club, storage=away), house.transport, NeverWaits())
    queue.does("process", 1)
    assert house.moves() == ["[41-36]"]


class Silent:
    """An SMTP server that never answers and reports who connects."""

    def __init__(self) -> None:
        self.heard: SimpleQueue[None] = SimpleQueue()
        self.ends = threading.Event()

    def connect(self) -> AbstractContextManager[Any]:
        """Wait for an answer that never comes."""
        self.heard.put(None)
        self.ends.wait(10)
        raise TransportError("it did not answer in time")


def test_only_one_delivering_worker_waits_for_a_silent_server(house: House, queue: Queue) -> None:
    anna = house.player("Anna")
    house.match("lanko-68", anna, house.player("Bert"))
    queue.does("deliver")
    anna.receives()
    anna.says("[41-36]")
    poll(house.club, house.mailbox)
    queue.does("process", 1)
    server = Silent()
    queue.worker = Worker(house.club, server, threading.Event())
    server.ends.set()
    queue.does("deliver")
    server.heard.get(timeout=10)
    server.ends.clear()
    house.clock.advance(minutes=5)
    with ThreadPoolExecutor() as threads:
        waits = threads.submit(queue.does, "deliver")
        server.heard.get(timeout=10)
        queue.does("deliver")
        assert server.heard.empty()
        assert not waits.done()
        server.ends.set()


def test_email_recorded_without_a_queue_is_queued(house: House, queue: Queue) -> None:
    anna = house.player("Anna")
    for _ in range(3):
        anna.says("help", quoting=False)
    poll(house.club, house.mailbox)
    queue.wanted.clear()
    assert queue.worker.put_forgotten_into_line({1}) == 0, "they have only just arrived"
    house.clock.advance(minutes=5)
    assert queue.worker.put_forgotten_into_line({1}) == 2
    assert queue.wanted == ["process"] * 2


def test_no_flag_falls_while_an_earlier_email_waits(house: House, queue: Queue) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    with writing(house.club) as work:
        start_match(
            work,
            game_of("lanko-68"),
            [person.player for person in (anna, bert) if person.player],
            MatchOptions(2, draw_offers=False),
        )
    queue.does("deliver")
    anna.receives()
    flag = house.flag_at()
    assert flag is not None
    house.clock.advance(seconds=(flag - house.clock.now() - timedelta(minutes=4)).total_seconds())
    queue.does("sweep")
    anna.says("[41-36]")
    poll(house.club, house.mailbox)
    house.clock.advance(minutes=8)
    poll(house.club, house.mailbox)
    queue.does("sweep")
    assert house.flag_at() == flag, "it has not been judged"
    queue.works()
    assert house.moves() == ["[41-36]"]


def test_machine_with_wrong_clock_credits_nothing_and_stops(house: House, queue: Queue) -> None:
    common = FakeClock(house.clock.now())
    club = replace(house.club, witness=common)
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    queue.worker = Worker(club, house.transport, threading.Event())
    queue.does("sweep")
    flag = house.flag_at()
    house.clock.advance(minutes=50)
    with pytest.raises(ClockWrong, match="3000 seconds ahead of that of the database"):
        queue.does("sweep")
    assert house.flag_at() == flag
    assert queue.worker.stop.is_set()
    common.advance(minutes=50)  # it was an outage after all
    queue.worker = Worker(club, house.transport, threading.Event())
    queue.does("sweep")
    assert house.flag_at() != flag


def test_missing_fetcher_is_reported_once_and_so_is_its_return(house: House, queue: Queue) -> None:
    transport = house.transport
    assert isinstance(transport, FakeTransport)
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("[41-36]")
    with capture_logs() as told:
        transport.unreachable = "nothing answers"
        queue.works()
        queue.does("deliver")
        transport.unreachable = ""
        queue.does("deliver")
    about = [each["event"] for each in told if each["log_level"] != "debug"]
    assert [each for each in about if each not in ("mail read", "mail sent")] == [
        "not delivered",
        "connected again",
    ]
