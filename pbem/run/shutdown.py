"""Shutdown: end a process within ten seconds, whatever it is doing."""

from __future__ import annotations

import os
from collections.abc import Callable

from pbem.log import get_logger

log = get_logger(__name__)

END_SECONDS = 6.0
"""Seconds for running jobs to finish before their connections are closed."""
AFTER_CLOSE_SECONDS = 2.0


def end(ended: Callable[[float], bool], close: Callable[[], object], status: int = 0) -> None:
    """Wait until all work has ended, or else exit the process with a status.

    `ended` waits at most the given seconds and returns whether all has ended. `close` closes
    connections.
    """
    by_itself = ended(END_SECONDS)
    close()
    if not by_itself and not ended(AFTER_CLOSE_SECONDS):
        log.warning("a job does not end; the database keeps what is committed")
        os._exit(status)
    log.info("ended")
