"""`notes`: whether everyone may read a player's notes after a match."""

from __future__ import annotations

from pbem.settings import Setting, one_of

PUBLIC, PRIVATE = "public", "private"


SETTING = Setting(
    "notes",
    "readers of your notes after a match: public (everyone) or private (the players)",
    PRIVATE,
    one_of(PUBLIC, PRIVATE),
    shown=True,
)
