"""Due: a moment in time as its reader counts it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.matches.zones import zone_named


class Length(NamedTuple):
    """A length of time, for the template: whole days and what is beside them."""

    days: int
    hours: int
    minutes: int


class Due(NamedTuple):
    """When something is due, for the template."""

    local: datetime
    zone: str
    """What people there call their time: `Warsaw`."""
    far: bool
    """Whether the year does not go without saying."""
    past: bool
    left: Length
    """Time from now until then."""


_LONG = 6
"""Hours from which on minutes are left out."""
_SECOND = timedelta(seconds=1)


def length(time: timedelta) -> Length:
    """Return a length of time in whole hours, with minutes if it is short. Rounds down.

    Fractions of a second are not looked at: mail servers stamp emails by the second.
    """
    hours, seconds = divmod(max(round(time / _SECOND), 0), 3600)
    return Length(*divmod(hours, 24), 0 if hours >= _LONG else seconds // 60)


_YEAR_GOES_WITHOUT_SAYING = timedelta(days=180)


def due(moment: datetime, time_zone: str, now: datetime) -> Due:
    """A moment as somebody in a time zone reads it; UTC where the zone is not known."""
    zone, name = zone_named(time_zone)
    left = moment - now
    return Due(
        moment.astimezone(zone),
        name,
        far=abs(left) > _YEAR_GOES_WITHOUT_SAYING,
        past=left < timedelta(),
        left=length(left),
    )
