"""`substitute`: whether a member is asked to go on for players who do not."""

from __future__ import annotations

from pbem.settings.api import Setting, SettingError

ON, OFF = "on", "off"


def _read(text: str) -> str:
    if text not in (ON, OFF):
        raise SettingError(f"{text} is no such choice; there are: {ON}, {OFF}")
    return text


SETTING = Setting(
    "substitute",
    "whether you are offered seats of players who do not go on: on or off",
    OFF,
    _read,
)
