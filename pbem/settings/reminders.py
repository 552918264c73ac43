"""`reminders`: when a player is reminded of a turn."""

from __future__ import annotations

from pbem.games.api import OptionError
from pbem.matches.reminders import USUAL, Reminders
from pbem.settings import Setting, SettingError


def _read(text: str) -> str:
    try:
        return str(Reminders.read(text))
    except OptionError as error:
        raise SettingError(str(error)) from error


SETTING = Setting(
    "reminders",
    "when you get reminders of a turn, or none: 50% 2d 6h means at half time, two days before the"
    " deadline, and six hours before it",
    str(USUAL),
    _read,
    timed=True,
)
