"""`ratings`: whether ratings are shown to a member, and theirs to others, unless somebody asks."""

from __future__ import annotations

from pbem.settings import Setting, one_of

ON, OFF = "on", "off"


SETTING = Setting(
    "ratings",
    "ratings in emails and lists, of others and yours: on or off",
    ON,
    one_of(ON, OFF),
    shown=True,
)
