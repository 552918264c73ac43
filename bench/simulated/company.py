"""Workers of a simulated club: processes on PostgreSQL, which take their jobs from its queue."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.configured import file_of
from bench.crew import Crew, crew
from bench.earnest import cpu_of_server
from bench.ledger import Ledger
from bench.simulated.machine import record
from pbem.config import Config
from pbem.service.club import Club
from pbem.service.ports import ReceivedMail
from pbem.service.work import writing
from tests.support.postgres import Postgres

LOOK_SECONDS = 0.02
"""How often it is looked whether all is done."""
MOST_SECONDS = 120
"""Longer than any hour of a club may take."""


class Company:
    """Processes by what they do. Satisfies `Machine`."""

    def __init__(
        self, club: Club, parts: dict[str, Crew], server: Postgres, ledger: Ledger
    ) -> None:
        self._club = club
        self._parts = parts
        self._server = server
        self._ledger = ledger
        self.counts()

    def counts(self) -> None:
        """What was used until now does not count: to begin takes a process a second or two."""
        self._took_in = 0.0
        self._began = {part: each.cpu() for part, each in self._parts.items()}
        self._server_began = cpu_of_server(self._server)
        self._ledger.counts_statements()

    def take_in(self, mails: list[ReceivedMail]) -> None:
        """As a fetcher records them, in this process."""
        began = time.thread_time()
        record(self._club, mails)
        self._took_in += time.thread_time() - began

    def works(self) -> None:
        """Waits until all that waits is done."""
        end = time.monotonic() + MOST_SECONDS
        while self._ledger.waits:
            assert time.monotonic() < end, "the workers do not come to an end"
            for each in self._parts.values():
                each.require_alive()
            time.sleep(LOOK_SECONDS)

    def sweeps(self) -> None:
        """Has one of them sweep."""
        with writing(self._club) as work:
            work.jobs.enqueue("sweep")
        self.works()

    def publishes(self) -> None:
        """Has it done by who does it, while the rest goes on."""
        if "publish" in self._parts:
            with writing(self._club) as work:
                work.jobs.enqueue("publish")
                work.jobs.enqueue("pages")

    def cpu(self) -> dict[str, float]:
        """Of all of them, and of the server."""
        used = {part: each.cpu() - self._began[part] for part, each in self._parts.items()}
        server = cpu_of_server(self._server) - self._server_began
        return {**used, "intake": self._took_in, "PostgreSQL": server}

    def statements(self) -> dict[str, int]:
        """As the server has counted them."""
        return self._ledger.statements()


@contextmanager
def company(
    club: Club, config: Config, workers: int, server: Postgres, ledger: Ledger
) -> Iterator[Company]:
    """So many that process mail, one that delivers, and one that publishes if that is wanted."""
    wanted = {"process": workers, "deliver": 1, "publish": int(config.site.enabled)}
    folder = config.club.data_dir
    with ExitStack() as stack:
        parts = {
            queue: stack.enter_context(
                crew([_command(config, folder / "clock", queue)] * number, folder / "log")
            )
            for queue, number in wanted.items()
            if number
        }
        yield Company(club, parts, server, ledger)


def _command(config: Config, clock: Path, queues: str) -> tuple[str, ...]:
    program = (sys.executable, "-m", "bench.simulated.worker")
    return (*program, str(file_of(config)), str(clock), queues)
