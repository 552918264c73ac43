"""`zone`: the time zone in which due times are told."""

from __future__ import annotations

from zoneinfo import available_timezones

from pbem.settings.api import Setting, SettingError


def _read(text: str) -> str:
    by_key = {name.casefold(): name for name in available_timezones()}
    name = by_key.get(text.strip().casefold())
    if name is None:
        raise SettingError(f"there is no time zone {text.strip()}; one is Europe/Warsaw")
    return name


SETTING = Setting("zone", "the time zone in which you are told due times", "UTC", _read)
