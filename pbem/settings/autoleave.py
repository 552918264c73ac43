"""`autoleave`: whether a player who runs out of time takes leave automatically."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import Player
from pbem.settings import Setting, one_of

ON, OFF = "on", "off"
SINCE_KEY = "autoleave since"
"""Key of the moment at which they chose it."""


SETTING = Setting(
    "autoleave",
    "whether you automatically take a day of leave when you run out of time: on or off",
    OFF,
    one_of(ON, OFF),
)


def is_on(player: Player) -> bool:
    """Return whether a player has it on."""
    return SETTING.of(player) == ON


def was_on(player: Player, at: datetime) -> bool:
    """Return whether it has been on since a moment. It does not help with earlier flag falls."""
    since = player.settings.get(SINCE_KEY)
    return is_on(player) and (since is None or datetime.fromisoformat(since) <= at)
