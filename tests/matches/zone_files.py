"""When zones change their offsets, by the files of the tz database (RFC 9636)."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from zoneinfo import TZPATH

HEAD = struct.Struct(">4sc15x6L")

HARD: dict[str, str] = {
    "Australia/Lord_Howe": "2026-04-04",  # half an hour
    "Antarctica/Troll": "2026-03-29",  # two hours
    "Pacific/Apia": "2011-12-30",  # a Friday that did not exist
    "Pacific/Kwajalein": "1993-08-21",  # a Saturday that did not exist
    "Pacific/Kiritimati": "1994-12-31",
    "America/Sao_Paulo": "2018-11-04",  # no midnight
    "Asia/Beirut": "2026-03-29",
    "America/Havana": "2026-11-01",  # back from one to midnight
    "Asia/Gaza": "2023-04-29",
    "Africa/Casablanca": "2026-02-15",  # back for Ramadan
    "Africa/Monrovia": "1972-01-07",  # by 44 minutes and a half
    "Asia/Kathmandu": "1986-01-01",  # a quarter of an hour
    "Asia/Pyongyang": "2018-05-04",
    "America/Caracas": "2016-05-01",
    "Europe/Amsterdam": "1937-07-01",  # by 28 seconds
    "Europe/Warsaw": "2026-10-25",
    "America/New_York": "2026-03-08",
    "Europe/Dublin": "2026-10-25",
    "UTC": "2026-01-01",
}
"""Zones in which local clocks do something odd, and when."""

ODD = {"Africa/Monrovia", "Europe/Amsterdam"}
"""Zones whose offsets had odd seconds."""


def changes(zone: str) -> list[tuple[datetime, timedelta]]:
    """Return every listed change of offset, with the offset from then on."""
    data = _bytes(zone)
    # The first block has 32 bits for a moment. The second, which follows, has 64.
    at = HEAD.size + _length(HEAD.unpack_from(data)[2:], 4)
    *_, count, types, _ = HEAD.unpack_from(data, at)
    at += HEAD.size
    moments = struct.unpack_from(f">{count}q", data, at)
    kinds = data[at + 8 * count : at + 9 * count]
    offsets = [struct.unpack_from(">l", data, at + 9 * count + 6 * n)[0] for n in range(types)]
    found, last = [], offsets[0]
    for moment, kind in zip(moments, kinds, strict=True):
        if offsets[kind] != last:
            then = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=moment)
            found.append((then, timedelta(seconds=offsets[kind])))
        last = offsets[kind]
    return found


def _bytes(zone: str) -> bytes:
    """Return the file that Python reads: from the machine, or else from the package tzdata."""
    for folder in TZPATH:
        if Path(folder, zone).is_file():
            return Path(folder, zone).read_bytes()
    return files("tzdata").joinpath("zoneinfo", *zone.split("/")).read_bytes()


def _length(counts: tuple[int, ...], width: int) -> int:
    """Return the number of bytes of a block after its head."""
    is_ut, is_standard, leaps, moments, types, letters = counts
    return moments * (width + 1) + types * 6 + letters + leaps * (width + 4) + is_standard + is_ut
