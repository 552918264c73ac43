"""Where the logs of a running club go: standard error, a line an event."""

from __future__ import annotations

import logging
import sys

import structlog


def log_to_stderr() -> None:
    """Sets the logs up; standard output belongs to the commands' answers."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Plain: the default prints local variables too, and secrets may be among them.
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    # A job that is asked for while it runs is no news.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
