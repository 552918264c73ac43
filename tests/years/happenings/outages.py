"""The service is down for a while."""

from __future__ import annotations

from tests.years.naive_time import DAY
from tests.years.years import UP, Years


def the_service_is_down(years: Years) -> None:
    """Stop the service. Meanwhile someone may move. A sweep comes before or after their email."""
    years.sweeps()
    years.checks.awaited.clear()
    end = years.now + years.chance.randrange(UP + 1, 3 * DAY)
    match = years.some_match()
    if match is not None and years.knows(match) and years.chance.randrange(2):
        years.stands_still(years.chance.randrange(years.now + 1, end))
        years.plays(match, down=True)
    years.stands_still(end)
    if years.chance.randrange(2):
        years.sweeps()
    years.works()
    years.sweeps(judges=True)


HAPPENINGS = ((the_service_is_down, 3),)
