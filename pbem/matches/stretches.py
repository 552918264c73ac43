"""Stretches: what the clocks on the wall show somewhere, from one change of them to the next."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple

from pbem.matches.zones import zone_named

_DAY, _SECOND = timedelta(days=1), timedelta(seconds=1)


class Stretch(NamedTuple):
    """A time in which the clocks on the wall go on evenly."""

    start: datetime
    end: datetime
    offset: timedelta
    """What they show, less UTC."""

    def wall(self, moment: datetime) -> datetime:
        """What they show at a moment, without a zone."""
        return (moment + self.offset).replace(tzinfo=None)

    def moment(self, wall: datetime) -> datetime:
        """When they show that, if they go on like this."""
        return wall.replace(tzinfo=UTC) - self.offset


def stretches(zone: str, start: datetime, end: datetime) -> Iterator[Stretch]:
    """The stretches of a time in UTC, in order, without a gap; none that is empty."""
    for year in range(start.year, end.year + 1):
        for stretch in _of_year(zone, year):
            first, last = max(start, stretch.start), min(end, stretch.end)
            if first < last:
                yield Stretch(first, last, stretch.offset)


@lru_cache(maxsize=4096)
def _of_year(zone: str, year: int) -> tuple[Stretch, ...]:
    """The stretches of a year in UTC.

    It is looked at day by day: no zone has changed its offset and changed it back within one.
    """
    place, _ = zone_named(zone)
    start, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    found, offset, day = [], _offset(place, start), start
    while day < end:
        next_day = day + _DAY
        then = _offset(place, next_day)
        if then != offset:
            change = _change(place, day, next_day)
            found.append(Stretch(start, change, offset))
            start, offset = change, then
        day = next_day
    if start < end:
        found.append(Stretch(start, end, offset))
    return tuple(found)


def _change(place: tzinfo, before: datetime, after: datetime) -> datetime:
    """The first moment of the new offset, to the second, as all of them are."""
    old = _offset(place, before)
    while after - before > _SECOND:
        middle = before + (after - before) // 2
        middle -= timedelta(microseconds=middle.microsecond)
        if _offset(place, middle) == old:
            before = middle
        else:
            after = middle
    return after


def _offset(place: tzinfo, moment: datetime) -> timedelta:
    offset = moment.astimezone(place).utcoffset()
    assert offset is not None, "a zone has one at every moment"
    return offset
