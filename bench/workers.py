"""Measure moves per second with 1, 2 and 4 workers on PostgreSQL, and one process on SQLite.

Both databases commit to disk. The moves are recorded first, in one transaction. The measurement
starts there and ends at the SMTP server: moves are judged and played, and their emails are sent.
`make bench` runs it.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.aims import at_least, at_most
from bench.configured import configured, file_of
from bench.crew import PBEM, Crew, crew
from bench.earnest import cpu_of_server, postgresql
from bench.hall import Hall
from bench.ledger import Ledger
from bench.pace import Pace, middle, timed
from bench.sink import sink
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.cli.logs import log_from
from pbem.inbox.pending import process_pending
from pbem.run.bootstrap.club import build_club
from pbem.run.bootstrap.servers import servers_of
from pbem.run.config import Config
from pbem.service.delivery.deliver import deliver
from tests.support.postgres import Postgres

MATCHES = 100
ROUNDS = 4
CREWS = (1, 2, 4)
QUEUES = "process,deliver"
LOOK_SECONDS = 0.01
"""Seconds between checks whether everything is done."""
MOST_SECONDS = 120


class Cost(NamedTuple):
    """Moves, and which process spent how much time on them."""

    pace: Pace
    """With pbem's own processor time."""
    server_ms: float
    """Processor time of the database server per move."""

    @property
    def cpu_ms(self) -> float:
        """Both together."""
        return self.pace.cpu_ms + self.server_ms


def on_sqlite(port: int) -> Cost:
    """Run the whole club in this process."""
    with _config(port, "") as config, closing((club := build_club(config)).storage):
        transport = SmtpTransport(servers_of(config).smtp)

        def works() -> None:
            process_pending(club)
            deliver(club, transport)

        hall = Hall(club)
        hall.begins(MATCHES)
        works()
        paces = []
        for _ in range(ROUNDS):
            hall.records_answers()
            paces.append(timed(MATCHES, works))
            hall.require_played()
    return Cost(middle(paces[1:]), 0.0)


def with_workers(port: int, server: Postgres, number: int) -> Cost:
    """Run worker processes on a database of their own."""
    with (
        server.database() as name,
        _config(port, server.url(name)) as config,
        closing((club := build_club(config)).storage),
        closing(Ledger(config.database_url)) as ledger,
    ):
        folder = config.club.data_dir
        command = (*PBEM, "worker", "--config", str(file_of(config)), "--queues", QUEUES)
        hall = Hall(club)
        hall.begins(MATCHES)
        with crew([(*command, "--concurrency", "1")] * number, folder / "log") as workers:
            _until_done(ledger, workers)
            rounds = [_round(hall, ledger, workers, server) for _ in range(ROUNDS)]
    pace = middle([cost.pace for cost in rounds[1:]])
    return Cost(pace, median(cost.server_ms for cost in rounds[1:]))


def _round(hall: Hall, ledger: Ledger, workers: Crew, server: Postgres) -> Cost:
    """Play one move in each match."""
    before, server_before = workers.cpu(), cpu_of_server(server)
    began = hall.records_answers()
    _until_done(ledger, workers)
    seconds = time.monotonic() - began
    pace = Pace(MATCHES, seconds, workers.cpu() - before)
    server_ms = 1000 * (cpu_of_server(server) - server_before) / MATCHES
    hall.require_played()
    return Cost(pace, server_ms)


def _until_done(ledger: Ledger, workers: Crew) -> None:
    end = time.monotonic() + MOST_SECONDS
    while ledger.waits:
        assert time.monotonic() < end, "the workers do not finish"
        workers.require_alive()
        time.sleep(LOOK_SECONDS)


@contextmanager
def _config(port: int, url: str) -> Iterator[Config]:
    """Configure a club in its own folder."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as home:
        yield configured(Path(home), port, url)


def main() -> None:
    """Print the table."""
    log_from("error")
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    print(f"a write to disk takes {1000 * _commit_seconds():.1f} ms\n")
    print(f"{'':<26}{'moves/s':>10}{'ms/move':>12}{'pbem CPU ms':>14}{'server CPU ms':>16}")
    with sink() as port:
        alone = on_sqlite(port)
        _print("SQLite, one process", alone)
        with postgresql() as server:
            costs = {number: with_workers(port, server, number) for number in CREWS}
    for number, cost in costs.items():
        _print(f"PostgreSQL, workers: {number}", cost)
    ratio = costs[2].pace.rate / costs[1].pace.rate
    most = 1000 * (os.cpu_count() or 1) / costs[2].cpu_ms
    at_least("rate, two workers to one", ratio, 1.7)
    dearer = costs[1].cpu_ms / alone.cpu_ms
    at_most("a move by one worker on PostgreSQL to SQLite, CPU", dearer, 1.4)
    print(f"{'limit of the processors':<26}{most:>10.1f}    if nothing else runs")


def _print(name: str, cost: Cost) -> None:
    pace = cost.pace
    told = f"{pace.rate:>10.1f}{pace.ms:>12.2f}{pace.cpu_ms:>14.2f}{cost.server_ms:>16.2f}"
    print(f"{name:<26}{told}")


def _commit_seconds() -> float:
    """Return the seconds until some bytes are on disk."""
    with tempfile.NamedTemporaryFile() as file:
        began = time.perf_counter()
        for _ in range(_WRITES):
            file.write(bytes(8192))
            file.flush()
            os.fdatasync(file.fileno())
        return (time.perf_counter() - began) / _WRITES


_WRITES = 50


if __name__ == "__main__":
    main()
