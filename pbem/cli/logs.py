"""Logs of a running club: standard error, one line per event."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog
from structlog.processors import ExceptionRenderer, JSONRenderer, TimeStamper, add_log_level
from structlog.typing import Processor

from pbem.cli.group import asked_command
from pbem.cli.listing import printable
from pbem.log import trace_of
from pbem.mail.addresses.addressing import without_secrets
from pbem.run.config import is_journal, shows_colours

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_SYSLOG = {"debug": 7, "info": 6, "warning": 4, "error": 3}
"""Severities by which journald sorts lines that start with them, as in sd-daemon(3)."""
MANY_LINES = ("traceback", "exception")
"""Fields of an event that may have several values."""


def log_to_stderr() -> None:
    """Set the logs up. Standard output belongs to the answers of commands."""
    # journald itself notes when a line arrived.
    time = [] if is_journal(sys.stderr) else [TimeStamper("%Y-%m-%d %H:%M:%SZ", utc=True)]
    _log_by(*time, _harmless, _text())
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    log_from("info")
    # A job that is requested while it runs is not news.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)


def log_as_json() -> None:
    """Write each line as an object, for programs that collect the lines of many processes."""
    _log_by(
        TimeStamper("iso", utc=True, key="time"),
        _process,
        ExceptionRenderer(lambda error: trace_of(error[1])),
        _harmless,
        JSONRenderer(default=str, ensure_ascii=False),
    )


def _log_by(*processors: Processor) -> None:
    *before, show = processors
    shown = _for_journal(show) if is_journal(sys.stderr) else show
    structlog.configure(processors=[add_log_level, *before, shown])


def _process(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add the process that logs."""
    return {"process": f"pbem {asked_command(sys.argv[1:])}".strip(), "pid": os.getpid(), **event}


def _text() -> Processor:
    return structlog.dev.ConsoleRenderer(
        colors=shows_colours(sys.stderr),
        # The default also prints messages and local variables, which may contain secrets.
        exception_formatter=_traceback,
        sort_keys=False,
        pad_event_to=0,
    )


def log_from(level: str) -> None:
    """Ignore lines below this level. The rest of the setup stays."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]))


def _for_journal(show: Processor) -> Processor:
    """Mark every line with its severity, by which `journalctl -p warning` selects."""

    def marked(logger: Any, name: str, event: MutableMapping[str, Any]) -> str:
        mark = f"<{_SYSLOG.get(event['level'], 6)}>"
        return "\n".join(mark + line for line in str(show(logger, name, event)).splitlines())

    return marked


def _harmless(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return an event whose text cannot control a terminal, or look like a line of its own.

    Tokens are hidden: anyone who has one could play in its player's name.
    """
    for key, value in event.items():
        if isinstance(value, str):
            line = value if key in MANY_LINES else " ".join(value.split())
            event[key] = printable(without_secrets(line))
    return event


def _traceback(stream: TextIO, error: structlog.typing.ExcInfo) -> None:
    """Write where an error was logged: its frames and its type."""
    stream.write("\n" + printable(trace_of(error[1])))
