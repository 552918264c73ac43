"""Loggers of structlog, imported and set up with the first line: most commands log nothing."""

from __future__ import annotations

from collections.abc import Callable
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
