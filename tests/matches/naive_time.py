"""Quiet times again, in the simplest form: checked slowly, step by step."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)


class Rest(NamedTuple):
    """A player's quiet times, in plain numbers."""

    zone: str = "UTC"
    weekends: bool = False
    night: tuple[int, int] | None = None
    """In minutes since midnight."""
    holidays: frozenset[date] = frozenset()
    leaves: tuple[tuple[datetime, datetime], ...] = ()

    def counts(self, moment: datetime) -> bool:
        """Return whether a moment counts."""
        if any(start <= moment < end for start, end in self.leaves):
            return False
        wall = moment.astimezone(ZoneInfo(self.zone))
        if self.weekends and wall.strftime("%a") in ("Sat", "Sun"):
            return False
        if wall.date() in self.holidays:
            return False
        if self.night is None:
            return True
        minute, (begin, end) = wall.hour * 60 + wall.minute, self.night
        if begin < end:
            return not begin <= minute < end
        return end <= minute < begin

    def counted(self, start: datetime, end: datetime, step: timedelta = MINUTE) -> timedelta:
        """Return how much time is charged between two moments."""
        total = timedelta()
        while start < end:
            total += step * self.counts(start)
            start += step
        return total

    def when(self, since: datetime, amount: timedelta, step: timedelta = MINUTE) -> datetime:
        """Return the first counting moment after that much time has counted."""
        gone = timedelta()
        while not (self.counts(since) and gone >= amount):
            gone += step * self.counts(since)
            since += step
        return since
