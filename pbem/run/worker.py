"""Worker: run the jobs of the queue, in a club with several processes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from importlib import metadata
from itertools import chain, repeat

from pbem.adapters.cpu_yield import cpu_yield
from pbem.adapters.db.engine import connection_words
from pbem.adapters.job_queue import JobRunner
from pbem.adapters.scheduler import Job, Ticker
from pbem.adapters.watchdog import all_unwell
from pbem.inbox.process import process, shunt
from pbem.jobs.play_bots import put_bots_into_line, record_answers_in
from pbem.jobs.table import JOBS, JobContext
from pbem.log import get_logger
from pbem.ports.outbox import Transport, TransportError
from pbem.ports.process import MustStop, StorageUnavailable, WallClock
from pbem.run.fatal_errors import FatalErrors
from pbem.run.shutdown import end
from pbem.run.systemd_notify import systemd_notified
from pbem.service.clocks.heartbeat import mind_the_clock, require_right_clock
from pbem.service.club import Club
from pbem.service.delivery.claims import release_claims_of_the_dead
from pbem.service.delivery.deliver import Connection, WatchedTransport, deliver
from pbem.service.receive import put_into_line
from pbem.service.work import reading, writing

log = get_logger(__name__)

FORGOTTEN = timedelta(minutes=1)
"""An email that waits this long has a job, unless a process without a queue recorded it."""
MOST_DEATHS = 5
"""An email at which this many workers died is set aside."""
PAUSES = (0.0, 0.2, 1.0, 5.0)
"""Seconds before a job is retried after the database refused it."""
SELDOM = timedelta(seconds=10)
"""Seconds between checks that are not needed for each job."""


class Seldom:
    """A check that is not needed for each email, but whenever the clock has jumped."""

    def __init__(self, clock: WallClock) -> None:
        self._clock = clock
        self._last: datetime | None = None

    def is_due(self) -> bool:
        """Return whether it was not due within the last ten seconds."""
        now = self._clock.now()
        if self._last is not None and timedelta() <= now - self._last < SELDOM:
            return False
        self._last = now
        return True


class Worker:
    """The jobs of a club, as the queue requests them."""

    def __init__(self, club: Club, transport: Transport, stop: threading.Event) -> None:
        self._club = club
        self._smtp = Connection("SMTP", club.clock, club.meter)
        self._transport = WatchedTransport(transport, self._smtp)
        self.stop = stop
        """Set when the worker must stop."""
        self.fitness = FatalErrors()
        """Whether it may continue."""
        self.fitness.ends(stop)
        self.schema_job = self.fitness.schema_job(club)
        self._clock_minded = Seldom(club.clock)
        self._dead_looked_for = Seldom(club.clock)
        self._trying = threading.Lock()
        """Held while trying an SMTP server that was down."""
        # A sweep leaves waiting emails to their own jobs.
        context = JobContext(club, self._transport, stop.is_set, process=lambda *_: None)
        self.jobs: dict[str, Callable[[int | None, int], object]] = {
            **{name: self._whatever(partial(each.run, context)) for name, each in JOBS.items()},
            "process": self._process,
            "bots": self._bots,
            "deliver": self._whatever(self._deliver),
        }

    @property
    def trouble(self) -> str:
        """Return that the SMTP server could not be reached, in words. Empty if it could."""
        return self._smtp.trouble

    def require_right_clock(self) -> None:
        """Raise ClockWrong if this machine must not work."""
        require_right_clock(self._club, self._club.clock.now())

    def _whatever(self, run: Callable[[], object]) -> Callable[[int | None, int], object]:
        """Return a job that finds its own work."""
        return lambda row, deaths: self._until_stored(run)

    def _until_stored(self, run: Callable[[], object], pauses: Iterable[float] = PAUSES) -> None:
        """Retry while the database is down, or if another writer was first.

        This happens in this thread. The queue counts one start, not a worker that died.
        """
        for tries, pause in enumerate(pauses):
            try:
                run()
            except MustStop as error:
                self.fitness.must_end(error)
                raise
            except StorageUnavailable as error:
                tell = log.warning if tries == len(PAUSES) else log.debug
                tell("still trying", error=str(error))
                if self.stop.wait(pause):
                    break
            else:
                return
        run()

    def _process(self, row: int | None, deaths: int) -> None:
        if row is None:
            return
        # Until it succeeds: the queue counts a failed job as a worker that died at this email.
        again = partial(self._until_stored, pauses=chain(PAUSES, repeat(PAUSES[-1])))
        if deaths >= MOST_DEATHS:
            again(lambda: shunt(self._club, row, f"{deaths} workers died over it"))
            return
        if self._clock_minded.is_due():
            again(lambda: mind_the_clock(self._club))
        again(lambda: process(self._club, row))

    def _bots(self, row: int | None, deaths: int) -> None:
        """Play one match at a time, so that emails that arrive meanwhile go first."""
        if row is None:
            self._until_stored(partial(put_bots_into_line, self._club))
        else:
            stopping = cpu_yield(self.stop.is_set)
            self._until_stored(partial(record_answers_in, self._club, row, stopping))

    def _deliver(self) -> None:
        if self._dead_looked_for.is_due():
            release_claims_of_the_dead(self._club)
        if not self._smtp.lost:
            self._deliver_now()
        # Otherwise all threads would wait for a silent server, and nobody would read email.
        elif self._trying.acquire(blocking=False):
            try:
                self._deliver_now()
            finally:
                self._trying.release()

    def _deliver_now(self) -> None:
        again = self._smtp.lost
        try:
            deliver(self._club, self._transport, self.stop.is_set)
        except TransportError as error:  # waiting emails are tried again in a few seconds
            tell = log.debug if again else log.warning
            tell("not delivered", error=str(error))

    def put_forgotten_into_line(self, in_line: Collection[int]) -> int:
        """Give a job to each waiting email without one. Return how many there were."""
        found = 0
        with reading(self._club) as work:
            waiting = [each for each in work.inbound.pending() if each not in in_line]
        for number in waiting:
            with writing(self._club) as work:
                mail = work.inbound.get(number)
                if mail.recorded_at <= work.now - FORGOTTEN:
                    put_into_line(work, mail.id, mail.raw)
                    found += 1
        if found:
            log.info("jobs added for waiting emails", mails=found)
        return found


class Shift:
    """A worker in its own thread. It takes the jobs of some queues."""

    def __init__(
        self, worker: Worker, url: str, queues: Sequence[str], concurrency: int = 1
    ) -> None:
        self._worker = worker
        self._stop = worker.stop
        self.job: Job = worker.schema_job
        self.queues = tuple(queues)
        self.concurrency = concurrency
        self._runner = JobRunner(
            connection_words(url),
            worker.jobs,
            worker.put_forgotten_into_line,
            queues,
            concurrency,
            {each.name: each.trigger for each in JOBS.values() if each.trigger is not None},
        )
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)
        self._trouble: BaseException | None = None

    def start(self) -> None:
        """Start. It stops once the worker's event is set."""
        self._thread.start()

    def require_right_clock(self) -> None:
        """Raise ClockWrong if this machine must not work."""
        self._worker.require_right_clock()

    def _run(self) -> None:
        try:
            self._runner.run_until(self._stop)
        except BaseException as error:
            log.exception("the worker failed")
            self._trouble = error
            self._stop.set()

    def unwell(self) -> str:
        """Return what is stuck, in words. Empty if all is well."""
        return self._runner.unwell()

    @property
    def trouble(self) -> str:
        """Return what it cannot reach, in words. Empty if nothing."""
        return "; ".join(filter(None, (self._runner.trouble, self._worker.trouble)))

    def doing(self) -> str:
        """Return what it does and what it cannot reach, in one line for people."""
        said = f"working on {', '.join(self.queues)}"
        return "; ".join(filter(None, (said, self.trouble)))

    def ended(self, seconds: float) -> bool:
        """Wait at most this many seconds. Return whether nothing is in progress any more."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def raise_trouble(self) -> None:
        """Raise the error that stopped it, or the reason it must not continue."""
        if self._trouble is not None:
            raise self._trouble
        self._worker.fitness.require()


class WorkService:
    """A process that only does jobs."""

    def __init__(self, shift: Shift, close: Callable[[], None]) -> None:
        self._shift = shift
        self._close = close
        """Closes its connections."""
        self._ticker = Ticker([shift.job])

    def unwell(self) -> str:
        """Return what is stuck, in words. Empty if all is well."""
        return all_unwell(self._ticker, self._shift)

    def run_until(self, stop: threading.Event) -> None:
        """Work until the event is set, then stop within ten seconds whatever is in progress."""
        self._shift.require_right_clock()
        log.info(
            "working",
            queues=",".join(self._shift.queues),
            at_once=self._shift.concurrency,
            version=metadata.version("pbem"),
        )
        self._shift.start()
        self._ticker.start()
        with systemd_notified(stop, self.unwell, self._shift.doing):
            stop.wait()
        log.info("ending")
        self._ticker.stop(0)
        end(self._has_ended, self._close)
        self._shift.raise_trouble()

    def _has_ended(self, seconds: float) -> bool:
        return self._shift.ended(seconds) and self._ticker.wait(seconds)
