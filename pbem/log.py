"""Logging: structlog, imported and set up with the first line, and where an error arose.

Most commands log nothing. The message of an error may hold anything (raw mail, Message-IDs with
their tokens, passwords), so a trace tells its kind and its frames alone.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any

_setting_up = Lock()
_pending: list[Callable[[], None]] = []
"""What sets the logs up, until that is done."""


class LazyLogger:
    """Has the methods of a structlog logger: `debug`, `info`, `warning`, `error`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, method: str) -> Any:
        import structlog

        set_up()
        return getattr(structlog.get_logger(self._name), method)


def get_logger(name: str) -> Any:
    """The logger of a module."""
    return LazyLogger(name)


def set_up_by(configure: Callable[[], None]) -> None:
    """Set the logs up in this way before the first line."""
    _pending.append(configure)


def set_up() -> None:
    """Set the logs up now, if that is still to be done."""
    with _setting_up:
        while _pending:
            _pending.pop(0)()


def trace_of(error: BaseException) -> str:
    """Frames and kinds of an error and of those that led to it, the first of them first.

    Of an error of the operating system its reason is told too: one out of a list.
    """
    chain = list(_led_to(error))[::-1]
    return "".join(
        f"Traceback (most recent call last):\n{_frames(each)}{_kind(each)}\n" for each in chain
    )


def _led_to(error: BaseException) -> Iterator[BaseException]:
    """An error, the one it was raised from or after, and so on."""
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
