"""Runner: take jobs from the queue and run them, several at once.

If a worker dies, another repeats its job. So every job must tolerate running twice.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from procrastinate import App, JobContext, RetryStrategy
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Status
from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from pbem.adapters.job_queue.connector import connector
from pbem.adapters.job_queue.kinds import kind_of
from pbem.adapters.job_queue.queue import NEEDLESS
from pbem.adapters.watchdog import Watchdog
from pbem.log import get_logger
from pbem.ports.process import StorageUnavailable, Trigger

log = get_logger(__name__)
# Its messages are logged here, in the club's words.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
logging.getLogger("psycopg").setLevel(logging.CRITICAL)

LOOK_SECONDS = 5.0
"""Seconds between checks of the queue by a worker that got no notification."""
BEAT_SECONDS = 5.0
STALLED_SECONDS = 20.0
"""After this many seconds without a heartbeat a worker is dead and others repeat its jobs."""
APART_SECONDS = 10
"""Seconds between jobs whose workers died more than once."""
AGAIN_SECONDS = 5
"""Seconds before the queue, or a failed job, is tried again."""
LOOP, LOOK = "the loop of the queue", "a look at the queue"
"""Names of recurring events, for reports that one did not happen."""

Run = Callable[[int | None, int], object]
"""A job, given its row and how often it was started before without ending."""
Forgotten = Callable[[Collection[int]], object]
"""Given the rows queued for processing, queues those that are missing."""


EMPTY: Mapping[str, Trigger] = {}


class JobRunner:
    """A worker that runs the jobs of some queues in threads of this process.

    Takes the server's address in parts. libpq reads some URLs differently from the rest of pbem,
    and its errors show unreadable ones with the password.
    """

    def __init__(
        self,
        server: Mapping[str, Any],
        jobs: Mapping[str, Run],
        forgotten: Forgotten,
        queues: Sequence[str],
        concurrency: int = 1,
        triggers: Mapping[str, Trigger] = EMPTY,
    ) -> None:
        self._queues = list(queues)
        self._triggers = triggers
        self._concurrency = concurrency
        self._forgotten = forgotten
        self._connector = connector(server, self._reached)
        self._app = App(connector=self._connector)
        self._pulse = Watchdog()
        self._at_work = 0
        """Number of jobs that are running."""
        for name, run in jobs.items():
            self._register(name, _in_thread(name, run, self._pulse))
        self._register("stalled", self._take_up_stalled)
        self._register("forgotten", self._look_for_forgotten)
        self._lost = False
        """Whether the queue could not be reached last time."""

    def _register(self, name: str, run: Callable[..., Awaitable[object]]) -> None:
        kind = kind_of(name, self._triggers.get(name))
        if kind.for_all:
            run = self._for_all(name, run)
        task = self._app.task(
            name=name,
            queue=kind.queue,
            pass_context=True,
            retry=RetryStrategy(wait=AGAIN_SECONDS) if kind.again else False,
        )(self._counted(run))
        if kind.every:
            self._app.periodic(
                cron=kind.every,
                lock=name if kind.alone else None,
                queueing_lock=name,  # one waiting job is enough, however long nobody runs it
                priority=kind.priority,
            )(task)

    def _counted(self, run: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
        """Count running jobs, since a fully busy worker need not check the queue."""

        async def counted(context: JobContext, **arguments: object) -> None:
            self._at_work += 1
            try:
                await run(context, **arguments)
            finally:
                self._at_work -= 1
                self._pulse.comes(LOOK)

        return counted

    def _for_all(
        self, name: str, run: Callable[..., Awaitable[object]]
    ) -> Callable[..., Awaitable[object]]:
        """Wrap a job so that it replaces all of its kind that are queued when it starts."""
        queue = kind_of(name).queue

        async def done(context: JobContext, **arguments: object) -> None:
            await self._connector.execute_query_async(NEEDLESS, queue=queue, task_name=name)
            await run(context, **arguments)

        return done

    def run_until(self, stop: threading.Event) -> None:
        """Work until the event is set and the running jobs have ended."""
        for each in (LOOP, LOOK):
            self._pulse.expect(each, LOOK_SECONDS)
        asyncio.run(self._run_until(stop))

    def unwell(self) -> str:
        """Describe what has stopped, empty if nothing. An unreachable database doesn't count."""
        return self._pulse.unwell()

    @property
    def trouble(self) -> str:
        """Says that the queue could not be reached last time. Empty if it could."""
        return "the job queue cannot be reached" if self._lost else ""

    async def _turn(self) -> None:
        """Signal regularly that the loop is running."""
        while True:
            self._pulse.comes(LOOP)
            if self._at_work >= self._concurrency:
                self._pulse.comes(LOOK)
            await asyncio.sleep(BEAT_SECONDS)

    async def _run_until(self, stop: threading.Event) -> None:
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()
        loop.set_default_executor(ThreadPoolExecutor(self._concurrency + 1, "job"))
        loop.set_exception_handler(_left_unsaid)

        def wait() -> None:
            stop.wait()
            with suppress(RuntimeError):  # the loop has already ended
                loop.call_soon_threadsafe(stopped.set)

        threading.Thread(target=wait, name="stop", daemon=True).start()
        turning = asyncio.create_task(self._turn())
        while not stopped.is_set():
            try:
                async with self._app.open_async():
                    await self._work(stopped)
            except (ConnectorException, OperationalError, PoolTimeout) as error:
                self._tell_of_loss(error)
                with suppress(TimeoutError):
                    await asyncio.wait_for(stopped.wait(), AGAIN_SECONDS)
        turning.cancel()

    async def _work(self, stopped: asyncio.Event) -> None:
        """Run jobs until stopped, or until the queue cannot be reached."""
        worker = asyncio.create_task(
            self._app.run_worker_async(
                queues=self._queues,
                concurrency=self._concurrency,
                fetch_job_polling_interval=LOOK_SECONDS,
                update_heartbeat_interval=BEAT_SECONDS,
                stalled_worker_timeout=STALLED_SECONDS,
                delete_jobs="always",
                install_signal_handlers=False,
            )
        )
        ends = [asyncio.create_task(each.wait()) for each in (stopped, self._connector.broken)]
        await asyncio.wait((worker, *ends), return_when=asyncio.FIRST_COMPLETED)
        for each in ends:
            each.cancel()
        worker.cancel()  # gracefully: running jobs end first
        with suppress(asyncio.CancelledError):
            await worker
        self._connector.raise_if_broken()

    def _reached(self) -> None:
        self._pulse.comes(LOOK)
        if self._lost:
            log.info("queue of jobs reached again")
        self._lost = False

    def _tell_of_loss(self, error: Exception) -> None:
        self._pulse.comes(LOOK)
        tell = log.debug if self._lost else log.warning
        tell("queue of jobs not reached", error=str(error.__cause__ or error))
        self._lost = True

    async def _take_up_stalled(self, context: JobContext, **_: object) -> None:
        """Requeue the jobs of dead workers, ahead of later ones."""
        manager = context.app.job_manager
        stalled = await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS)
        for place, job in enumerate(sorted(stalled, key=lambda each: each.id or 0)):
            log.warning("job of a dead worker", job=job.task_name, begun=job.attempts + 1)
            with suppress(ConnectorException):  # another worker was first
                if job.queueing_lock is None:
                    # If several died together twice, one of them may have killed the others.
                    apart = timedelta(seconds=APART_SECONDS * place if job.attempts else 0)
                    await manager.retry_job(job, datetime.now(UTC) + apart)
                else:  # it recurs, and may have been queued again
                    await manager.finish_job(job, Status.FAILED, delete_job=True)

    async def _look_for_forgotten(self, context: JobContext, **_: object) -> None:
        manager, rows = context.app.job_manager, set[int]()
        for status in ("todo", "doing"):
            jobs = await manager.list_jobs_async(task="process", status=status)
            rows |= {row for job in jobs if isinstance(row := job.task_kwargs.get("row"), int)}
        await asyncio.to_thread(self._forgotten, rows)


def _left_unsaid(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log the error of a task that nobody awaits.

    A queue error means that a finished job could not be reported. Either the connection was lost,
    which is logged elsewhere, or this worker stalled and another has taken up the job.
    """
    error = context.get("exception")
    if isinstance(error, ConnectorException):
        log.debug("cannot update the queue", error=str(error.__cause__ or error))
    else:
        loop.default_exception_handler(context)


def _in_thread(name: str, run: Run, pulse: Watchdog) -> Callable[..., Awaitable[object]]:
    def done(row: int | None, deaths: int) -> None:
        with pulse.doing(name):
            run(row, deaths)

    async def job(context: JobContext, row: int | None = None, **_: object) -> None:
        try:
            await asyncio.to_thread(done, row, context.job.attempts)
        except StorageUnavailable as error:
            log.warning("job failed", job=name, row=row, error=str(error))
            raise
        except Exception as error:
            # Its message may contain anything.
            log.warning("job failed", job=name, row=row, error=type(error).__name__, exc_info=error)
            raise

    return job
