"""`calendar`: whether deadlines come as calendar events, with emails and in a feed."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.settings import Setting, one_of

ON, OFF, NEW = "on", "off", "new"
CHOICES = (ON, OFF, NEW)
ADDRESS_KEY = "calendar address"
"""Key of the secret part of the feed's address."""


SETTING = Setting(
    "calendar",
    "your deadlines for a calendar program: on, off, or new to get a new secret address",
    OFF,
    one_of(*CHOICES),
)


def is_on(player: Player) -> bool:
    """Return whether a player wants a calendar."""
    return SETTING.of(player) == ON


def secret_of(player: Player) -> str:
    """Return the secret part of their feed's address, empty if there is none."""
    return player.settings.get(ADDRESS_KEY, "") if is_on(player) else ""
