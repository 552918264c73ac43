"""Monitoring: a process shows its metrics and its health over HTTP."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from importlib import metadata
from pathlib import Path
from typing import Final

from pbem.adapters.metrics import CONTENT_TYPE, Cached, Exposition, HttpPage
from pbem.log import get_logger
from pbem.ports.process import Number, StorageUnavailable
from pbem.run.config import Config
from pbem.service.club import Club
from pbem.service.numbers import Process, numbers_of, numbers_of_process
from pbem.service.status import Status, status_of
from pbem.service.troubles import ClubPart, troubles_of

log = get_logger(__name__)

FRESH_SECONDS: Final = 10.0
"""For so long a status is good enough: who asks often costs the database no more."""


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
        self._status = Cached(partial(_status_or_trouble, club), fresh_seconds)
        self._poll_seconds = poll_seconds
        self._folder = folder
        self._exposition = Exposition(self._numbers)
        self.club = replace(club, meter=self._exposition.meter)
        """The same club, its work counted."""
        self._unwell = unwell
        """What does not go on in this process, in words; empty if everything does."""
        self.pages: dict[str, Callable[[], HttpPage]] = {
            "/metrics": lambda: HttpPage(self._exposition.text(), CONTENT_TYPE),
            "/healthz": self._health,
            "/readyz": self._readiness,
        }

    def _numbers(self) -> Iterator[Number]:
        look = self._status.look()
        disk = shutil.disk_usage(self._folder)
        yield from numbers_of_process(
            Process(
                version=metadata.version("pbem"),
                healthy=not self._unwell(),
                has_database=isinstance(look.value, Status),
                looked_ago=look.ago,
                disk_free=disk.free,
                disk_size=disk.total,
            )
        )
        if isinstance(look.value, Status):
            yield from numbers_of(look.value, troubles_of(look.value, self._poll_seconds))

    def _health(self) -> HttpPage:
        """Whether this process goes on; of the rest of the world it says nothing."""
        trouble = self._unwell()
        status = HTTPStatus.SERVICE_UNAVAILABLE if trouble else HTTPStatus.OK
        return HttpPage(f"{trouble or 'ok'}\n".encode(), status=status)

    def _readiness(self) -> HttpPage:
        """Whether the club takes mail, plays and answers, as far as can be told from here."""
        troubles = list(self._troubles())
        told = json.dumps({"ready": not troubles, "troubles": troubles}, indent=2)
        status = HTTPStatus.SERVICE_UNAVAILABLE if troubles else HTTPStatus.OK
        return HttpPage(f"{told}\n".encode(), "application/json", status)

    def _troubles(self) -> Iterator[str]:
        found = self._status.look().value
        if trouble := self._unwell():
            yield trouble
        if isinstance(found, Status):
            found_troubles = troubles_of(found, self._poll_seconds)
            # The club continues without a template. That is for `pbem status` and the numbers.
            yield from (str(each) for each in found_troubles if each.part is not ClubPart.TEMPLATES)
        else:
            yield found
        for server in self._exposition.meter.lost:
            yield f"{server} could not be reached"


def _status_or_trouble(club: Club) -> Status | str:
    """How the club stands, or that nobody can tell.

    Why stands in the log: a server's words name its host and the account, and everybody may look.
    """
    try:
        return status_of(club)
    except StorageUnavailable as error:
        log.warning("the status of the club cannot be told", error=str(error))
        return "the database cannot be read; the log says why"


class Watch:
    """What a process needs to be watched, and gives to be."""

    def __init__(self, club: Club) -> None:
        self.club = club
        """The club whose work is counted, where it is."""
        self.unwell: Callable[[], str] = lambda: ""
        """What does not go on in the process, in words; empty if everything does."""

    def trouble(self) -> str:
        """What it says now."""
        return self.unwell()


@contextmanager
def watched(config: Config, club: Club) -> Iterator[Watch]:
    """A process that shows its numbers as long as the block, where a port is configured."""
    watch = Watch(club)
    if not config.metrics.port:
        yield watch
        return
    from pbem.adapters.metrics import MetricsServer
    from pbem.run.monitoring import Watched

    seen = Watched(club, config.policy.poll_seconds, config.club.data_dir, watch.trouble)
    watch.club = seen.club
    server = MetricsServer(
        config.metrics.address,
        config.metrics.port,
        seen.pages,
        places=config.metrics.connections,
        silent_seconds=config.metrics.timeout_s,
    )
    server.start()
    try:
        yield watch
    finally:
        server.stop()
