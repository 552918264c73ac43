"""Worker: run the jobs of the queue, if many processes share the club's work."""

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
"""After this long, a waiting email has a job, unless a process without a queue recorded it."""
MOST_DEATHS = 5
"""An email that killed this many workers is set aside."""
PAUSES = (0.0, 0.2, 1.0, 5.0)
"""Seconds before each new attempt at a job that the database did not allow."""
SELDOM = timedelta(seconds=10)
"""Minimum time between checks that are not needed for each job."""


class Seldom:
    """A check that is not needed for each email, but after every clock jump."""

    def __init__(self, clock: WallClock) -> None:
        self._clock = clock
        self._last: datetime | None = None

    def is_due(self) -> bool:
        """Return whether the last time was over ten seconds ago, or the clock has jumped."""
        now = self._clock.now()
        if self._last is not None and timedelta() <= now - self._last < SELDOM:
            return False
        self._last = now
        return True


class Worker:
    """The jobs of a club, as run from the queue."""

    def __init__(self, club: Club, transport: Transport, stop: threading.Event) -> None:
        self._club = club
        self._smtp = Connection("SMTP", club.clock, club.meter)
        self._transport = WatchedTransport(transport, self._smtp)
        self.stop = stop
        """Set when the worker should stop."""
        self.fitness = FatalErrors()
        """Records fatal errors."""
        self.fitness.ends(stop)
        self.schema_job = self.fitness.schema_job(club)
        self._clock_minded = Seldom(club.clock)
        self._dead_looked_for = Seldom(club.clock)
        self._trying = threading.Lock()
        """Held by the thread that tries an SMTP server that was away."""
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
        """Describe why the SMTP server cannot be reached. Empty if it can."""
        return self._smtp.trouble

    def require_right_clock(self) -> None:
        """Raise ClockWrong if this machine's clock is wrong, so that it must not work."""
        require_right_clock(self._club, self._club.clock.now())

    def _whatever(self, run: Callable[[], object]) -> Callable[[int | None, int], object]:
        """Wrap a job that finds its own work."""
        return lambda row, deaths: self._until_stored(run)

    def _until_stored(self, run: Callable[[], object], pauses: Iterable[float] = PAUSES) -> None:
        """Repeat a job while the database is away or another writer was first.

        Repeats it here, in its thread, so that the queue does not count it as a worker's death.
        """
        for tries, pause in enumerate(pauses):
            try:
                run()
            except MustStop as error:
                self.fitness.must_end(error)
                raise
            except StorageUnavailable as error:
                tell = log.warning if tries == len(PAUSES) else log.debug
                tell("tried again and again", error=str(error))
                if self.stop.wait(pause):
                    break
            else:
                return
        run()

    def _process(self, row: int | None, deaths: int) -> None:
        if row is None:
            return
        # Without limit, since the queue counts a failed job as a death over its email.
        again = partial(self._until_stored, pauses=chain(PAUSES, repeat(PAUSES[-1])))
        if deaths >= MOST_DEATHS:
            again(lambda: shunt(self._club, row, f"{deaths} workers died over it"))
            return
        if self._clock_minded.is_due():
            again(lambda: mind_the_clock(self._club))
        again(lambda: process(self._club, row))

    def _bots(self, row: int | None, deaths: int) -> None:
        """Answer in one match at a time, so that emails received meanwhile go first."""
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
        # One thread tries a silent server, so that the others can read emails.
        elif self._trying.acquire(blocking=False):
            try:
                self._deliver_now()
            finally:
                self._trying.release()

    def _deliver_now(self) -> None:
        again = self._smtp.lost
        try:
            deliver(self._club, self._transport, self.stop.is_set)
        except TransportError as error:  # waiting emails are retried in a few seconds
            tell = log.debug if again else log.warning
            tell("not delivered", error=str(error))

    def put_forgotten_into_line(self, in_line: Collection[int]) -> int:
        """Queue each waiting email that has no job. Return how many there were."""
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
            log.info("mails put into line", mails=found)
        return found


class Shift:
    """A worker that runs in its own thread and takes jobs from some queues."""

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
        """Start the thread. It ends once the worker's event is set."""
        self._thread.start()

    def require_right_clock(self) -> None:
        """Raise ClockWrong if this machine's clock is wrong."""
        self._worker.require_right_clock()

    def _run(self) -> None:
        try:
            self._runner.run_until(self._stop)
        except BaseException as error:
            log.exception("the worker has broken down")
            self._trouble = error
            self._stop.set()

    def unwell(self) -> str:
        """Describe what has stopped. Empty if nothing has."""
        return self._runner.unwell()

    @property
    def trouble(self) -> str:
        """Describe what cannot be reached. Empty if everything can."""
        return "; ".join(filter(None, (self._runner.trouble, self._worker.trouble)))

    def doing(self) -> str:
        """Describe in a line what it is doing and what it cannot reach, for people."""
        said = f"working on {', '.join(self.queues)}"
        return "; ".join(filter(None, (said, self.trouble)))

    def ended(self, seconds: float) -> bool:
        """Wait at most `seconds` for all jobs to end. Return whether they have."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def raise_trouble(self) -> None:
        """Raise the error that stopped the worker, if any."""
        if self._trouble is not None:
            raise self._trouble
        self._worker.fitness.require()


class WorkService:
    """A process that only runs jobs."""

    def __init__(self, shift: Shift, close: Callable[[], None]) -> None:
        self._shift = shift
        self._close = close
        """Closes its connections."""
        self._ticker = Ticker([shift.job])

    def unwell(self) -> str:
        """Describe what has stopped. Empty if nothing has."""
        return all_unwell(self._ticker, self._shift)

    def run_until(self, stop: threading.Event) -> None:
        """Work until the event is set, then end within ten seconds whatever is going on."""
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
