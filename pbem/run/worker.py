"""Worker: what each job of the queue does, where the club's work is done by many processes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from importlib import metadata
from itertools import chain, repeat

from pbem.adapters.db.engine import connection_words
from pbem.adapters.giving_way import giving_way
from pbem.adapters.job_queue import JobRunner
from pbem.adapters.pulse import all_unwell
from pbem.adapters.scheduler import Job, Ticker
from pbem.inbox.process import process, shunt
from pbem.jobs.play_bots import put_bots_into_line, record_answers_in
from pbem.jobs.table import JOBS, JobContext
from pbem.log import get_logger
from pbem.ports.outbox import Transport, TransportError
from pbem.ports.process import MustStop, StorageUnavailable, WallClock
from pbem.run.fatal_errors import FatalErrors
from pbem.run.shutdown import end
from pbem.run.systemd_notify import attended
from pbem.service.clocks.heartbeat import mind_the_clock, require_right_clock
from pbem.service.club import Club
from pbem.service.delivery.claims import release_claims_of_the_dead
from pbem.service.delivery.deliver import Connection, WatchedTransport, deliver
from pbem.service.receive import put_into_line
from pbem.service.work import reading, writing

log = get_logger(__name__)

FORGOTTEN = timedelta(minutes=1)
"""A mail that waits for so long has a job, unless it was recorded by who had no queue."""
MOST_DEATHS = 5
"""A mail over which so many workers have died is set aside."""
PAUSES = (0.0, 0.2, 1.0, 5.0)
"""Seconds before a job is tried once more that the database did not let be done."""
SELDOM = timedelta(seconds=10)
"""What need not be looked at for each job is looked at so often."""


class Seldom:
    """Something that need not be looked at for each mail, but whenever the clock has jumped."""

    def __init__(self, clock: WallClock) -> None:
        self._clock = clock
        self._last: datetime | None = None

    def is_due(self) -> bool:
        """Whether it was not due within the last ten seconds."""
        now = self._clock.now()
        if self._last is not None and timedelta() <= now - self._last < SELDOM:
            return False
        self._last = now
        return True


class Worker:
    """The jobs of a club, as the queue asks for them."""

    def __init__(self, club: Club, transport: Transport, stop: threading.Event) -> None:
        self._club = club
        self._smtp = Connection("SMTP", club.clock, club.meter)
        self._transport = WatchedTransport(transport, self._smtp)
        self.stop = stop
        """Set where the worker is to end."""
        self.fitness = FatalErrors()
        """Whether it may go on."""
        self.fitness.ends(stop)
        self.schema_job = self.fitness.schema_job(club)
        self._clock_minded = Seldom(club.clock)
        self._dead_looked_for = Seldom(club.clock)
        self._trying = threading.Lock()
        """Held by who tries an SMTP server that was away."""
        # A sweep leaves the emails that wait to their own jobs.
        context = JobContext(club, self._transport, stop.is_set, process=lambda *_: None)
        self.jobs: dict[str, Callable[[int | None, int], object]] = {
            **{name: self._whatever(partial(each.run, context)) for name, each in JOBS.items()},
            "process": self._process,
            "bots": self._bots,
            "deliver": self._whatever(self._deliver),
        }

    @property
    def trouble(self) -> str:
        """That the SMTP server could not be reached, in words; empty if it could."""
        return self._smtp.trouble

    def require_right_clock(self) -> None:
        """Raises ClockWrong where this machine must not work."""
        require_right_clock(self._club, self._club.clock.now())

    def _whatever(self, run: Callable[[], object]) -> Callable[[int | None, int], object]:
        """A job that looks for itself for what is to be done."""
        return lambda row, deaths: self._until_stored(run)

    def _until_stored(self, run: Callable[[], object], pauses: Iterable[float] = PAUSES) -> None:
        """Does something again where the database was away, or another writer was first.

        Here, in its thread: to the queue it is begun once, as if no worker had died over it.
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
        # Until it is: a job that fails has died over its mail, as the queue counts.
        again = partial(self._until_stored, pauses=chain(PAUSES, repeat(PAUSES[-1])))
        if deaths >= MOST_DEATHS:
            again(lambda: shunt(self._club, row, f"{deaths} workers died over it"))
            return
        if self._clock_minded.is_due():
            again(lambda: mind_the_clock(self._club))
        again(lambda: process(self._club, row))

    def _bots(self, row: int | None, deaths: int) -> None:
        """A match at a time, so that the mails which have come meanwhile go first."""
        if row is None:
            self._until_stored(partial(put_bots_into_line, self._club))
        else:
            stopping = giving_way(self.stop.is_set)
            self._until_stored(partial(record_answers_in, self._club, row, stopping))

    def _deliver(self) -> None:
        if self._dead_looked_for.is_due():
            release_claims_of_the_dead(self._club)
        if not self._smtp.lost:
            self._deliver_now()
        # Lest everybody waits for a server that is silent, and nobody reads mail.
        elif self._trying.acquire(blocking=False):
            try:
                self._deliver_now()
            finally:
                self._trying.release()

    def _deliver_now(self) -> None:
        again = self._smtp.lost
        try:
            deliver(self._club, self._transport, self.stop.is_set)
        except TransportError as error:  # what waits is looked for again in a few seconds
            tell = log.debug if again else log.warning
            tell("not delivered", error=str(error))

    def put_forgotten_into_line(self, in_line: Collection[int]) -> int:
        """Gives a job to each mail that waits and has none; returns how many they were."""
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
    """A worker at work, in a thread of its own: it takes the jobs of some queues."""

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
        """Begins; it ends once the worker's event is set."""
        self._thread.start()

    def require_right_clock(self) -> None:
        """Raises ClockWrong."""
        self._worker.require_right_clock()

    def _run(self) -> None:
        try:
            self._runner.run_until(self._stop)
        except BaseException as error:
            log.exception("the worker has broken down")
            self._trouble = error
            self._stop.set()

    def unwell(self) -> str:
        """What does not go on, in words; empty if everything does."""
        return self._runner.unwell()

    @property
    def trouble(self) -> str:
        """What it cannot reach, in words; empty if nothing."""
        return "; ".join(filter(None, (self._runner.trouble, self._worker.trouble)))

    def doing(self) -> str:
        """What it does, and what it cannot reach, in a line for people."""
        said = f"working on {', '.join(self.queues)}"
        return "; ".join(filter(None, (said, self.trouble)))

    def ended(self, seconds: float) -> bool:
        """Whether nothing is being done any more, after at most so many seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def raise_trouble(self) -> None:
        """Raises what it has broken down of, if it has, or why it did not go on."""
        if self._trouble is not None:
            raise self._trouble
        self._worker.fitness.require()


class WorkService:
    """A process that does jobs and nothing else."""

    def __init__(self, shift: Shift, close: Callable[[], None]) -> None:
        self._shift = shift
        self._close = close
        """Cuts its connections."""
        self._ticker = Ticker([shift.job])

    def unwell(self) -> str:
        """What does not go on, in words; empty if everything does."""
        return all_unwell(self._ticker, self._shift)

    def run_until(self, stop: threading.Event) -> None:
        """Works until the event is set, then ends within ten seconds whatever is going on."""
        self._shift.require_right_clock()
        log.info(
            "working",
            queues=",".join(self._shift.queues),
            at_once=self._shift.concurrency,
            version=metadata.version("pbem"),
        )
        self._shift.start()
        self._ticker.start()
        with attended(stop, self.unwell, self._shift.doing):
            stop.wait()
        log.info("ending")
        self._ticker.stop(0)
        end(self._has_ended, self._close)
        self._shift.raise_trouble()

    def _has_ended(self, seconds: float) -> bool:
        return self._shift.ended(seconds) and self._ticker.wait(seconds)
