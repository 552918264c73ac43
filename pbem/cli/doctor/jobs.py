"""Check of the queue of jobs: whether anybody does them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import minute
from pbem.ports.process import JobTally, QueueTally

LONG = timedelta(minutes=10)
"""Whatever waits for so long is done by nobody, or by too few."""


def look(examined: Examined) -> Iterator[Finding]:
    """Nothing where one process does everything by its clock."""
    jobs = examined.status.jobs
    if jobs is not None:
        yield finding(jobs, examined.status.now)


def finding(jobs: JobTally, now: datetime) -> Finding:
    """What is said of a queue as it stands."""
    if not jobs.workers:
        return _nobody(jobs)
    slow = [each for each in jobs.queues if each.since is not None and now - each.since > LONG]
    return _too_few(slow[0]) if slow else _well(jobs)


def _nobody(jobs: JobTally) -> Finding:
    """No worker: the club stands still, or is still to begin."""
    waiting = sum(each.waiting for each in jobs.queues)
    start = "Start pbem worker or pbem serve; where one runs, its log says why it does nothing."
    if waiting:
        jobs_wait = "1 job waits" if waiting == 1 else f"{waiting} jobs wait"
        return Finding("jobs", f"{jobs_wait}, and no worker is there to do any. {start}")
    return Finding("jobs", note="no job waits, and no worker is there")


def _too_few(queue: QueueTally) -> Finding:
    """Workers are there, but none of this queue, or not enough of them."""
    assert queue.since is not None
    jobs_wait = "1 job waits" if queue.waiting == 1 else f"{queue.waiting} jobs wait"
    told = f"{jobs_wait} in the queue {queue.queue}, the oldest since {minute(queue.since)}"
    remedy = f"Start a worker for it: pbem worker --queues {queue.queue}, or one for all queues."
    return Finding("jobs", f"{told}. {remedy}")


def _well(jobs: JobTally) -> Finding:
    workers = "1 worker is" if jobs.workers == 1 else f"{jobs.workers} workers are"
    again = sum(each.again for each in jobs.queues)
    failed = f"; {again} that failed will be tried again, and the log says why" if again else ""
    return Finding("jobs", note=f"{workers} there, and no job waits for long{failed}")
