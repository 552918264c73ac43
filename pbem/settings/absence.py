"""`absence`: what becomes of an out-of-office answer of a member's mailbox."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.settings.api import Setting, SettingError

LEAVE, NOTE = "leave", "note"


def _read(text: str) -> str:
    value = text.strip().casefold()
    if value not in (LEAVE, NOTE):
        raise SettingError(f"absence is {LEAVE} or {NOTE}, not {text.strip()}")
    return value


SETTING = Setting(
    "absence",
    "what becomes of an out-of-office answer of your mailbox: leave (you are on leave on the days"
    " that it names), or note (the director is told)",
    NOTE,
    _read,
)


def opens_leave(player: Player) -> bool:
    """Whether a player has it so."""
    return SETTING.of(player) == LEAVE
