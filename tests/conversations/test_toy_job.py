"""A job that is one row of the table runs in every process of a club."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.adapters.job_queue.kinds import kind_of
from pbem.jobs.table import JOBS
from pbem.run.serve import Running, Service
from tests.conversations.house import House
from tests.toys.jobs.census import JOB


@pytest.fixture
def census() -> Iterator[None]:
    """The toy job in the table."""
    JOBS[JOB.name] = JOB
    yield
    del JOBS[JOB.name]


@pytest.mark.usefixtures("census")
def test_new_job_runs_as_its_row_says(house: House) -> None:
    house.match("lanko-88", house.player("Anna"), house.player("Bert"))
    jobs = Service(Running(house.club, (), house.transport, lambda: None, 60)).jobs
    [job] = [each for each in jobs if each.name == "census"]
    assert job.trigger == JOB.trigger
    job.run()
    assert house.club.archive.read("census.txt") == b"1\n"


def test_queue_derives_when_a_job_runs_from_its_row() -> None:
    kind = kind_of(JOB.name, JOB.trigger)
    assert (kind.queue, kind.every, kind.alone) == ("process", "30 6 * * * 25", True)
