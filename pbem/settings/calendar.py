"""`calendar`: whether deadlines come as events for calendars, with mails and in a feed."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.settings import Setting, one_of

ON, OFF, NEW = "on", "off", "new"
CHOICES = (ON, OFF, NEW)
ADDRESS_KEY = "calendar address"
"""Under which key the secret part of the feed's address is stored."""


SETTING = Setting(
    "calendar",
    "your deadlines for a calendar program: on, off, or new to get a new secret address",
    OFF,
    one_of(*CHOICES),
)


def is_on(player: Player) -> bool:
    """Whether a player wants a calendar."""
    return SETTING.of(player) == ON


def secret_of(player: Player) -> str:
    """What nobody else knows of the address of their feed; empty where there is none."""
    return player.settings.get(ADDRESS_KEY, "") if is_on(player) else ""
