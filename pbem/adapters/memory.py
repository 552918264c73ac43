"""Give freed memory back to the machine. glibc would keep it for later."""

from __future__ import annotations

import ctypes
from typing import Final

LARGE: Final = 256 * 1024
"""Bytes of one value for which memory of its own is asked for, and given back with it."""
HEAPS: Final = 2
"""All threads share them. Otherwise each has its own, and each keeps the most it ever needed."""

_ARENA_MAX: Final = -8
"""M_ARENA_MAX of mallopt(3)."""
_MMAP_THRESHOLD: Final = -3
"""M_MMAP_THRESHOLD. Unless it is set, it rises to the largest value that was ever freed."""


def give_back_freed_memory() -> None:
    """Set up glibc for a process that runs for months. Call it before any thread starts."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):  # macOS has none, and musl needs none
        libc.mallopt(_ARENA_MAX, HEAPS)
        libc.mallopt(_MMAP_THRESHOLD, LARGE)
