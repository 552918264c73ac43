"""What the kernel says of its clock: whether somebody keeps it right (adjtimex(2))."""

from __future__ import annotations

import ctypes

TIMEX_BYTES = 256
"""More than a struct timex has anywhere; zeroed, it asks and changes nothing."""
TIME_ERROR = 5
"""The clock is not synchronised."""


def is_synchronised() -> bool | None:
    """Whether NTP or the like keeps the clock; None where the kernel cannot be asked."""
    try:
        adjtimex = ctypes.CDLL(None, use_errno=True).adjtimex
    except AttributeError:  # no Linux
        return None
    state: int = adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))
    return None if state < 0 else state != TIME_ERROR
