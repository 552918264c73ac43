"""Where the logs of a running club go: standard error, a line an event."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

from pbem.cli.terminal import printable
from pbem.service.trace import trace_of


def log_to_stderr() -> None:
    """Sets the logs up; standard output belongs to the commands' answers."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _harmless,
            # The default prints messages and local variables too, and secrets may be among them.
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=_traceback
            ),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    # A job that is asked for while it runs is no news.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)


def _harmless(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """An event whose words cannot steer a terminal, nor pass for a line of their own."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = printable(value if key == "traceback" else " ".join(value.split()))
    return event


def _traceback(stream: TextIO, error: structlog.typing.ExcInfo) -> None:
    """Writes where an error was logged from: its frames and its kind."""
    stream.write("\n" + printable(trace_of(error[1])))
