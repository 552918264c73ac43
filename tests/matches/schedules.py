"""Random schedules for property tests, each with the same quiet times in plain numbers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from pbem.matches.off_time import Schedule
from pbem.matches.zones import Nights
from tests.matches.naive_time import MINUTE, Rest
from tests.matches.zone_files import HARD

DAY, HOUR = timedelta(days=1), timedelta(hours=1)

minutes_of_nights = st.tuples(st.integers(0, 47), st.integers(1, 24)).map(
    lambda night: (night[0] * 30, (night[0] + night[1]) * 30 % 1440)
)


@st.composite
def rests(draw: st.DrawFn, zone: str, around: datetime) -> Rest:
    """Draw quiet times in a zone, some of them near a moment."""
    near = st.integers(-4, 8).map(lambda days: (around + DAY * days).date())
    leave = st.tuples(st.integers(-99, 199), st.integers(1, 40)).map(
        lambda hours: (around + HOUR * hours[0], around + HOUR * (hours[0] + hours[1]))
    )
    return Rest(
        zone,
        draw(st.booleans()),
        draw(st.none() | minutes_of_nights),
        draw(st.frozensets(near, max_size=2)),
        tuple(draw(st.lists(leave, max_size=2))),
    )


def schedule_of(rest: Rest) -> Schedule:
    """Return the matching schedule."""
    nights = None
    if rest.night is not None:
        begin, end = rest.night
        nights = Nights(MINUTE * begin, MINUTE * end)
    schedule = Schedule(rest.zone, rest.weekends, nights).on_holidays(rest.holidays)
    for start, end_of_leave in rest.leaves:
        schedule = schedule.on_leave(start, end_of_leave)
    return schedule


def hard_moment(zone: str) -> datetime:
    """Return noon UTC of a day on which the zone does something odd."""
    return datetime.fromisoformat(HARD[zone]).replace(hour=12, tzinfo=UTC)
