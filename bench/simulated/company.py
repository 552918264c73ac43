"""Workers of a simulated club: processes on PostgreSQL, which take their jobs from its queue."""

from __future__ import annotations

import smtplib
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.configured import file_of
from bench.crew import Crew, crew, until_listening
from bench.earnest import cpu_of_server
from bench.ledger import Ledger
from bench.simulated.people import MAIL_SERVER, Written
from pbem.run.config import Config
from pbem.service.club import Club
from pbem.service.work import writing
from tests.support.postgres import Postgres

LOOK_SECONDS = 0.02
"""Seconds between checks whether everything is done."""
MOST_SECONDS = 600
"""Longer than any hour of a club may take."""


class Company:
    """Processes by their task. Satisfies `Machine`."""

    def __init__(
        self, club: Club, parts: dict[str, Crew], server: Postgres, ledger: Ledger, intake: Path
    ) -> None:
        self._club = club
        self._parts = parts
        self._server = server
        self._ledger = ledger
        self._intake = intake
        self.counts()

    def counts(self) -> None:
        """Reset all counts, because starting takes a process a second or two."""
        self._began = {part: each.cpu() for part, each in self._parts.items()}
        self._server_began = cpu_of_server(self._server)
        self._ledger.counts_statements()

    def take_in(self, mails: Sequence[Written]) -> list[float]:
        """Deliver emails as Postfix does, on one connection."""
        times = []
        with smtplib.LMTP(str(self._intake), local_hostname=MAIL_SERVER) as client:
            for mail in mails:
                client.sendmail(mail.sender, [mail.recipient], mail.raw)
                times.append(time.monotonic())
        return times

    def works(self) -> None:
        """Wait until everything waiting is done."""
        end = time.monotonic() + MOST_SECONDS
        while self._ledger.waits:
            assert time.monotonic() < end, "the workers do not finish"
            for each in self._parts.values():
                each.require_alive()
            time.sleep(LOOK_SECONDS)

    def sweeps(self) -> None:
        """Have one of them sweep, and start and end competitions."""
        with writing(self._club) as work:
            work.jobs.enqueue("sweep")
            work.jobs.enqueue("competitions")
        self.works()

    def publishes(self) -> None:
        """Have the publisher do it, while the others continue."""
        if "publish" in self._parts:
            with writing(self._club) as work:
                work.jobs.enqueue("publish")
                work.jobs.enqueue("pages")

    def cpu(self) -> dict[str, float]:
        """Return the processor time of all of them, and of the server."""
        used = {part: each.cpu() - self._began[part] for part, each in self._parts.items()}
        server = cpu_of_server(self._server) - self._server_began
        return {**used, "PostgreSQL": server}

    def statements(self) -> dict[str, int]:
        """Return the statements as counted by the server."""
        return self._ledger.statements()


@contextmanager
def company(
    club: Club, config: Config, workers: int, server: Postgres, ledger: Ledger
) -> Iterator[Company]:
    """Start this many processors of email, and one process each for other tasks.

    One takes email in, one delivers, and one publishes if there is a site.
    """
    intake = config.lmtp.place.path if config.lmtp else None
    assert intake is not None, "email comes by a socket"
    wanted = {"lmtp": 1, "process": workers, "deliver": 1, "publish": int(config.site.enabled)}
    folder = config.club.data_dir
    with ExitStack() as stack:
        parts = {
            queue: stack.enter_context(
                crew([_command(config, folder / "clock", queue)] * number, folder / "log")
            )
            for queue, number in wanted.items()
            if number
        }
        until_listening(intake)
        yield Company(club, parts, server, ledger, intake)


def _command(config: Config, clock: Path, part: str) -> tuple[str, ...]:
    program = "bench.simulated.intake" if part == "lmtp" else "bench.simulated.worker"
    return (sys.executable, "-m", program, str(file_of(config)), str(clock), part)
