"""`page`: what the reading room shows of a member."""

from __future__ import annotations

from pbem.settings import Setting, one_of

FULL, NAME, HIDDEN = "full", "name", "hidden"


SETTING = Setting(
    "page",
    "what the reading room shows about you: full, name or hidden",
    FULL,
    one_of(FULL, NAME, HIDDEN),
    shown=True,
)
