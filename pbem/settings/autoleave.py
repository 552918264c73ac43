"""`autoleave`: whether leave is taken by itself when a time is over."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import Player
from pbem.settings import Setting, one_of

ON, OFF = "on", "off"
SINCE_KEY = "autoleave since"
"""Under which key is stored when they chose it."""


SETTING = Setting(
    "autoleave",
    "whether you automatically take a day of leave when you run out of time: on or off",
    OFF,
    one_of(ON, OFF),
)


def is_on(player: Player) -> bool:
    """Whether a player has it so."""
    return SETTING.of(player) == ON


def was_on(player: Player, at: datetime) -> bool:
    """Whether they had it so at a moment, and have since: a flag that fell before is not saved."""
    since = player.settings.get(SINCE_KEY)
    return is_on(player) and (since is None or datetime.fromisoformat(since) <= at)
