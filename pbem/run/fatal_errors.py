"""Fatal errors: what a process must stop for, and whether it found one."""

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
"""How soon a process that has nothing to do notices that the schema is no longer its own."""


class FatalErrors:
    """Ends a process whose jobs find that it must do no more work."""

    def __init__(self) -> None:
        self._trouble: MustStop | None = None
        self._stop = threading.Event()

    def ends(self, stop: threading.Event) -> None:
        """Sets this event where the process must not go on."""
        self._stop = stop

    def minded(self, run: Callable[[], object]) -> Callable[[], None]:
        """A job that ends the process where it finds that it must not go on."""

        def job() -> None:
            try:
                run()
            except MustStop as error:
                self.must_end(error)

        return job

    def must_end(self, trouble: MustStop) -> None:
        """Ends the process, for a reason that is told once."""
        if self._trouble is None:
            log.error("no more work is done here", error=str(trouble))
        self._trouble = trouble
        self._stop.set()

    def schema_job(self, club: Club) -> Job:
        """Looks now and then whether the schema is still the one of this pbem."""
        return Job("schema", Every(LOOK_SECONDS), self.minded(lambda: look(club)))

    @property
    def status(self) -> int:
        """Exit status of a process that has to be ended in the midst of something."""
        return 0 if self._trouble is None else 1

    def require(self) -> None:
        """Raises why the process must not go on, if that is so."""
        if self._trouble is not None:
            raise self._trouble


def look(club: Club) -> None:
    """Raises SchemaDiffers where the schema is no longer the one of this pbem."""
    with reading(club):
        pass
