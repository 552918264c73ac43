"""`feed`: whether there is an Atom feed of the matches that wait for the member."""

from __future__ import annotations

from pbem.settings import OFF, SECRET_CHOICES, SecretFile, Setting, one_of

SETTING = Setting(
    "feed",
    "your turns for a feed reader: on, off, or new to get a new secret address",
    OFF,
    one_of(*SECRET_CHOICES),
)
FILE = SecretFile(SETTING, "feed address", "atom")
