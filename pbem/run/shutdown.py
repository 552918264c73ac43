"""Shutdown: stop a process within ten seconds, whatever it is doing."""

from __future__ import annotations

import os
from collections.abc import Callable

from pbem.log import get_logger

log = get_logger(__name__)

END_SECONDS = 6.0
"""Work in progress gets this long to finish. Then its connections are closed."""
AFTER_CLOSE_SECONDS = 2.0


def end(ended: Callable[[float], bool], close: Callable[[], object], status: int = 0) -> None:
    """Return when nothing is in progress any more. Otherwise exit here with a status.

    `ended` waits that many seconds and says whether this is so. `close` closes connections.
    """
    by_itself = ended(END_SECONDS)
    close()
    if not by_itself and not ended(AFTER_CLOSE_SECONDS):
        log.warning("a job does not end; the database keeps what is committed")
        os._exit(status)
    log.info("ended")
