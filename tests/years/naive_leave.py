"""A second, simplest implementation of leave: a list of days on someone's calendar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from tests.years.naive_time import DAY, MINUTE
from tests.years.still_clock import moment

A_DAY = timedelta(days=1)
A_YEAR = 30
"""Days that everyone has."""


@dataclass
class Leave:
    """A leave from one second to another, and the days that it touches."""

    start: float
    end: float
    days: set[date]
    number: int


@dataclass
class Leaves:
    """The leaves of a member, and whether they have autoleave."""

    zone: str = "UTC"
    taken: list[Leave] = field(default_factory=list)
    auto: bool = False
    count: int = 0
    """Number of leaves ever taken."""

    def spans(self, without: Collection[int] = ()) -> list[tuple[float, float]]:
        """Return the spans of leave, apart from some."""
        return [(each.start, each.end) for each in self.taken if each.number not in without]

    def merged(self) -> list[tuple[float, float]]:
        """Return the spans of leave, with adjoining ones merged."""
        found: list[tuple[float, float]] = []
        for start, end in sorted(self.spans()):
            if found and start <= found[-1][1]:
                found[-1] = (found[-1][0], max(end, found[-1][1]))
            else:
                found.append((start, end))
        return found

    def today(self, now: float) -> date:
        """Return today on their calendar."""
        return moment(now).astimezone(ZoneInfo(self.zone)).date()

    def take(self, first: date, last: date, now: float) -> bool:
        """Take leave if enough days are left. Return whether it was taken."""
        days = {first + A_DAY * number for number in range((last - first).days + 1)}
        before, after = self._by_year(set()), self._by_year(days)
        if any(count > max(A_YEAR, before[year]) for year, count in after.items()):
            return False
        start = max(now, self._begins(first))
        self.count += 1
        self.taken.append(Leave(start, self._begins(last + A_DAY), days, self.count))
        return True

    def back(self, now: float) -> None:
        """End the current leave now, and any leave that follows it without a gap."""
        end = now
        while now_away := [each for each in self.taken if each.start <= end < each.end]:
            end = max(each.end for each in now_away)
        for each in list(self.taken):
            if each.end <= now or each.start >= end:
                continue
            if each.start >= now:
                self.taken.remove(each)
            else:
                each.end = now
                each.days = {day for day in each.days if day <= self.today(now)}

    def is_away(self, now: float) -> bool:
        """Return whether they are on leave."""
        return any(each.start <= now < each.end for each in self.taken)

    def _by_year(self, more: set[date]) -> Counter[int]:
        days = more.union(*(each.days for each in self.taken))
        return Counter(day.year for day in days)

    def _begins(self, day: date) -> float:
        """Return the first second of a day in their zone."""
        second = (day - date(1970, 1, 1)).days * DAY - 15 * 60 * MINUTE
        while self.today(second) < day:
            second += 15 * MINUTE
        return second
