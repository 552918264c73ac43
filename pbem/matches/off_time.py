"""Off time: when a player's time does not count, by local time.

A moment is quiet if local time is a Saturday or Sunday, a holiday or an hour of the night, or if
the player is on leave. An hour that occurs twice when clocks go back is quiet twice. A day that a
zone skips is not quiet at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cached_property, lru_cache
from typing import NamedTuple

from pbem.matches.time_control import MOST
from pbem.matches.zones import Nights, zone_named

NOTHING = timedelta()
WEEKEND = 5
"""Saturday in Python's numbering of weekdays."""


class Span(NamedTuple):
    """A period between two moments."""

    start: datetime
    end: datetime


@dataclass(frozen=True)
class Schedule:
    """Times that are not charged to one player in a match. By default, all time is charged."""

    zone: str = "UTC"
    """Name or hours from UTC. An unknown zone means UTC."""
    weekends: bool = False
    """Whether Saturdays and Sundays are quiet."""
    nights: Nights | None = None
    holidays: tuple[date, ...] = ()
    """In order and without duplicates, as `on_holidays` returns them."""
    leaves: tuple[Span, ...] = ()
    """In UTC, in order and separate, as `on_leave` returns them."""

    # Building a schedule

    def on_holidays(self, days: Iterable[date]) -> Schedule:
        """Return the schedule with more holidays."""
        return replace(self, holidays=tuple(sorted({*self.holidays, *days})))

    def on_leave(self, start: datetime, end: datetime) -> Schedule:
        """Return the schedule with another leave, unless it is empty, merged with any it meets."""
        if start >= end:
            return self
        return replace(self, leaves=tuple(_merged((*self.leaves, Span(start, end)))))

    def back(self, at: datetime) -> Schedule:
        """Return the schedule without leave from a moment on."""
        cut = (Span(start, min(end, at)) for start, end in self.leaves)
        return replace(self, leaves=tuple(span for span in cut if span.start < span.end))

    # Reading a schedule

    def counted(self, start: datetime, end: datetime) -> timedelta:
        """Return how much of the time between two moments in UTC counts."""
        if start >= end:
            return NOTHING
        away = (Span(max(start, leave.start), min(end, leave.end)) for leave in self.leaves)
        on_leave = sum((self._at_home(*span) for span in away), NOTHING)
        return self._at_home(start, end) - on_leave

    def when(self, since: datetime, amount: timedelta) -> datetime:
        """Return the moment when this much time has been charged. It is never a quiet moment.

        It is the last moment until which no more than the amount has counted. If the amount is 0 or
        less, it is the first moment that counts.
        """
        at, left = since, max(amount, NOTHING)
        if self._alike and not self.leaves:  # nothing is ever quiet
            return at + left
        while left:
            # No more time is charged than passes, so this does not go too far.
            counted = self.counted(at, at + left)
            at, left = (at + left, left - counted) if counted else (self._wakes(at), left)
        return self._wakes(at)

    def leave_in(self, start: datetime, end: datetime) -> Iterator[Span]:
        """Yield the parts of a period that are leave, in order."""
        parts = (Span(max(start, leave.start), min(end, leave.end)) for leave in self.leaves)
        return (span for span in parts if span.start < span.end)

    def has_leave(self, span: Span) -> bool:
        """Return whether all of a period is leave."""
        return any(each.start <= span.start and span.end <= each.end for each in self.leaves)

    def quiet_at(self, moment: datetime) -> bool:
        """Return whether a moment does not count."""
        return self._wakes(moment) != moment

    # Local time

    def _at_home(self, start: datetime, end: datetime) -> timedelta:
        """Return the time that counts, ignoring leave."""
        if start >= end:
            return NOTHING
        if self._alike:
            return end - start
        parts = (
            self._until(each.wall(each.end)) - self._until(each.wall(each.start))
            for each in utc_offsets(self.zone, start, end)
        )
        return sum(parts, NOTHING)

    def _until(self, wall: datetime) -> timedelta:
        """Return how much counts up to a local time, if the local clock had never changed."""
        today, since_midnight = wall.date(), wall - datetime.combine(wall, time())
        weeks, weekday = divmod(today.toordinal() - 1, 7)  # day 1 was a Monday
        open_days = weeks * 5 + min(weekday, WEEKEND) if self.weekends else weeks * 7 + weekday
        open_days -= bisect_left(self._closed, today)
        whole = open_days * sum((end - begin for begin, end in self._hours), NOTHING)
        if not self._is_open(today):
            return whole
        spans = (min(since_midnight, end) - begin for begin, end in self._hours)
        return whole + sum((max(span, NOTHING) for span in spans), NOTHING)

    def _wakes(self, moment: datetime) -> datetime:
        """Return the first moment from this one on that counts."""
        while (later := self._quiet_until(moment)) > moment:
            moment = later
        return moment

    def _quiet_until(self, moment: datetime) -> datetime:
        """Return the end of what makes a moment quiet, or the moment itself."""
        for leave in self.leaves:
            if leave.start <= moment < leave.end:
                return leave.end
        if self._alike:
            return moment
        stretch = next(utc_offsets(self.zone, moment, moment + DAY * 2))
        return min(stretch.moment(self._opens(stretch.wall(moment))), stretch.end)

    def _opens(self, wall: datetime) -> datetime:
        """Return the local time at which a quiet local time ends."""
        midnight = datetime.combine(wall, time())
        if self._is_open(wall.date()):
            for begin, end in self._hours:
                if wall - midnight < end:
                    return max(wall, midnight + begin)
        return midnight + DAY

    def _is_open(self, day: date) -> bool:
        """Return whether a day is neither a weekend nor a holiday."""
        if self.weekends and day.weekday() >= WEEKEND:
            return False
        at = bisect_left(self._closed, day)
        return self._closed[at : at + 1] != (day,)

    @property
    def _alike(self) -> bool:
        """Whether every hour of every day counts."""
        return not (self.weekends or self.nights or self.holidays)

    @cached_property
    def _closed(self) -> tuple[date, ...]:
        """Holidays that are not on a weekend."""
        if not self.weekends:
            return self.holidays
        return tuple(day for day in self.holidays if day.weekday() < WEEKEND)

    @cached_property
    def _hours(self) -> tuple[tuple[timedelta, timedelta], ...]:
        """Parts of a day that count, as times since midnight."""
        return self.nights.days if self.nights else ((NOTHING, DAY),)


ALWAYS = Schedule()
"""A schedule without time off."""


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans, merging those that meet."""
    now: Span | None = None
    for start, end in sorted(Span(*(each.astimezone(UTC) for each in span)) for span in spans):
        if now is None:
            now = Span(start, end)
        elif start <= now.end:
            now = Span(now.start, max(now.end, end))
        else:
            yield now
            now = Span(start, end)
    if now is not None:
        yield now


_DAY, _SECOND = timedelta(days=1), timedelta(seconds=1)


class OffsetSpan(NamedTuple):
    """A period with a constant offset from UTC."""

    start: datetime
    end: datetime
    offset: timedelta
    """Local time minus UTC."""

    def wall(self, moment: datetime) -> datetime:
        """Return the local time at a moment, without a zone."""
        return (moment + self.offset).replace(tzinfo=None)

    def moment(self, wall: datetime) -> datetime:
        """Return the moment at a local time, with this offset."""
        return wall.replace(tzinfo=UTC) - self.offset


def utc_offsets(zone: str, start: datetime, end: datetime) -> Iterator[OffsetSpan]:
    """Split a period in UTC into spans of constant offset, in order. None is empty."""
    for year in range(start.year, end.year + 1):
        for stretch in _of_year(zone, year):
            first, last = max(start, stretch.start), min(end, stretch.end)
            if first < last:
                yield OffsetSpan(first, last, stretch.offset)


@lru_cache(maxsize=4096)
def _of_year(zone: str, year: int) -> tuple[OffsetSpan, ...]:
    """Return the spans of constant offset in a year in UTC.

    Checks day by day, since no zone has changed its offset twice within a day.
    """
    place, _ = zone_named(zone)
    start, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    found, offset, day = [], _offset(place, start), start
    while day < end:
        next_day = day + _DAY
        then = _offset(place, next_day)
        if then != offset:
            change = _change(place, day, next_day)
            found.append(OffsetSpan(start, change, offset))
            start, offset = change, then
        day = next_day
    if start < end:
        found.append(OffsetSpan(start, end, offset))
    return tuple(found)


def _change(place: tzinfo, before: datetime, after: datetime) -> datetime:
    """Return the first moment with the new offset, to the second."""
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


HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)

_SPAN = re.compile(r"(\d{1,6}|an?|one)\s*(h|d|w|hours?|days?|weeks?)", re.ASCII | re.IGNORECASE)
_LENGTHS = {"h": HOUR, "d": DAY, "w": WEEK}


def read_span(text: str) -> timedelta | None:
    """Return a span of whole hours, None for other texts or more than ten years."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        return None
    count = int(found[1]) if found[1].isdigit() else 1
    span = count * _LENGTHS[found[2][0].lower()]
    return span if timedelta() < span <= MOST else None


def split_span(text: str) -> tuple[timedelta | None, str]:
    """Return the span at the start of a text, if there is one, and the rest."""
    words = text.split()
    for count in (2, 1):
        span = read_span(" ".join(words[:count]))
        if span is not None:
            return span, " ".join(words[count:])
    return None, " ".join(words)


def write_span(span: timedelta) -> str:
    """Return the text of a span of whole hours: `3d`, `36h`."""
    return f"{span // DAY}d" if not span % DAY else f"{span // HOUR}h"


class Break(NamedTuple):
    """A pause of a match with a known end."""

    start: datetime
    """In UTC."""
    end: datetime
    agreed: bool = False
    """Whether all players agreed. Otherwise the director decided it."""


Breaks = tuple[Break, ...]
"""Breaks of a match, by start. They may overlap."""


def with_break(breaks: Iterable[Break], at: datetime, span: timedelta, *, agreed: bool) -> Breaks:
    """Return the breaks with another one from a moment on."""
    return tuple(sorted((*breaks, Break(at, at + span, agreed))))


def without(breaks: Iterable[Break], at: datetime) -> Breaks:
    """Return the breaks cut off at a moment."""
    return tuple(each._replace(end=min(each.end, at)) for each in breaks if each.start < at)


def standing(breaks: Iterable[Break], at: datetime) -> Break | None:
    """Return the break at a moment that ends last, None if there is none."""
    now = [each for each in breaks if each.start <= at < each.end]
    return max(now, key=lambda each: each.end, default=None)
