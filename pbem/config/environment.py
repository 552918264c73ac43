"""Environment: what of it is no setting."""

from __future__ import annotations

import os
from typing import Final, TextIO

SYSTEMD: Final = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID")
"""By what systemd tells a process, and no other that this one starts, how they speak."""


def environment_without_settings() -> dict[str, str]:
    """The environment for a process that is to read its configuration from a file alone."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PBEM_") and name not in SYSTEMD
    }


def notify_socket() -> str:
    """Where systemd wants to hear how this process is (sd_notify(3)); empty if nobody does."""
    return os.environ.get("NOTIFY_SOCKET", "")


def watchdog_seconds() -> float:
    """How long systemd waits to hear that all is well, each time (sd_watchdog_enabled(3)).

    Infinite if it does not.
    """
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    if not (ours and microseconds.isdecimal() and int(microseconds)):
        return float("inf")
    return int(microseconds) / 1_000_000


FIRST_GIVEN: Final = 3
"""The first file descriptor behind standard error."""


def sockets_given() -> range:
    """File descriptors of the sockets on which systemd listens for us (sd_listen_fds(3))."""
    number = os.environ.get("LISTEN_FDS", "")
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or not number.isdecimal():
        return range(0)
    return range(FIRST_GIVEN, FIRST_GIVEN + int(number))


def is_journal(stream: TextIO) -> bool:
    """Whether what is written to a stream goes to journald, which says so (systemd.exec(5))."""
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError, AttributeError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{there.st_dev}:{there.st_ino}"


def shows_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours and Unicode whose reader wants them.

    NO_COLOR is the wish not to have any (https://no-color.org).
    """
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    encoding = (getattr(stream, "encoding", "") or "").lower().replace("-", "")
    return wanted and encoding == "utf8" and stream.isatty()
