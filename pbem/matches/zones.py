"""Time zones by name or by hours from UTC (`UTC+2`), and a player's nights."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbem.games.api import OptionError
from pbem.matches.words import phrase

FIXED = re.compile(r"UTC([+-])(\d{1,2})(?::?([0-5]\d))?", re.ASCII)
"""A zone without a place. It has no daylight saving time."""
MOST_FROM_UTC = timedelta(hours=14)


def fixed_zone(text: str) -> timezone | None:
    """Return the zone with a fixed offset from UTC, None for other texts or impossible offsets."""
    found = FIXED.fullmatch(text)
    if found is None:
        return None
    offset = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    if offset > MOST_FROM_UTC:
        return None
    return timezone(offset if found[1] == "+" else -offset)


def zone_named(name: str) -> tuple[tzinfo, str]:
    """Return a zone, and the place or text that names its time. UTC if it is unknown."""
    fixed = fixed_zone(name)
    if fixed is not None:
        return fixed, name
    try:
        return ZoneInfo(name), name.rpartition("/")[2].replace("_", " ")
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError if the name is a folder of zones
        return UTC, "UTC"


def day_at(moment: datetime, zone: str) -> date:
    """Return the date of a moment in a zone."""
    return moment.astimezone(zone_named(zone)[0]).date()


def start_of(day: date, zone: str) -> datetime:
    """Return the first moment of a day, in UTC. If the zone skips that day, the next day counts."""
    # If midnight is skipped, the old offset leads to the moment of the change.
    return datetime.combine(day, time(), zone_named(zone)[0]).astimezone(UTC)


DAY = timedelta(days=1)
LONGEST_NIGHT = timedelta(hours=12)

_HOUR = r"(\d{1,2})(?:[:.h](\d\d)|h)?(am|pm)?"
_TEXT = re.compile(rf"{_HOUR}(?:-|\u2013|to){_HOUR}", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Nights:
    """Start and end of a player's nights, as times since midnight. May span midnight."""

    begin: timedelta
    end: timedelta

    def __post_init__(self) -> None:
        if not (timedelta() <= self.begin < DAY and timedelta() <= self.end < DAY):
            raise OptionError(phrase("nights.form", text=repr(str(self))))
        if not timedelta() < self.length <= LONGEST_NIGHT:
            most = LONGEST_NIGHT // timedelta(hours=1)
            raise OptionError(phrase("nights.length", most=most, text=repr(str(self))))

    @classmethod
    def read(cls, text: str) -> Self:
        """Read nights as people write them: `22-08`, `22:30-7`, `10pm-8am`. Raises OptionError."""
        found = _TEXT.fullmatch("".join(text.split()))
        begin, end = (_time(*found.groups()[at : at + 3]) if found else None for at in (0, 3))
        if begin is None or end is None:
            raise OptionError(phrase("nights.form", text=repr(text)))
        return cls(begin, end)

    def __str__(self) -> str:
        return f"{_hour(self.begin)}-{_hour(self.end)}"

    @property
    def length(self) -> timedelta:
        """Length of a night on which clocks do not change."""
        return (self.end - self.begin) % DAY

    @property
    def days(self) -> tuple[tuple[timedelta, timedelta], ...]:
        """Start and end of the daytime, as times since midnight."""
        if self.begin > self.end:
            return ((self.end, self.begin),)
        return tuple(
            span for span in ((timedelta(), self.begin), (self.end, DAY)) if span[0] < span[1]
        )


def read_time(text: str) -> timedelta | None:
    """Read a time of the day as people write it: `7:30`, `07.30`, `7h`, `7:30pm`."""
    found = re.fullmatch(_HOUR, "".join(text.split()), re.ASCII | re.IGNORECASE)
    return _time(*found.groups()) if found else None


def _time(hours: str, minutes: str | None, half: str | None) -> timedelta | None:
    """Return a time since midnight, None if there is no such time."""
    hour, minute = int(hours), int(minutes or 0)
    if minute > 59 or hour > (12 if half else 24) or (half and not hour):
        return None
    if half:
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    return timedelta(hours=hour % 24, minutes=minute)


def _hour(time: timedelta) -> str:
    hours, minutes = divmod(time // timedelta(minutes=1), 60)
    return f"{hours:02}:{minutes:02}" if minutes else f"{hours:02}"


def minute(at: datetime) -> str:
    """Return a moment in UTC as directors and operators read it: `2026-11-21 18:30 UTC`."""
    return f"{at:%Y-%m-%d %H:%M} UTC"
