"""`substitute`: whether a member is offered seats of players who stop playing."""

from __future__ import annotations

from pbem.settings import Setting, one_of

ON, OFF = "on", "off"


SETTING = Setting(
    "substitute",
    "whether you are offered the seats of players who stop playing: on or off",
    OFF,
    one_of(ON, OFF),
)
