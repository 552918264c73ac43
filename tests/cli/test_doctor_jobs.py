"""Test what `pbem doctor` reports about the queue of jobs."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.cli.doctor.queues import jobs_finding
from pbem.ports.process import JobTally, QueueTally
from tests.support.stored import T0

NOW = T0 + timedelta(minutes=20)
OLD = QueueTally("deliver", 3, 0, 0, T0)
NEW = QueueTally("process", 1, 1, 2, NOW)


@pytest.mark.parametrize(
    ("jobs", "state", "said"),
    (
        (JobTally((), None, 0), "ok", "no job waits, and no worker is running"),
        (JobTally((NEW,), T0, 0), "bad", "1 job waits, and no worker is running"),
        (JobTally((NEW,), NOW, 1), "ok", "1 worker is running, and no job waits for long; 2 that"),
        (JobTally((), NOW, 4), "ok", "4 workers are running, and no job waits for long"),
        (JobTally((NEW, OLD), NOW, 1), "bad", "3 jobs wait in the queue deliver, the oldest since"),
        (JobTally((OLD,), NOW, 1), "bad", "pbem worker --queues deliver"),
    ),
)
def test_jobs_without_a_worker_are_reported(jobs: JobTally, state: str, said: str) -> None:
    found = jobs_finding(jobs, NOW)
    assert (found.state, said in found.text) == (state, True), found
