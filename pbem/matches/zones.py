"""Zones: time zones by their names in the IANA database, or by hours from UTC: `UTC+2`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

FIXED = re.compile(r"UTC([+-])(\d{1,2})(?::?([0-5]\d))?", re.ASCII)
"""How one without a place is written; it knows no summer time."""
MOST_FROM_UTC = timedelta(hours=14)


def fixed_zone(text: str) -> timezone | None:
    """The zone of so many hours from UTC; None where a text is none, or farther than any is."""
    found = FIXED.fullmatch(text)
    if found is None:
        return None
    offset = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    if offset > MOST_FROM_UTC:
        return None
    return timezone(offset if found[1] == "+" else -offset)


def zone_named(name: str) -> tuple[tzinfo, str]:
    """A zone, and what people there call their time; UTC where it is not known."""
    fixed = fixed_zone(name)
    if fixed is not None:
        return fixed, name
    try:
        return ZoneInfo(name), name.rpartition("/")[2].replace("_", " ")
    except (ZoneInfoNotFoundError, ValueError, OSError):  # the latter for a folder of zones
        return UTC, "UTC"


def day_at(moment: datetime, zone: str) -> date:
    """Which day a moment lies in, by the calendar of a zone."""
    return moment.astimezone(zone_named(zone)[0]).date()


def start_of(day: date, zone: str) -> datetime:
    """The first moment of a day, in UTC; of one that a zone leaves out, that of the next."""
    # Where midnight is left out, the offset of before leads to the moment of the change.
    return datetime.combine(day, time(), zone_named(zone)[0]).astimezone(UTC)
