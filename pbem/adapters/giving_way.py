"""Giving way: who computes for long lets the other threads of the process go first."""

from __future__ import annotations

import time
from collections.abc import Callable


def giving_way(stopping: Callable[[], bool]) -> Callable[[], bool]:
    """Whether to stop, to be asked between two small steps; whoever waits has their turn then.

    By itself Python lets a thread compute for 5 ms while others wait, and they wait anew after each
    statement to the database: forty took two to four times as long beside a bot that was thinking.
    """

    def asked() -> bool:
        time.sleep(0)
        return stopping()

    return asked
