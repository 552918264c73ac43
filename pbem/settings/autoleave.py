"""`autoleave`: whether leave is taken by itself when a time is over."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.settings.api import Setting, one_of

ON, OFF = "on", "off"


SETTING = Setting(
    "autoleave",
    "whether a day of leave is taken whenever your time for a turn is over: on or off",
    OFF,
    one_of(ON, OFF),
)


def is_on(player: Player) -> bool:
    """Whether a player has it so."""
    return SETTING.of(player) == ON
