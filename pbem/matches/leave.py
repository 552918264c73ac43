"""Leave: days off that a player takes of so many a year, on which no time of theirs counts.

A day of leave is a day of the calendar in the player's zone; a day that a leave touches is used,
once, however many leaves touch it. Years are those of the calendar.
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
"""The first and the last day that somebody asks for."""
MOST_AHEAD = timedelta(days=366)
"""How long before it begins a leave can be taken."""


class LeaveError(ValueError):
    """A leave that cannot be taken or given back; why, in a player's words."""

    def __init__(self, reason: Phrase, line: str = "") -> None:
        super().__init__(ENGLISH.text(reason))
        self.reason = reason
        self.line = line
        """What could be asked for instead; empty: nothing."""


@dataclass(frozen=True)
class Leave:
    """Time off from one moment to another, in UTC, and the days that it touches."""

    first: date
    last: date
    start: datetime
    end: datetime
    auto: bool = False
    """Whether it was taken by itself, as a flag would have fallen."""

    def meets(self, other: Leave) -> bool:
        """Whether both are one leave: they overlap, or follow each other and are of one kind."""
        if self.auto == other.auto:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end

    def joined(self, other: Leave) -> Leave:
        """One leave of two that meet."""
        return Leave(
            min(self.first, other.first),
            max(self.last, other.last),
            min(self.start, other.start),
            max(self.end, other.end),
            self.auto and other.auto,
        )

    @property
    def days(self) -> Iterator[date]:
        """Those it touches."""
        return (self.first + DAY * number for number in range((self.last - self.first).days + 1))


def leave_for(first: date, last: date, zone: str, at: datetime) -> Leave:
    """Whole days of a zone, the first from a moment on if that lies in it."""
    return Leave(first, last, max(start_of(first, zone), at), start_of(last + DAY, zone))


def rest_of_day(at: datetime, zone: str) -> Leave:
    """The day in which a moment lies, from that moment on, taken by itself."""
    today = day_at(at, zone)
    return replace(leave_for(today, today, zone, at), auto=True)


@dataclass(frozen=True)
class Budget:
    """The leaves of a player, in order, and how many days of each year there are for them."""

    a_year: int
    leaves: tuple[Leave, ...] = ()

    def used(self, year: int) -> int:
        """Days of a year that are taken, past and to come."""
        return self._by_year()[year]

    def left(self, year: int) -> int:
        """Days of a year that can still be taken."""
        return max(0, self.a_year - self.used(year))

    def at(self, moment: datetime) -> Leave | None:
        """The leave that goes on at a moment."""
        return next((each for each in self.leaves if each.start <= moment < each.end), None)

    def coming(self, moment: datetime) -> Sequence[Leave]:
        """Those that begin after a moment."""
        return [each for each in self.leaves if each.start > moment]

    def has_room_for(self, leave: Leave) -> bool:
        """Whether there are days for all of it that is not taken yet."""
        before, after = self._by_year(), self._with(leave)._by_year()
        return all(days <= max(self.a_year, before[year]) for year, days in after.items())

    def taken(self, leave: Leave) -> Budget:
        """With one more leave, one with those that it meets; raises LeaveError."""
        if not self.has_room_for(leave):
            raise self._refusal(leave)
        return self._with(leave)

    def as_much_of(self, leave: Leave, zone: str) -> Leave | None:
        """The longest beginning of a leave that there are days for; None if there is none."""
        beginnings = [leave_for(leave.first, last, zone, leave.start) for last in leave.days]
        fitting = bisect_left(beginnings, True, key=lambda each: not self.has_room_for(each))
        return beginnings[fitting - 1] if fitting else None

    def example(self, zone: str, at: datetime, wanted: Wanted | None = None) -> str:
        """Return a line that takes leave and would be accepted now; empty if none would.

        It takes as many of the wanted days as possible, from the first one on. Otherwise it
        is for a week from now on, or after the leave in progress, or from the start of next year.
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
        """Without the rest of the leave in which a day lies, that day on; raises LeaveError.

        A day that has begun is used: so a leave that goes on ends at once if that day is today.
        """
        for leave in self.leaves:
            if leave.first <= day <= leave.last and leave.end > at:
                return self._instead(leave, _cut(leave, day, zone, at))
        raise LeaveError(phrase("leave.none-then", day=day.isoformat()))

    def ended(self, zone: str, at: datetime) -> Budget:
        """Without the rest of the leave that goes on; raises LeaveError if none does."""
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
        """Days of each year that are used, by their dates, and no fewer than their time makes.

        A date lies elsewhere in another zone, so leaves of one date can last longer than it.
        """
        dates = {day for leave in self.leaves for day in leave.days}
        used, lasts = Counter(day.year for day in dates), self._lasts()
        return Counter(
            {year: max(days, -((DAY - lasts[year]) // DAY)) for year, days in used.items()}
        )

    def _lasts(self) -> defaultdict[int, timedelta]:
        """How long the leaves last in each year, the time of each spread over its days."""
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
    """What is left of a leave that ends before a day; None if it has not begun, and never will."""
    if start_of(day, zone) > max(at, leave.start):
        return replace(leave, last=day - DAY, end=min(leave.end, start_of(day, zone)))
    if leave.start >= at:
        return None
    last = min(max(day_at(at, zone), leave.first), leave.last)
    return replace(leave, last=last, end=at)


def check(leave: Leave, zone: str, at: datetime) -> None:
    """Raises LeaveError unless a leave can be taken at a moment, whatever the budget."""
    today = day_at(at, zone)
    if leave.last < leave.first:
        raise LeaveError(phrase("leave.backwards"))
    if leave.first < today:
        raise LeaveError(phrase("leave.past", day=leave.first.isoformat()))
    if max(leave.first, leave.last - MOST_AHEAD) > today + MOST_AHEAD:
        raise LeaveError(phrase("leave.ahead"))
