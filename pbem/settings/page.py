"""`page`: what the reading room shows of a member."""

from __future__ import annotations

from pbem.settings.api import Setting, SettingError

FULL, NAME, HIDDEN = "full", "name", "hidden"


def _read(text: str) -> str:
    if text not in (FULL, NAME, HIDDEN):
        raise SettingError(f"{text} is no such choice; there are: {FULL}, {NAME}, {HIDDEN}")
    return text


SETTING = Setting(
    "page",
    "what the reading room shows of you: full, name or hidden",
    FULL,
    _read,
    shown=True,
)
