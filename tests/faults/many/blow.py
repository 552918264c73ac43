"""A blow: SIGKILL right after the n-th statement that a process has run, in any of its parts.

Both pbem and Procrastinate talk to PostgreSQL through psycopg, so statements and commits are
counted there.
"""

from __future__ import annotations

import functools
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg

STEPS = ("execute", "executemany")


class Blow:
    """Kills this process at a chosen step."""

    def __init__(self) -> None:
        self._left = 0

    def comes_after(self, steps: int) -> None:
        """Kill after this many more statements and commits."""
        self._left = steps

    def step(self) -> None:
        """Note that a statement has run or a transaction has been committed."""
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_psycopg(self) -> None:
        """Count what every connection of this process does from now on."""
        for name in STEPS:
            _follow(psycopg.Cursor, name, self._told)
            _follow(psycopg.AsyncCursor, name, self._told_later)
        _follow(psycopg.Connection, "commit", self._told)
        _follow(psycopg.AsyncConnection, "commit", self._told_later)

    def _told(self, act: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(act)
        def tell(*arguments: Any, **options: Any) -> Any:
            done = act(*arguments, **options)
            self.step()
            return done

        return tell

    def _told_later(self, act: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @functools.wraps(act)
        async def tell(*arguments: Any, **options: Any) -> Any:
            done = await act(*arguments, **options)
            self.step()
            return done

        return tell


def _follow(owner: type, name: str, told: Callable[[Any], Any]) -> None:
    setattr(owner, name, told(getattr(owner, name)))
