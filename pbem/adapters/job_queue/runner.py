"""Runner: takes jobs from the queue and does them, as many at once as it is told.

Whose worker has died is done once more, by another one; so every job must bear to be done twice.
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
from pbem.adapters.pulse import Pulse
from pbem.log import get_logger
from pbem.ports.process import StorageUnavailable, Trigger

log = get_logger(__name__)
# What it has to say is said here, in the words of the club.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
logging.getLogger("psycopg").setLevel(logging.CRITICAL)

LOOK_SECONDS = 5.0
"""How often the queue is looked at by whom no notification has reached."""
BEAT_SECONDS = 5.0
STALLED_SECONDS = 20.0
"""Who has not beaten for so long is dead, and what they did is done by others."""
APART_SECONDS = 10
"""From one to the next job of those over which workers have died more than once."""
AGAIN_SECONDS = 5
"""Pause before the queue, or a job that failed, is tried once more."""
LOOP, LOOK = "the loop of the queue", "a look at the queue"
"""What is expected again and again, as it is called where it does not come."""

Run = Callable[[int | None, int], object]
"""A job, given its row and how often it was begun before and not ended."""
Forgotten = Callable[[Collection[int]], object]
"""Given the rows that are in line to be processed: puts those into it that are not."""


EMPTY: Mapping[str, Trigger] = {}


class JobRunner:
    """A worker: the jobs of some queues, done in threads of this process.

    The server is told in words: libpq reads some URLs otherwise than the rest of pbem does, and its
    errors show those that it cannot read, with the password.
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
        self._pulse = Pulse()
        self._at_work = 0
        """Jobs that are being done."""
        for name, run in jobs.items():
            self._register(name, _in_thread(name, run, self._pulse))
        self._register("stalled", self._take_up_stalled)
        self._register("forgotten", self._look_for_forgotten)
        self._lost = False
        """Whether the queue could not be reached the last time."""

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
                queueing_lock=name,  # one that waits is enough, however long nobody does it
                priority=kind.priority,
            )(task)

    def _counted(self, run: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
        """Who has as many jobs as they can do takes no other, and need not look at the queue."""

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
        """Does a job instead of all of its kind that are in line as it begins."""
        queue = kind_of(name).queue

        async def done(context: JobContext, **arguments: object) -> None:
            await self._connector.execute_query_async(NEEDLESS, queue=queue, task_name=name)
            await run(context, **arguments)

        return done

    def run_until(self, stop: threading.Event) -> None:
        """Works until the event is set, and what is being done then has ended."""
        for each in (LOOP, LOOK):
            self._pulse.expect(each, LOOK_SECONDS)
        asyncio.run(self._run_until(stop))

    def unwell(self) -> str:
        """What does not go on, in words; empty if everything does. A database may be away."""
        return self._pulse.unwell()

    @property
    def trouble(self) -> str:
        """That the queue could not be reached the last time, in words; empty if it could."""
        return "the queue of jobs cannot be reached" if self._lost else ""

    async def _turn(self) -> None:
        """Shows that the loop turns."""
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
            with suppress(RuntimeError):  # the loop has ended by itself
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
        """Does jobs until it is stopped, or the queue cannot be reached."""
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
        worker.cancel()  # politely: what is being done ends first
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
        """What workers did who have died is in line again, before all that came after it."""
        manager = context.app.job_manager
        stalled = await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS)
        for place, job in enumerate(sorted(stalled, key=lambda each: each.id or 0)):
            log.warning("job of a dead worker", job=job.task_name, begun=job.attempts + 1)
            with suppress(ConnectorException):  # another worker has been first
                if job.queueing_lock is None:
                    # Of some that have died together twice, one may have killed the others.
                    apart = timedelta(seconds=APART_SECONDS * place if job.attempts else 0)
                    await manager.retry_job(job, datetime.now(UTC) + apart)
                else:  # it comes by itself, and has perhaps come again
                    await manager.finish_job(job, Status.FAILED, delete_job=True)

    async def _look_for_forgotten(self, context: JobContext, **_: object) -> None:
        manager, rows = context.app.job_manager, set[int]()
        for status in ("todo", "doing"):
            jobs = await manager.list_jobs_async(task="process", status=status)
            rows |= {row for job in jobs if isinstance(row := job.task_kwargs.get("row"), int)}
        await asyncio.to_thread(self._forgotten, rows)


def _left_unsaid(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What a task ended of that nobody waits for.

    Where the queue could not be told that a job is done, that it is lost is told elsewhere; or
    another worker has taken the job up meanwhile, since this one stood still.
    """
    error = context.get("exception")
    if isinstance(error, ConnectorException):
        log.debug("not told the queue", error=str(error.__cause__ or error))
    else:
        loop.default_exception_handler(context)


def _in_thread(name: str, run: Run, pulse: Pulse) -> Callable[..., Awaitable[object]]:
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
            # Its message may hold anything.
            log.warning("job failed", job=name, row=row, error=type(error).__name__, exc_info=error)
            raise

    return job
