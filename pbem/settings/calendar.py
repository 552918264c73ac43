"""`calendar`: whether deadlines come as calendar events, with emails and in a file."""

from __future__ import annotations

from pbem.settings import OFF, SECRET_CHOICES, SecretFile, Setting, one_of

SETTING = Setting(
    "calendar",
    "your deadlines for a calendar program: on, off, or new to get a new secret address",
    OFF,
    one_of(*SECRET_CHOICES),
)
FILE = SecretFile(SETTING, "calendar address", "ics")
