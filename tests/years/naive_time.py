"""A second, simplest implementation of charged time: a list of the minutes of a day.

Moments are whole seconds since 1970. Written from docs/clocks.md. Nothing here comes from pbem.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

MINUTE, HOUR, DAY = 60, 3600, 86400
QUARTER = timedelta(minutes=15)
"""For decades, no zone has changed its clocks between these minutes."""


class Rest(NamedTuple):
    """The time that someone has chosen not to be charged."""

    zone: str = "UTC"
    night: tuple[int, int] | None = None
    """Minutes since midnight."""

    def sleeps(self, now: float) -> bool:
        """Return whether it is night for them, by their own nights or the usual ones."""
        begin, end = self.night or (22 * 60, 8 * 60)
        wall = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(self.zone))
        minute = wall.hour * 60 + wall.minute
        return begin <= minute < end if begin < end else not end <= minute < begin

    @property
    def nights(self) -> str:
        """Return the setting that players type."""
        if self.night is None:
            return "none"
        return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in self.night)


ALWAYS = Rest()
"""All time is charged."""


@lru_cache(20_000)
def minutes(day: int, rest: Rest, weekends: bool, holidays: frozenset[date]) -> bytes:
    """Return the minutes of a day in UTC, given by its number: 1 for each that counts."""
    start = datetime.fromtimestamp(day * DAY, UTC)
    return b"".join(_quarter(start + QUARTER * n, rest, weekends, holidays) for n in range(96))


def _quarter(start: datetime, rest: Rest, weekends: bool, holidays: frozenset[date]) -> bytes:
    wall = start.astimezone(ZoneInfo(rest.zone))
    if wall.date() in holidays or (weekends and wall.strftime("%a") in ("Sat", "Sun")):
        return bytes(15)
    if rest.night is None:
        return bytes([1]) * 15
    minute, (begin, end) = wall.hour * 60 + wall.minute, rest.night
    at_night = [
        begin <= m < end if begin < end else not end <= m < begin
        for m in range(minute, minute + 15)
    ]
    return bytes(not each for each in at_night)
