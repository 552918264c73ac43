"""Give freed memory back to the machine, since glibc would keep it for later."""

from __future__ import annotations

import ctypes
from typing import Final

LARGE: Final = 256 * 1024
"""Bytes of a value from which on it gets its own memory, which is released with it."""
HEAPS: Final = 2
"""Heaps shared by all threads. Otherwise each thread has one that keeps the most it ever needed."""

_ARENA_MAX: Final = -8
"""M_ARENA_MAX of mallopt(3)."""
_MMAP_THRESHOLD: Final = -3
"""M_MMAP_THRESHOLD. Unless set, it rises to the largest value ever freed."""


def give_back_freed_memory() -> None:
    """Set up glibc for a process that runs for months. Call it before any thread starts."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):  # not on macOS; musl does not need it
        libc.mallopt(_ARENA_MAX, HEAPS)
        libc.mallopt(_MMAP_THRESHOLD, LARGE)
