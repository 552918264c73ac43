"""Scheduler: run the jobs of a process when they are due, each in a thread of its own.

APScheduler's triggers decide when. They follow the wall clock and would pause for as long as it is
set back, so a thread watches the clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

from pbem.adapters.watchdog import Watchdog
from pbem.log import get_logger
from pbem.ports.inbound import MailboxError
from pbem.ports.outbox import TransportError
from pbem.ports.process import Deadlock, Every, StorageUnavailable, Trigger

log = get_logger(__name__)

LOOK_SECONDS = 5.0
"""Seconds between comparisons of the clock with a monotonic one."""
STEP_SECONDS = 1.0
"""Maximum seconds that the clock may drift between two comparisons."""


@dataclass(frozen=True)
class Job:
    """A job to run repeatedly."""

    name: str
    trigger: Trigger
    run: Callable[[], object]


class _Interval(IntervalTrigger):
    """APScheduler's interval, without its list of missed runs.

    If the clock jumps from 1970 to now, as on computers without a battery, that list would not fit
    into memory.
    """

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime:
        interval: timedelta = self.interval
        return now + interval


def trigger_of(trigger: Trigger) -> BaseTrigger:
    """Return APScheduler's trigger. Raises ZoneInfoNotFoundError if there is no such zone."""
    if isinstance(trigger, Every):
        return _Interval(seconds=trigger.seconds, timezone=UTC)  # type: ignore[no-untyped-call]
    return CronTrigger(hour=trigger.hour, minute=trigger.minute, timezone=ZoneInfo(trigger.zone))


class _Runner:
    """Runs one job, never twice at once. A request during a run is not lost."""

    def __init__(self, job: Job, stopping: Callable[[], bool], pulse: Watchdog) -> None:
        self.job = job
        self._stopping = stopping
        self._pulse = pulse
        self._running = threading.Lock()
        self._wanted = threading.Event()
        self._trouble = ""
        """Why it failed last time. Empty if it did not."""
        self.told = f"the next run of {job.name}"
        """Name of the next run, for reports that it did not happen."""

    def __call__(self) -> None:
        if isinstance(self.job.trigger, Every):
            self._pulse.comes(self.told)
        self._wanted.set()
        while self._wanted.is_set() and self._running.acquire(blocking=False):
            try:
                self._wanted.clear()
                self._run_once()
            finally:
                self._running.release()

    def _run_once(self) -> None:
        if self._stopping():
            return
        try:
            with self._pulse.doing(self.job.name):
                self._run_job()
        except Exception as error:  # noqa: BLE001  one failure must not end the service
            self._tell(error)
        else:
            self._trouble = ""

    def _run_job(self) -> None:
        """Run the job, once more after a deadlock, since its next time may be minutes away."""
        try:
            self.job.run()
        except Deadlock:
            self.job.run()

    def _tell(self, error: Exception) -> None:
        ours, kind = _is_ours(error), type(error).__name__
        # Our own messages may contain anything. The others are sentences for people.
        said = kind if ours else f"{kind}: {error}"
        # A server that is away for hours is logged once, not every few seconds.
        tell = log.debug if said == self._trouble and not ours else log.warning
        tell("job failed", job=self.job.name, error=said, exc_info=error if ours else None)
        self._trouble = said

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for the current run to end. Return whether none is running."""
        free = self._running.acquire(timeout=max(0.0, seconds))
        if free:
            self._running.release()
        return free


def _is_ours(error: Exception) -> bool:
    """Return whether an error is a bug, to be fixed by its traceback."""
    return not isinstance(error, MailboxError | TransportError | StorageUnavailable)


def _ahead() -> float:
    """Return how far the wall clock is ahead of the monotonic one, in seconds."""
    return datetime.now(UTC).timestamp() - time.monotonic()


class Ticker:
    """The jobs of a service."""

    def __init__(
        self,
        jobs: Sequence[Job],
        look_seconds: float = LOOK_SECONDS,
        pulse: Watchdog | None = None,
    ) -> None:
        self._look_seconds = look_seconds
        self._stopping = threading.Event()
        self._pulse = pulse or Watchdog()
        stopping = self._stopping.is_set
        self._runners = {job.name: _Runner(job, stopping, self._pulse) for job in jobs}
        # Twice as many threads as jobs, since a request for a running job returns at once.
        executors = {"default": ThreadPoolExecutor(2 * len(jobs))}
        self._scheduler = BackgroundScheduler(executors=executors, timezone=UTC)

    def start(self) -> None:
        """Start the scheduler. A job with an interval runs now, one with a time of day then."""
        for name, runner in self._runners.items():
            trigger, now = runner.job.trigger, {}
            if isinstance(trigger, Every):
                self._pulse.expect(runner.told, trigger.seconds)
                now = {"next_run_time": datetime.now(UTC)}
            self._scheduler.add_job(
                runner,
                trigger_of(trigger),
                id=name,
                **now,
                max_instances=2,
                coalesce=True,
                misfire_grace_time=None,
            )
        self._scheduler.start()
        clock = threading.Thread(target=self._mind_the_clock, name="clock", daemon=True)
        clock.start()
        self._pulse.depends_on(clock)

    def _mind_the_clock(self) -> None:
        """Run all jobs at once when the clock is set back."""
        ahead = _ahead()
        while not self._stopping.wait(self._look_seconds):
            before, ahead = ahead, _ahead()
            if ahead < before - STEP_SECONDS:
                log.warning("the clock was set back", seconds=round(before - ahead))
                for name, runner in self._runners.items():
                    with suppress(JobLookupError):  # the service is ending
                        self._catch_up(name, runner.job.trigger)

    def _catch_up(self, name: str, trigger: Trigger) -> None:
        """Run a job with an interval now. One with a time of day checks the clock again."""
        if isinstance(trigger, Every):
            self._scheduler.modify_job(name, next_run_time=datetime.now(UTC))
        else:
            self._scheduler.reschedule_job(name, trigger=trigger_of(trigger))

    def trigger(self, name: str) -> None:
        """Run a job soon, or once more if it is running now."""
        if not self._stopping.is_set():
            runner = self._runners[name]
            self._scheduler.add_job(runner, max_instances=2, misfire_grace_time=None)

    def stop(self, seconds: float) -> bool:
        """Start no more runs. Return whether all have ended within `seconds`."""
        self._stopping.set()
        if self._scheduler.running:
            # Its thread may be about to start a job on the executor that is being shut down.
            self._scheduler.remove_all_jobs()
            self._scheduler.shutdown(wait=False)
        return self.wait(seconds)

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for all runs to end. Return whether none is running."""
        until = time.monotonic() + seconds
        return all(runner.wait(until - time.monotonic()) for runner in self._runners.values())

    def unwell(self) -> str:
        """Describe the jobs that have stopped. Empty if none has."""
        return self._pulse.unwell()

    @property
    def stopping(self) -> Callable[[], bool]:
        """Return a check whether the service should stop. Long jobs call it between steps."""
        return self._stopping.is_set
