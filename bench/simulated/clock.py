"""The time of a simulation, shared by several processes."""

from __future__ import annotations

import mmap
import struct
from datetime import UTC, datetime, timedelta
from pathlib import Path

_SIZE = 8
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class SharedClock:
    """A clock in a mapped file, which only moves when it is set. See `ports.Clock`."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)

    @classmethod
    def new(cls, path: Path, start: datetime) -> SharedClock:
        """Create a clock in a new file."""
        path.write_bytes(bytes(_SIZE))
        clock = cls(path)
        clock.is_at(start)
        return clock

    def now(self) -> datetime:
        """Return the time, aware and in UTC."""
        [microseconds] = struct.unpack("q", self._map[:_SIZE])
        return _EPOCH + timedelta(microseconds=microseconds)

    def is_at(self, moment: datetime) -> None:
        """Set the time for all processes that share it."""
        self._map[:_SIZE] = struct.pack("q", (moment - _EPOCH) // _MICROSECOND)
