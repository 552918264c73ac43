"""`notes`: whether what a player writes beside their moves may be read by everybody in the end."""

from __future__ import annotations

from pbem.settings import Setting, one_of

PUBLIC, PRIVATE = "public", "private"


SETTING = Setting(
    "notes",
    "what becomes of your notes after a match: public or private",
    PRIVATE,
    one_of(PUBLIC, PRIVATE),
    shown=True,
)
