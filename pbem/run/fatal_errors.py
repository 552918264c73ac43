"""Fatal errors: why a process must stop, and whether it does."""

from __future__ import annotations

import threading
from collections.abc import Callable

from pbem.adapters.scheduler import Job
from pbem.log import get_logger
from pbem.ports.process import Every, MustStop
from pbem.service.club import Club
from pbem.service.work import reading

log = get_logger(__name__)

LOOK_SECONDS = 5.0
"""Seconds until an idle process notices that the schema has changed."""


class FatalErrors:
    """Ends a process when one of its jobs finds that it must stop working."""

    def __init__(self) -> None:
        self._trouble: MustStop | None = None
        self._stop = threading.Event()

    def ends(self, stop: threading.Event) -> None:
        """Register the event to set when the process must stop."""
        self._stop = stop

    def minded(self, run: Callable[[], object]) -> Callable[[], None]:
        """Return a job that stops the process if it raises MustStop."""

        def job() -> None:
            try:
                run()
            except MustStop as error:
                self.must_end(error)

        return job

    def must_end(self, trouble: MustStop) -> None:
        """Stop the process, and log the reason once."""
        if self._trouble is None:
            log.error("this process stops working", error=str(trouble))
        self._trouble = trouble
        self._stop.set()

    def schema_job(self, club: Club) -> Job:
        """Return a job that checks now and then whether the schema is still this pbem's."""
        return Job("schema", Every(LOOK_SECONDS), self.minded(lambda: look(club)))

    @property
    def status(self) -> int:
        """Return the exit status of a process that has to be ended while it is busy."""
        return 0 if self._trouble is None else 1

    def require(self) -> None:
        """Raise the reason if the process must stop."""
        if self._trouble is not None:
            raise self._trouble


def look(club: Club) -> None:
    """Raise SchemaDiffers if the schema is no longer this pbem's."""
    with reading(club):
        pass
