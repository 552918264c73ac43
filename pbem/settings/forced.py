"""`forced`: whether the club plays for a member when only one action is legal."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.settings import Setting, one_of

ON, OFF = "on", "off"


SETTING = Setting(
    "forced",
    "whether I play for you when only one action is legal: on or off",
    OFF,
    one_of(ON, OFF),
)


def is_on(player: Player) -> bool:
    """Return whether a member wants that."""
    return not player.bot and not player.former and SETTING.of(player) == ON
