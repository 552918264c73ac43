"""Monitoring: show a process's metrics and health over HTTP."""

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
from pbem.service.problems import CLUB_CONTINUES, problems_of
from pbem.service.status import Status, status_of

log = get_logger(__name__)

FRESH_SECONDS: Final = 10.0
"""A status is reused for this long, so that frequent requests don't load the database."""


class Watched:
    """A monitored process of a club: its counters and its pages."""

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
        """The same club, with its work counted."""
        self._unwell = unwell
        """Returns what is stuck in this process, in words. Empty if all is well."""
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
            yield from numbers_of(look.value, problems_of(look.value, self._poll_seconds))

    def _health(self) -> HttpPage:
        """Return whether this process works. It says nothing about the rest of the world."""
        trouble = self._unwell()
        status = HTTPStatus.SERVICE_UNAVAILABLE if trouble else HTTPStatus.OK
        return HttpPage(f"{trouble or 'ok'}\n".encode(), status=status)

    def _readiness(self) -> HttpPage:
        """Return whether the club receives email, plays and answers, as seen from here."""
        troubles = list(self._troubles())
        told = json.dumps({"ready": not troubles, "troubles": troubles}, indent=2)
        status = HTTPStatus.SERVICE_UNAVAILABLE if troubles else HTTPStatus.OK
        return HttpPage(f"{told}\n".encode(), "application/json", status)

    def _troubles(self) -> Iterator[str]:
        found = self._status.look().value
        if trouble := self._unwell():
            yield trouble
        if isinstance(found, Status):
            found_troubles = problems_of(found, self._poll_seconds)
            # The others are for `pbem status` and the metrics.
            yield from (str(each) for each in found_troubles if each.part not in CLUB_CONTINUES)
        else:
            yield found
        for server in self._exposition.meter.lost:
            yield f"{server} could not be reached"


def _status_or_trouble(club: Club) -> Status | str:
    """Return the status of the club, or that it is unknown.

    The reason is only logged: a server's error names its host and account, and this is public.
    """
    try:
        return status_of(club)
    except StorageUnavailable as error:
        log.warning("the status of the club is unknown", error=str(error))
        return "the database cannot be read; see the log"


class Watch:
    """The parts of a process that are monitored."""

    def __init__(self, club: Club) -> None:
        self.club = club
        """The club. If a port is configured, its work is counted."""
        self.unwell: Callable[[], str] = lambda: ""
        """Returns what is stuck in the process, in words. Empty if all is well."""

    def trouble(self) -> str:
        """Return what is stuck now."""
        return self.unwell()


@contextmanager
def monitored(config: Config, club: Club) -> Iterator[Watch]:
    """Show the process's metrics during the block, if a port is configured."""
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
