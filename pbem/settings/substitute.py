"""`substitute`: whether a member is asked to go on for players who do not."""

from __future__ import annotations

from pbem.settings import Setting, one_of

ON, OFF = "on", "off"


SETTING = Setting(
    "substitute",
    "whether you are offered the seats of players who stop playing: on or off",
    OFF,
    one_of(ON, OFF),
)
