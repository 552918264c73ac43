"""Logging with structlog, which is imported for the first line only, and traces of errors.

Most commands log nothing. The message of an error may contain anything, such as raw email,
Message-IDs with tokens, or passwords. So a trace contains only its type and its frames.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any

_setting_up = Lock()
_pending: list[Callable[[], None]] = []
"""Functions that will set up the logs, until that is done."""


class LazyLogger:
    """A logger with structlog's methods: `debug`, `info`, `warning`, `error`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, method: str) -> Any:
        import structlog

        set_up()
        return getattr(structlog.get_logger(self._name), method)


def get_logger(name: str) -> Any:
    """Return the logger of a module."""
    return LazyLogger(name)


def set_up_by(configure: Callable[[], None]) -> None:
    """Set up the logs in this way before the first line."""
    _pending.append(configure)


def set_up() -> None:
    """Set up the logs now, if not done yet."""
    with _setting_up:
        while _pending:
            _pending.pop(0)()


def trace_of(error: BaseException) -> str:
    """Return the frames and types of an error and its causes, the first cause first.

    An operating system error also gives its reason, which is from a fixed list.
    """
    chain = list(_led_to(error))[::-1]
    return "".join(
        f"Traceback (most recent call last):\n{_frames(each)}{_kind(each)}\n" for each in chain
    )


def _led_to(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, then its cause or context, and so on."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        yield found
        seen.add(id(found))
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)


def _frames(error: BaseException) -> str:
    return "".join(traceback.format_tb(error.__traceback__))


def _kind(error: BaseException) -> str:
    kind = type(error)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    if isinstance(error, OSError) and isinstance(error.errno, int):
        return f"{name}: {os.strerror(error.errno)}"
    return name
