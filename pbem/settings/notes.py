"""`notes`: whether what a player writes beside their moves may be read by everybody in the end."""

from __future__ import annotations

from pbem.settings.api import Setting, SettingError

PUBLIC, PRIVATE = "public", "private"


def _read(text: str) -> str:
    if text not in (PUBLIC, PRIVATE):
        raise SettingError(f"{text} is no such choice; there are: {PUBLIC}, {PRIVATE}")
    return text


SETTING = Setting(
    "notes",
    "what becomes of your notes after a match: public or private",
    PRIVATE,
    _read,
    shown=True,
)
