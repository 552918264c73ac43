"""A schedule of quiet times as JSON and back; what it does not have is left out.

Moments are ISO 8601 in UTC, holidays ISO dates, the first and the last of days in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from pbem.matches.nights import Nights
from pbem.matches.quiet import ALWAYS, Schedule, Span

DAY = timedelta(days=1)


def schedule_data(schedule: Schedule) -> dict[str, Any]:
    """A schedule as JSON."""
    if schedule == ALWAYS:
        return {}
    data = {
        "zone": schedule.zone,
        "weekends": schedule.weekends,
        "nights": None if schedule.nights is None else str(schedule.nights),
        "holidays": [[str(first), str(last)] for first, last in _in_a_row(schedule.holidays)],
        "leaves": [[start.isoformat(), end.isoformat()] for start, end in schedule.leaves],
    }
    return {key: value for key, value in data.items() if value}


def schedule_of(data: Mapping[str, Any]) -> Schedule:
    """A schedule from JSON."""
    if not data:
        return ALWAYS
    nights = data.get("nights")
    return Schedule(
        zone=data["zone"],
        weekends=data.get("weekends", False),
        nights=Nights.read(nights) if nights else None,
        holidays=tuple(_days(data.get("holidays", ()))),
        leaves=tuple(
            Span(datetime.fromisoformat(start), datetime.fromisoformat(end))
            for start, end in data.get("leaves", ())
        ),
    )


def _in_a_row(days: Iterable[date]) -> Iterator[tuple[date, date]]:
    """The first and the last of days that follow each other, for all of them in order."""
    row: tuple[date, date] | None = None
    for day in days:
        if row is not None and row[1] + DAY == day:
            row = (row[0], day)
            continue
        if row is not None:
            yield row
        row = (day, day)
    if row is not None:
        yield row


def _days(rows: Iterable[tuple[str, str]]) -> Iterator[date]:
    """Every day of them."""
    for first, last in rows:
        day, end = date.fromisoformat(first), date.fromisoformat(last)
        while day <= end:
            yield day
            day += DAY
