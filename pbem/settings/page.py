"""`page`: the part of a member that the reading room shows."""

from __future__ import annotations

from pbem.settings import Setting, one_of

FULL, NAME, HIDDEN = "full", "name", "hidden"


SETTING = Setting(
    "page",
    "your entry in the reading room: full, name or hidden",
    FULL,
    one_of(FULL, NAME, HIDDEN),
    shown=True,
)
