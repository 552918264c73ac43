"""Fatal errors: conditions for which a process must stop."""

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
"""Seconds between checks of the schema by an idle process."""


class FatalErrors:
    """Stops a process when one of its jobs hits a fatal error."""

    def __init__(self) -> None:
        self._trouble: MustStop | None = None
        self._stop = threading.Event()

    def ends(self, stop: threading.Event) -> None:
        """Set the event that stops the process."""
        self._stop = stop

    def minded(self, run: Callable[[], object]) -> Callable[[], None]:
        """Wrap a job so that it stops the process on a fatal error."""

        def job() -> None:
            try:
                run()
            except MustStop as error:
                self.must_end(error)

        return job

    def must_end(self, trouble: MustStop) -> None:
        """Stop the process for a reason, which is logged once."""
        if self._trouble is None:
            log.error("no more work is done here", error=str(trouble))
        self._trouble = trouble
        self._stop.set()

    def schema_job(self, club: Club) -> Job:
        """Return a job that checks whether the schema is still the one of this pbem."""
        return Job("schema", Every(LOOK_SECONDS), self.minded(lambda: look(club)))

    @property
    def status(self) -> int:
        """Return the exit status for a process that has to be killed."""
        return 0 if self._trouble is None else 1

    def require(self) -> None:
        """Raise the fatal error, if there is one."""
        if self._trouble is not None:
            raise self._trouble


def look(club: Club) -> None:
    """Raise SchemaDiffers if the schema is no longer the one of this pbem."""
    with reading(club):
        pass
