"""The write lock is fair: a thread that writes again and again does not starve others."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from threading import Event

from pbem.adapters.db.unit_of_work import OneByOne

THREADS = 3
TIMES = 100
PATIENCE = 10
"""Seconds: far more than it takes."""


def test_writers_take_turns_in_the_order_they_came() -> None:
    line, wrote = OneByOne(), list[int]()
    wants = [Event() for _ in range(THREADS)]

    def writes(number: int) -> None:
        for _ in range(TIMES):
            wants[number].set()
            with line.turn():
                assert all(each.wait(PATIENCE) for each in wants)
                os.sched_yield()  # let waiting threads queue up
                wrote.append(number)
                wants[number].clear()
        wants[number].set()

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(writes, range(THREADS)))
    runs = [len(list(run)) for _, run in groupby(wrote)]
    assert (sum(runs), max(runs) < TIMES / 2) == (THREADS * TIMES, True)
