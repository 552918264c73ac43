"""A check that waits for other machines, while others are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread

from pbem.cli.doctor.finding import Finding
from pbem.config import Config


class Elsewhere:
    """A check that has begun, in a thread for which nobody waits who gives up."""

    def __init__(self, check: Callable[[Config], Iterator[Finding]], config: Config) -> None:
        self._check = check
        self._config = config
        self._found = list[Finding]()
        self._error: Exception | None = None
        self._thread = Thread(target=self._run, name="check", daemon=True)
        self._thread.start()

    def findings(self) -> list[Finding]:
        """What came of it, once it is there; raises what it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._found

    def _run(self) -> None:
        try:
            self._found = list(self._check(self._config))
        except Exception as error:  # noqa: BLE001  whoever asks for the findings gets it
            self._error = error
