"""`absence`: what becomes of an out-of-office answer of a member's mailbox."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.settings import Setting, one_of

LEAVE, NOTE = "leave", "note"


SETTING = Setting(
    "absence",
    "what becomes of an out-of-office answer of your mailbox: leave (you are on leave on the days"
    " that it names), or note (the director is told)",
    NOTE,
    one_of(LEAVE, NOTE),
)


def opens_leave(player: Player) -> bool:
    """Whether a player has it so."""
    return SETTING.of(player) == LEAVE
