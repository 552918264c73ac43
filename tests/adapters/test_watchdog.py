"""The watchdog reports stalled work, and not work that is only slow."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pbem.adapters.scheduler import Job, Ticker
from pbem.adapters.watchdog import LATE_SECONDS, STILL_SECONDS, Watchdog, all_unwell
from pbem.ports.process import Every

PATIENCE_S = 10.0


class Time:
    """A clock that moves when a test moves it."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def goes_on(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def pulse(time: Time) -> Watchdog:
    return Watchdog(time)


class Errand:
    """A thread's work: one step each time the test asks, and nothing in between."""

    def __init__(self) -> None:
        self._step, self._done = threading.Semaphore(0), threading.Semaphore(0)
        self.over = False

    def __call__(self) -> None:
        while not self.over:
            self._done.release()
            assert self._step.acquire(timeout=PATIENCE_S)
            sum(range(100_000))  # a coarse clock moves, too

    def goes_a_step(self) -> None:
        self._step.release()
        self.is_waiting()

    def is_waiting(self) -> None:
        assert self._done.acquire(timeout=PATIENCE_S)

    def ends(self) -> None:
        self.over = True
        self._step.release()


@contextmanager
def doing(pulse: Watchdog, errand: Errand) -> Iterator[None]:
    def do() -> None:
        with pulse.doing("sweep"):
            errand()

    thread = threading.Thread(target=do)
    thread.start()
    errand.is_waiting()
    try:
        yield
    finally:
        errand.ends()
        thread.join(PATIENCE_S)


def test_slow_work_that_progresses_is_well(pulse: Watchdog, time: Time) -> None:
    errand = Errand()
    with doing(pulse, errand):
        for _ in range(5):
            assert pulse.unwell() == ""
            errand.goes_a_step()
            time.goes_on(STILL_SECONDS)
        assert pulse.unwell() == ""


def test_stalled_work_is_unwell_until_it_continues(pulse: Watchdog, time: Time) -> None:
    errand = Errand()
    with doing(pulse, errand):
        pulse.unwell()
        time.goes_on(STILL_SECONDS)
        assert pulse.unwell() == ""
        time.goes_on(300)
        assert pulse.unwell() == "sweep has been stuck for 70 minutes"
        errand.goes_a_step()
        assert pulse.unwell() == ""
    assert pulse.unwell() == ""


def test_missing_periodic_work_is_reported(pulse: Watchdog, time: Time) -> None:
    pulse.comes("a look at the queue")
    time.goes_on(10 * STILL_SECONDS)
    assert pulse.unwell() == "", "nobody has expected it"
    pulse.expect("a look at the queue", 60)
    for _ in range(3):
        time.goes_on(60 + LATE_SECONDS)
        assert pulse.unwell() == ""
        pulse.comes("a look at the queue")
    time.goes_on(61 + LATE_SECONDS)
    assert pulse.unwell() == "a look at the queue has not happened for 3 minutes"


def test_ended_thread_is_reported(pulse: Watchdog) -> None:
    thread = threading.Thread(target=lambda: None, name="stand_by second")
    thread.start()
    pulse.depends_on(thread)
    thread.join()
    assert all_unwell(Watchdog(), None, pulse, pulse) == "; ".join(
        ["stand_by second has ended"] * 2
    )


def test_ticker_that_stops_ticking_is_unwell() -> None:
    time, ran = Time(), threading.Semaphore(0)
    ticker = Ticker([Job("sweep", Every(3600), ran.release)], pulse=Watchdog(time))
    ticker.start()
    assert ran.acquire(timeout=PATIENCE_S)
    assert ticker.unwell() == ""
    time.goes_on(3600 + LATE_SECONDS + 60)
    assert ticker.unwell() == "the next run of sweep has not happened for 63 minutes"
    ticker.trigger("sweep")
    assert ran.acquire(timeout=PATIENCE_S)
    assert ticker.unwell() == ""
    assert ticker.stop(PATIENCE_S)
