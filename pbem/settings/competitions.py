"""`competitions`: whether a member gets an email when a competition is announced."""

from __future__ import annotations

from pbem.matches.match import Player
from pbem.settings import OFF, ON, Setting, one_of

SETTING = Setting(
    "competitions",
    "whether you get an email about each new competition: on or off",
    ON,
    one_of(ON, OFF),
)


def is_on(player: Player) -> bool:
    """Return whether a member wants announcements of competitions."""
    return SETTING.of(player) == ON
