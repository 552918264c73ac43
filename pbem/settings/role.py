"""`role`: a member's role in the club. Directors get emails about decisions and make them."""

from __future__ import annotations

from pbem.settings import Setting, SettingError

DIRECTOR, NONE = "director", "none"


def _read(text: str) -> str:
    if text not in (DIRECTOR, NONE):
        raise SettingError(f"{text} is not a role. Choose one of: {DIRECTOR}, {NONE}")
    return "" if text == NONE else text


SETTING = Setting("role", "their role in the club", "", _read, by_player=False)
