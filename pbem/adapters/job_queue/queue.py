"""Queue: insert jobs on the caller's connection, and so in its transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from procrastinate import SyncPsycopgConnector
from procrastinate.jobs import Job
from procrastinate.manager import JobManager

from pbem.adapters.job_queue.kinds import AHEAD, kind_of
from pbem.ports.process import JobTally, QueueTally, WantedJob


class ProcrastinateQueue:
    """The job queue of procrastinate. Satisfies the port JobQueue."""

    def __init__(self) -> None:
        # Never opened, since every insert brings its connection.
        self._manager = JobManager(SyncPsycopgConnector())

    def put(self, connection: Any, jobs: Sequence[WantedJob]) -> None:
        self._manager.batch_defer_jobs([_job(each) for each in jobs], connection=connection)

    def tally(self, connection: Any) -> JobTally:
        queues = connection.execute(QUEUES_AS_THEY_ARE).fetchall()
        last_seen, workers = connection.execute(WORKERS).fetchone()
        return JobTally(tuple(QueueTally(*each) for each in queues), last_seen, workers)


def _job(wanted: WantedJob) -> Job:
    kind = kind_of(wanted.name)
    return Job(
        id=None,
        queue=kind.queue,
        lock=wanted.lock or (wanted.name if kind.alone else None),
        # A lock on waiting jobs would make concurrent transactions wait for each other.
        queueing_lock=None,
        task_name=wanted.name,
        priority=kind.priority + (AHEAD if wanted.ahead else 0),
        task_kwargs={"row": wanted.row},
    )


# Other jobs of the kind were committed with their data, so a job that starts now finds it all.
NEEDLESS = """
    DELETE FROM procrastinate_jobs WHERE id IN (
        SELECT id FROM procrastinate_jobs
        WHERE queue_name = %(queue)s AND task_name = %(task_name)s
            AND status = 'todo' AND queueing_lock IS NULL
        FOR UPDATE SKIP LOCKED
    )
"""
# Ended jobs are not kept. A job to be retried has a time until which it is not waiting. The first
# event of a job has the time when it was queued.
QUEUES_AS_THEY_ARE = """
    SELECT queue_name, waiting, doing, again,
        (SELECT min(at) FROM procrastinate_events WHERE job_id = oldest) AS since
    FROM (
        SELECT queue_name,
            count(*) FILTER (WHERE waits) AS waiting,
            count(*) FILTER (WHERE status = 'doing') AS doing,
            count(*) FILTER (WHERE status = 'todo' AND attempts > 0) AS again,
            min(id) FILTER (WHERE waits) AS oldest
        FROM (
            SELECT *, status = 'todo' AND coalesce(scheduled_at <= now(), true) AS waits
            FROM procrastinate_jobs
        ) AS jobs
        WHERE waits OR attempts > 0 OR status = 'doing'
        GROUP BY queue_name
    ) AS queues
    ORDER BY queue_name
"""
WORKERS = """
    SELECT max(last_heartbeat), count(*) FILTER (WHERE last_heartbeat > now() - interval '1 minute')
    FROM procrastinate_workers
"""
