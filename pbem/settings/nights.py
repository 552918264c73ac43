"""`nights`: the player's hours of rest, which are not charged."""

from __future__ import annotations

from pbem.games.api import OptionError
from pbem.matches.zones import Nights
from pbem.settings import Setting, SettingError

NONE = "none"


def _read(text: str) -> str:
    if text.strip().casefold() == NONE:
        return NONE
    try:
        return str(Nights.read(text))
    except OptionError as error:
        raise SettingError(str(error)) from error


SETTING = Setting(
    "nights",
    "hours of the night when your clocks are paused, such as 22-08 in your zone, or none",
    NONE,
    _read,
    timed=True,
    rest=True,
)


def nights_of(settings: str) -> Nights | None:
    """Return the nights of a stored value, None for `none`."""
    return None if settings == NONE else Nights.read(settings)
