"""`absence`: what happens when a member's mailbox sends an out-of-office answer."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.settings import Setting, one_of

LEAVE, NOTE = "leave", "note"


SETTING = Setting(
    "absence",
    "what to do with an out-of-office reply from your mailbox: leave (take leave on the days it"
    " names) or note (notify the director)",
    NOTE,
    one_of(LEAVE, NOTE),
)


def opens_leave(player: Player) -> bool:
    """Return whether such an answer starts leave for a player."""
    return SETTING.of(player) == LEAVE
