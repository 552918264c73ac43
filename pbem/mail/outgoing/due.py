"""Due: a moment in time as its reader counts it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.matches.zones import zone_named


class Due(NamedTuple):
    """When something is due, for the template."""

    local: datetime
    zone: str
    """What people there call their time: `Warsaw`."""
    far: bool
    """Whether the year does not go without saying."""
    days: int
    """From now, rounded."""
    hours: int


class Length(NamedTuple):
    """A length of time, for the template: whole days and what is beside them."""

    days: int
    hours: int
    minutes: int


def length(time: timedelta) -> Length:
    """A length of time, rounded to hours, or to minutes below one; nothing where it is less."""
    unit = timedelta(hours=1) if time >= timedelta(minutes=59) else timedelta(minutes=1)
    minutes = max(round(time / unit), 0) * (unit // timedelta(minutes=1))
    hours, minutes = divmod(minutes, 60)
    return Length(*divmod(hours, 24), minutes)


_YEAR_GOES_WITHOUT_SAYING = timedelta(days=180)


def due(moment: datetime, time_zone: str, now: datetime) -> Due:
    """A moment as somebody in a time zone reads it; UTC where the zone is not known."""
    zone, name = zone_named(time_zone)
    left = moment - now
    return Due(
        moment.astimezone(zone),
        name,
        far=abs(left) > _YEAR_GOES_WITHOUT_SAYING,
        days=round(left / timedelta(days=1)),
        hours=round(left / timedelta(hours=1)),
    )
