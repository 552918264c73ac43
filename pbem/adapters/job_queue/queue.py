"""Queue: jobs are inserted on the connection, and so in the transaction, that makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from procrastinate import SyncPsycopgConnector
from procrastinate.jobs import Job
from procrastinate.manager import JobManager

from pbem.adapters.job_queue.kinds import KINDS
from pbem.service.ports import WantedJob

URGENT = 10
"""Priority of what goes first; the rest has 0."""


class ProcrastinateQueue:
    """The port JobQueue."""

    def __init__(self) -> None:
        # Never opened: every insert has a connection of its own.
        self._manager = JobManager(SyncPsycopgConnector())

    def put(self, connection: Any, jobs: Sequence[WantedJob]) -> None:
        """Inserts jobs in one statement, on a psycopg connection."""
        self._manager.batch_defer_jobs([_job(each) for each in jobs], connection=connection)


def _job(wanted: WantedJob) -> Job:
    kind = KINDS[wanted.name]
    return Job(
        id=None,
        queue=kind.queue,
        lock=wanted.lock or (wanted.name if kind.alone else None),
        # A key of what waits would let concurrent transactions wait for each other.
        queueing_lock=None,
        task_name=wanted.name,
        priority=URGENT if kind.urgent else 0,
        task_kwargs={"row": wanted.row},
    )
