"""Speed of a move by the turn of its match: known to the worker, and not seen by it before.

On SQLite, and on PostgreSQL where it is installed; the time of its server is in that on the wall
alone. `make bench` runs it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import replace

from sqlalchemy import text

from bench.growth import long_matches
from bench.house import House, Servers, servers
from bench.pace import Pace, middle
from pbem.adapters.db import open_engine
from pbem.adapters.db.engine import writers
from pbem.cli.logs import log_to_stderr
from pbem.matches.match import Match
from pbem.service.positions import Positions
from tests.support.dovecot import missing
from tests.support.postgres import Postgres, running, server_programs

FEW = 20
"""Matches that move."""
ROUNDS = 5
TURNS = (1, 200, 2_000)
AIM = 1.5


Database = Callable[[], AbstractContextManager[str]]
"""Gives the URL of a database for a while; empty: SQLite, in the folder of the club."""


def measure(servers: Servers, database: Database) -> None:
    """Prints the cost of a move at turn 1, 200 and 2,000."""
    known, unseen, bare = {}, {}, {}
    for turns in TURNS:
        with database() as url, closing(House(servers, database_url=url)) as house:
            matches = list(long_matches(house, FEW, turns))
            house.moves(matches)
            # By turns, so that a machine with more to do slows both.
            both = [(house.moves(matches), _unseen(house, matches)) for _ in range(ROUNDS)]
            known[turns], unseen[turns] = map(middle, zip(*both, strict=True))
            _delete_snapshots(url or f"sqlite:///{house.database}")
            bare[turns] = _unseen(house, matches)
    _print("known to the worker", known)
    _print("not seen by it before", unseen)
    _print("nor is there a snapshot", bare)
    long, unseen_long = known[TURNS[-1]], unseen[TURNS[-1]]
    wall, cpu = unseen_long.ms / long.ms, unseen_long.cpu_ms / long.cpu_ms
    print(f"unseen to known, turn {TURNS[-1]:,}: {wall:.2f}, CPU {cpu:.2f} (aim: at most {AIM})")


def _unseen(house: House, matches: Sequence[Match]) -> Pace:
    """By a worker that knows no position; each round is farther from the snapshots."""
    house.club = replace(house.club, positions=Positions())
    return house.moves(matches)


def _delete_snapshots(url: str) -> None:
    engine = open_engine(url)
    with writers(engine).begin() as connection:
        connection.execute(text("DELETE FROM snapshots"))
    engine.dispose()


def _print(what: str, paces: Mapping[int, Pace]) -> None:
    print(f"\n{what:<24}{'moves/s':>12}{'ms a move':>12}{'CPU ms':>12}")
    for turns, pace in paces.items():
        print(f"turn {turns:<19,}{pace.rate:>12.1f}{pace.ms:>12.2f}{pace.cpu_ms:>12.2f}")
    last, *_, first = reversed(paces.values())
    print(f"{'ratio, last to first':<24}{'':>12}{last.ms / first.ms:>12.2f}", end="")
    print(f"{last.cpu_ms / first.cpu_ms:>12.2f}")


@contextmanager
def _new_on(server: Postgres) -> Iterator[str]:
    with server.database() as name:
        yield server.url(name)


def main() -> None:
    """Prints the tables."""
    if lacking := missing():
        sys.exit(f"The whole path cannot be measured. {lacking}")
    log_to_stderr()
    print(f"{os.cpu_count()} processors, {os.getloadavg()[0]:.1f} of them at work before")
    with servers() as found:
        print("\nSQLite")
        measure(found, lambda: nullcontext(""))
        programs = server_programs()
        if programs is None:
            print("\nPostgreSQL is not installed.")
            return
        print("\nPostgreSQL")
        with running(programs) as server:
            measure(found, lambda: _new_on(server))


if __name__ == "__main__":
    main()
