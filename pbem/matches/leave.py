"""Leave: a limited number of days off per year, during which a player's clocks do not run.

A day of leave is a calendar day in the player's zone. Each day that leave touches is used once,
however many leaves touch it. Years are calendar years.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from pbem.games.phrases import ENGLISH, Phrase
from pbem.matches.words import phrase
from pbem.matches.zones import day_at, start_of

DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
Wanted = tuple[date, date]
"""First and last day that a player asks for."""
MOST_AHEAD = timedelta(days=366)
"""Maximum time between now and the start of leave."""


class LeaveError(ValueError):
    """Why leave cannot be taken or given back, in words for the player."""

    def __init__(self, reason: Phrase, line: str = "") -> None:
        super().__init__(ENGLISH.text(reason))
        self.reason = reason
        self.line = line
        """Line that would be accepted instead. Empty if there is none."""


@dataclass(frozen=True)
class Leave:
    """Time off between two moments in UTC, and the days that it touches."""

    first: date
    last: date
    start: datetime
    end: datetime
    auto: bool = False
    """Whether it was taken automatically because a flag would have fallen."""

    def meets(self, other: Leave) -> bool:
        """Return whether both are one leave: they overlap, or adjoin and are of the same kind."""
        if self.auto == other.auto:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end

    def joined(self, other: Leave) -> Leave:
        """Return two adjoining leaves as one."""
        return Leave(
            min(self.first, other.first),
            max(self.last, other.last),
            min(self.start, other.start),
            max(self.end, other.end),
            self.auto and other.auto,
        )

    @property
    def days(self) -> Iterator[date]:
        """Days that it touches."""
        return (self.first + DAY * number for number in range((self.last - self.first).days + 1))


def leave_for(first: date, last: date, zone: str, at: datetime) -> Leave:
    """Return leave for whole days of a zone. The first starts at `at` if that is later."""
    return Leave(first, last, max(start_of(first, zone), at), start_of(last + DAY, zone))


def rest_of_day(at: datetime, zone: str) -> Leave:
    """Return automatic leave for the rest of the current day."""
    today = day_at(at, zone)
    return replace(leave_for(today, today, zone, at), auto=True)


@dataclass(frozen=True)
class Budget:
    """A player's leaves in order, and their days of leave per year."""

    a_year: int
    leaves: tuple[Leave, ...] = ()

    def used(self, year: int) -> int:
        """Return the days taken in a year, past and future."""
        return self._by_year()[year]

    def left(self, year: int) -> int:
        """Return the days that can still be taken in a year."""
        return max(0, self.a_year - self.used(year))

    def at(self, moment: datetime) -> Leave | None:
        """Return the leave in progress at a moment, None if there is none."""
        return next((each for each in self.leaves if each.start <= moment < each.end), None)

    def coming(self, moment: datetime) -> Sequence[Leave]:
        """Return the leaves that start after a moment."""
        return [each for each in self.leaves if each.start > moment]

    def has_room_for(self, leave: Leave) -> bool:
        """Return whether enough days are left for all of a leave that is not taken yet."""
        before, after = self._by_year(), self._with(leave)._by_year()
        return all(days <= max(self.a_year, before[year]) for year, days in after.items())

    def taken(self, leave: Leave) -> Budget:
        """Return the budget with another leave, joined to those it meets. Raises LeaveError."""
        if not self.has_room_for(leave):
            raise self._refusal(leave)
        return self._with(leave)

    def as_much_of(self, leave: Leave, zone: str) -> Leave | None:
        """Return the longest first part of a leave that the budget allows, None if none."""
        beginnings = [leave_for(leave.first, last, zone, leave.start) for last in leave.days]
        fitting = bisect_left(beginnings, True, key=lambda each: not self.has_room_for(each))
        return beginnings[fitting - 1] if fitting else None

    def example(self, zone: str, at: datetime, wanted: Wanted | None = None) -> str:
        """Return a line that takes leave and would be accepted now, empty if there is none.

        It takes as many of the wanted days as possible, from the first one on. Otherwise it takes a
        week, from now on, after the leave in progress or at the start of next year.
        """
        today, current = day_at(at, zone), self.at(at)
        next_week = (today if current is None else current.last) + WEEK
        new_year = date(today.year + 1, 1, 1)
        wishes = [wanted] if wanted else []
        for first, last in (*wishes, (today, next_week), (new_year, new_year + WEEK)):
            days = max(first, today), min(last, today + MOST_AHEAD)
            leave = self.as_much_of(leave_for(*days, zone, at), zone)
            if leave is not None and self._with(leave) != self:
                since = "until" if leave.first == today else leave.first
                return f"leave {since} {leave.last}"
        return ""

    def given_back(self, day: date, zone: str, at: datetime) -> Budget:
        """Return the budget without a leave's days from `day` on. Raises LeaveError.

        A day that has started is used. If that is today, leave in progress ends at once.
        """
        for leave in self.leaves:
            if leave.first <= day <= leave.last and leave.end > at:
                return self._instead(leave, _cut(leave, day, zone, at))
        raise LeaveError(phrase("leave.none-then", day=day.isoformat()))

    def ended(self, zone: str, at: datetime) -> Budget:
        """Return the budget without the rest of the leave in progress. Raises LeaveError."""
        leave = self.at(at)
        if leave is None:
            to_come = self.coming(at)
            raise LeaveError(phrase("leave.none-now") if to_come else phrase("leave.none-at-all"))
        return self._instead(leave, _cut(leave, leave.first, zone, at))

    def _with(self, leave: Leave) -> Budget:
        meeting = [each for each in self.leaves if each.meets(leave)]
        for each in meeting:
            leave = leave.joined(each)
        return self._having((*(each for each in self.leaves if each not in meeting), leave))

    def _instead(self, leave: Leave, shorter: Leave | None) -> Budget:
        others = [each for each in self.leaves if each != leave]
        return self._having([*others, shorter] if shorter else others)

    def _having(self, leaves: Iterable[Leave]) -> Budget:
        return replace(self, leaves=tuple(sorted(leaves, key=lambda each: each.start)))

    def _by_year(self) -> Counter[int]:
        """Return the days used in each year: by date, but at least as many as the leaves last.

        The same date is at another time in another zone, so leaves on one date can last longer than
        a day.
        """
        dates = {day for leave in self.leaves for day in leave.days}
        used, lasts = Counter(day.year for day in dates), self._lasts()
        return Counter(
            {year: max(days, -((DAY - lasts[year]) // DAY)) for year, days in used.items()}
        )

    def _lasts(self) -> defaultdict[int, timedelta]:
        """Return how long the leaves last in each year, spread evenly over their days."""
        lasts = defaultdict[int, timedelta](timedelta)
        for leave in self.leaves:
            years = Counter(day.year for day in leave.days)
            for year, days in years.items():
                lasts[year] += (leave.end - leave.start) * days / years.total()
        return lasts

    def _refusal(self, leave: Leave) -> LeaveError:
        after = self._with(leave)._by_year()
        year = min(year for year, days in after.items() if days > max(self.a_year, self.used(year)))
        wanted = after[year] - self.used(year)
        if not self.a_year:
            return LeaveError(phrase("leave.no-leave"))
        left = self.left(year)
        return LeaveError(phrase("leave.too-long", count=left, wanted=wanted, year=str(year)))


def _cut(leave: Leave, day: date, zone: str, at: datetime) -> Leave | None:
    """Return what is left of a leave that ends before a day, None if it never starts."""
    if start_of(day, zone) > max(at, leave.start):
        return replace(leave, last=day - DAY, end=min(leave.end, start_of(day, zone)))
    if leave.start >= at:
        return None
    last = min(max(day_at(at, zone), leave.first), leave.last)
    return replace(leave, last=last, end=at)


def check(leave: Leave, zone: str, at: datetime) -> None:
    """Raise LeaveError unless the leave can be taken at a moment, whatever the budget."""
    today = day_at(at, zone)
    if leave.last < leave.first:
        raise LeaveError(phrase("leave.backwards"))
    if leave.first < today:
        raise LeaveError(phrase("leave.past", day=leave.first.isoformat()))
    if max(leave.first, leave.last - MOST_AHEAD) > today + MOST_AHEAD:
        raise LeaveError(phrase("leave.ahead"))
