"""`zone`: the time zone of deadlines in emails, nights and days of leave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

from pbem.matches.zones import FIXED, fixed_zone
from pbem.settings import Setting, SettingError

MOST_MEANT = 3
_NO_PLACES = ("Etc/", "SystemV/", "posix/", "right/")
_HIDDEN = ("Factory", "localtime")


def _read(text: str) -> str:
    """Return the zone of a name, a city or hours from UTC, ignoring case and spaces."""
    wanted = _key(text)
    found = _fixed(wanted) or _by_name().get(wanted)
    cities = _by_city().get(wanted, ())
    if found is None and len(cities) == 1:
        (found,) = cities
    if found is None:
        raise SettingError(f"there is no time zone {text.strip()}. {_hint(wanted, cities)}")
    return found


def _fixed(wanted: str) -> str | None:
    """Return `UTC+2` for `utc+2`, `gmt+2` or `utc+02:00`, None for other texts."""
    found = FIXED.fullmatch(wanted.upper().replace("GMT", "UTC", 1))
    if found is None or fixed_zone(found[0]) is None:
        return None
    sign, hours, minutes = found[1], int(found[2]), int(found[3] or 0)
    if not hours and not minutes:
        return "UTC"
    return f"UTC{sign}{hours}{f':{minutes:02}' if minutes else ''}"


def _hint(wanted: str, cities: tuple[str, ...]) -> str:
    known = {**_by_name(), **{city: zones[0] for city, zones in _by_city().items()}}
    near = get_close_matches(wanted, known, MOST_MEANT)
    meant = cities or tuple(dict.fromkeys(known[key] for key in near))
    if meant:
        return f"Did you mean {' or '.join(meant)}?"
    return "Name the capital or largest city of your country, such as Warsaw, or hours, as in UTC+2"


def _key(name: str) -> str:
    return "_".join(name.split()).casefold()


@cache
def _by_name() -> Mapping[str, str]:
    return {_key(name): name for name in available_timezones() if name not in _HIDDEN}


@cache
def _by_city() -> dict[str, tuple[str, ...]]:
    """Return the zones by the part after their last slash."""
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for name in sorted(available_timezones()):
        if "/" in name and not name.startswith(_NO_PLACES):
            found[_key(name.rpartition("/")[2])] += (name,)
    return found


SETTING = Setting(
    "zone",
    "your time zone, for deadlines, nights and days of leave",
    "UTC",
    _read,
    timed=True,
    rest=True,
)
