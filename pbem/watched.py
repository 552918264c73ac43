"""Watched: a process shows its numbers, and says whether all is well, to machines that ask."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http import HTTPStatus
from importlib import metadata
from pathlib import Path
from typing import Final, NamedTuple

from pbem.adapters.metrics import CONTENT_TYPE, Exposition, Page
from pbem.service.club import Club
from pbem.service.numbers import numbers_of
from pbem.service.ports import Number, StorageUnavailable
from pbem.service.status import Status, status_of
from pbem.service.troubles import troubles_of

FRESH_SECONDS: Final = 10.0
"""For so long a status is good enough: who asks often costs the database no more."""


class Look(NamedTuple):
    """What the database said when it was asked last."""

    at: float
    """On a clock that is never put back."""
    status: Status | None
    trouble: str = ""
    """Why there is none."""


class Looked:
    """The status of a club, looked up when the last one is old, and never twice at once."""

    def __init__(self, read: Callable[[], Status], fresh_seconds: float = FRESH_SECONDS) -> None:
        self._read = read
        self._fresh_seconds = fresh_seconds
        self._looking = threading.Lock()
        self._last: Look | None = None

    def look(self) -> Look:
        """The last one where somebody else is looking: a silent database keeps one waiting."""
        if self._last is not None and not self._looking.acquire(blocking=False):
            return self._last
        if self._last is None:
            self._looking.acquire()
        try:
            if self._last is None or time.monotonic() - self._last.at >= self._fresh_seconds:
                self._last = self._look()
            return self._last
        finally:
            self._looking.release()

    def _look(self) -> Look:
        try:
            return Look(time.monotonic(), self._read())
        except StorageUnavailable as error:
            return Look(time.monotonic(), None, f"the database cannot be read: {error}")


class Watched:
    """A process of a club that is watched: what counts what it does, and its pages."""

    def __init__(
        self,
        club: Club,
        poll_seconds: float,
        folder: Path,
        unwell: Callable[[], str],
        fresh_seconds: float = FRESH_SECONDS,
    ) -> None:
        self._looked = Looked(lambda: status_of(club), fresh_seconds)
        self._poll_seconds = poll_seconds
        self._folder = folder
        self._exposition = Exposition(self._numbers)
        self.club = replace(club, meter=self._exposition.meter)
        """The same club, its work counted."""
        self._unwell = unwell
        """What does not go on in this process, in words; empty if everything does."""
        self.pages: dict[str, Callable[[], Page]] = {
            "/metrics": lambda: Page(self._exposition.text(), CONTENT_TYPE),
            "/healthz": self._health,
            "/readyz": self._readiness,
        }

    def _numbers(self) -> Iterator[Number]:
        look = self._looked.look()
        age = time.monotonic() - look.at
        yield Number("pbem_build_info", "This pbem.", ("version",), ((_version(), 1),))
        yield _gauge(
            "pbem_healthy", "Whether everything goes on in this process.", not self._unwell()
        )
        yield _gauge("pbem_database_up", "Whether it can be read.", look.status is not None)
        yield _gauge("pbem_status_age_seconds", "Since when what follows is known.", age)
        yield from self._disk()
        if look.status is not None:
            yield from numbers_of(look.status, troubles_of(look.status, self._poll_seconds))

    def _disk(self) -> Iterator[Number]:
        usage = shutil.disk_usage(self._folder)
        yield _gauge("pbem_data_dir_free_bytes", "Free where the club's things are.", usage.free)
        yield _gauge("pbem_data_dir_size_bytes", "All that is there.", usage.total)

    def _health(self) -> Page:
        """Whether this process goes on; of the rest of the world it says nothing."""
        trouble = self._unwell()
        status = HTTPStatus.SERVICE_UNAVAILABLE if trouble else HTTPStatus.OK
        return Page(f"{trouble or 'ok'}\n".encode(), status=status)

    def _readiness(self) -> Page:
        """Whether the club takes mail, plays and answers, as far as can be told from here."""
        troubles = list(self._troubles())
        told = json.dumps({"ready": not troubles, "troubles": troubles}, indent=2)
        status = HTTPStatus.SERVICE_UNAVAILABLE if troubles else HTTPStatus.OK
        return Page(f"{told}\n".encode(), "application/json", status)

    def _troubles(self) -> Iterator[str]:
        look = self._looked.look()
        if trouble := self._unwell():
            yield trouble
        if look.status is None:
            yield look.trouble
        else:
            yield from map(str, troubles_of(look.status, self._poll_seconds))
        for server in self._exposition.meter.lost:
            yield f"{server} could not be reached"


def _version() -> tuple[str, ...]:
    return (metadata.version("pbem"),)


def _gauge(name: str, about: str, value: float) -> Number:
    return Number(name, about, (), (((), value),))
