"""The ticker never runs a job twice at once, drops no request, and survives failures."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from pbem.adapters.scheduler import Job, Ticker, trigger_of
from pbem.ports.process import Daily, Deadlock, Every

pytestmark = pytest.mark.thorough

PATIENCE_S = 10.0
NEVER_AGAIN_S = 3600.0


class Slow:
    """A job that blocks until a test releases it."""

    def __init__(self) -> None:
        self.runs = 0
        self.at_once = 0
        self.most_at_once = 0
        self.began = threading.Semaphore(0)
        self.go = threading.Semaphore(0)

    def __call__(self) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.began.release()
        assert self.go.acquire(timeout=PATIENCE_S)
        self.runs += 1
        self.at_once -= 1


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def ticker(slow: Slow) -> Iterator[Ticker]:
    ticker = Ticker([Job("slow", Every(NEVER_AGAIN_S), slow)])
    ticker.start()
    yield ticker
    slow.go.release(100)
    assert ticker.stop(PATIENCE_S)


def test_job_runs_at_the_start(ticker: Ticker, slow: Slow) -> None:
    assert slow.began.acquire(timeout=PATIENCE_S)


def test_requests_during_a_run_cause_one_more_run(ticker: Ticker, slow: Slow) -> None:
    assert slow.began.acquire(timeout=PATIENCE_S)
    for _ in range(5):
        ticker.trigger("slow")
    slow.go.release()
    assert slow.began.acquire(timeout=PATIENCE_S), "the request is not lost"
    assert slow.most_at_once == 1


def test_slow_job_does_not_delay_another() -> None:
    slow, swept = Slow(), threading.Event()
    ticker = Ticker(
        [Job("poll", Every(NEVER_AGAIN_S), slow), Job("sweep", Every(NEVER_AGAIN_S), swept.set)]
    )
    ticker.start()
    assert slow.began.acquire(timeout=PATIENCE_S)
    assert swept.wait(PATIENCE_S)
    slow.go.release()
    assert ticker.stop(PATIENCE_S)


def test_failed_job_is_run_again() -> None:
    again = threading.Event()
    runs = iter(range(100))

    def fails_once() -> None:
        if next(runs) == 0:
            raise ValueError("the first time")
        again.set()

    ticker = Ticker([Job("job", Every(0.05), fails_once)])
    ticker.start()
    assert again.wait(PATIENCE_S)
    assert ticker.stop(PATIENCE_S)


def test_job_that_gave_way_is_run_again_at_once() -> None:
    runs, done = [], threading.Event()

    def gives_way() -> None:
        runs.append(1)
        if len(runs) == 1:
            raise Deadlock
        done.set()

    ticker = Ticker([Job("gives way", Every(NEVER_AGAIN_S), gives_way)])
    ticker.start()
    assert done.wait(PATIENCE_S)
    assert ticker.stop(PATIENCE_S)


def test_nothing_starts_after_the_stop(slow: Slow) -> None:
    ticker = Ticker([Job("slow", Every(NEVER_AGAIN_S), slow)])
    ticker.start()
    assert slow.began.acquire(timeout=PATIENCE_S)
    assert not ticker.stop(0)
    ticker.trigger("slow")
    slow.go.release(10)
    assert ticker.wait(PATIENCE_S)
    assert slow.runs == 1


@pytest.mark.parametrize("jump", (timedelta(days=-1), timedelta(days=365)))
def test_jobs_continue_when_the_clock_jumps(jump: timedelta) -> None:
    runs = threading.Semaphore(0)
    ticker = Ticker([Job("job", Every(0.05), runs.release)], look_seconds=0.01)
    ticker.start()
    assert runs.acquire(timeout=PATIENCE_S)
    with time_machine.travel(datetime.now(UTC) + jump):
        for _ in range(20):
            assert runs.acquire(timeout=PATIENCE_S)
        assert ticker.stop(PATIENCE_S)


def test_daily_job_runs_at_its_local_time_on_both_sides_of_a_clock_change() -> None:
    trigger = trigger_of(Daily(7, 30, "Europe/Berlin"))
    saturday = datetime(2026, 3, 28, 6, 0, tzinfo=UTC)
    first = trigger.get_next_fire_time(None, saturday)
    second = trigger.get_next_fire_time(first, first + timedelta(seconds=1))
    assert [each.astimezone(UTC) for each in (first, second)] == [
        datetime(2026, 3, 28, 6, 30, tzinfo=UTC),
        datetime(2026, 3, 29, 5, 30, tzinfo=UTC),
    ]


def test_daily_job_does_not_run_at_the_start() -> None:
    other, ran = threading.Event(), threading.Event()
    at = datetime.now(UTC) - timedelta(hours=1)
    daily = Job("backup", Daily(at.hour, at.minute), ran.set)
    ticker = Ticker([daily, Job("sweep", Every(NEVER_AGAIN_S), other.set)])
    ticker.start()
    assert other.wait(PATIENCE_S)
    assert not ran.is_set()
    ticker.trigger("backup")
    assert ran.wait(PATIENCE_S)
    assert ticker.stop(PATIENCE_S)
