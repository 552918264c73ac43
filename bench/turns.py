"""Measure a move at different turns of its match: known to the worker, or not seen before.

On SQLite, and on PostgreSQL if it is installed. The database server's time is only part of the
wall-clock time. `make bench` runs it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial

from sqlalchemy import text

from bench.aims import at_most
from bench.growth import long_matches
from bench.house import House, Servers, servers
from bench.pace import Pace, by_turns, growth, print_paces
from pbem.adapters.db.engine import open_engine, writers
from pbem.cli.logs import log_from
from pbem.matches.match import Match
from pbem.service.positions import Positions
from tests.support.dovecot import missing
from tests.support.postgres import Postgres, running, server_programs

FEW = 20
"""Matches that move."""
ROUNDS = 9
TURNS = (1, 200, 2_000)


Database = Callable[[], AbstractContextManager[str]]
"""Yields the URL of a database for a while. Empty means SQLite in the club's folder."""


def measure(servers: Servers, database: Database, name: str) -> None:
    """Print the cost of a move at turns 1, 200 and 2,000."""
    with database() as url, closing(House(servers, database_url=url)) as house:
        matches = {turns: list(long_matches(house, FEW, turns)) for turns in TURNS}
        known = by_turns({n: partial(house.moves, some) for n, some in matches.items()}, ROUNDS)
        cold = {n: partial(_unseen, house, some) for n, some in matches.items()}
        unseen = by_turns(cold, ROUNDS)
        _delete_snapshots(url or f"sqlite:///{house.database}")
        bare = by_turns(cold, 1, in_vain=0)
    print_paces("turn, known to the worker", known)
    print_paces("turn, not seen before", unseen)
    print_paces("turn, without a snapshot", bare)
    at_most(f"growth with turns, CPU, {name}", growth(known), 1.1)
    at_most(f"growth with turns, cold, CPU, {name}", growth(unseen), 1.1)


def _unseen(house: House, matches: Sequence[Match]) -> Pace:
    """Move with a worker that knows no position. Each round is farther from the snapshots."""
    house.club = replace(house.club, positions=Positions())
    return house.moves(matches)


def _delete_snapshots(url: str) -> None:
    engine = open_engine(url)
    with writers(engine).begin() as connection:
        connection.execute(text("DELETE FROM snapshots"))
    engine.dispose()


@contextmanager
def _new_on(server: Postgres) -> Iterator[str]:
    with server.database() as name:
        yield server.url(name)


def main() -> None:
    """Print the tables."""
    if lacking := missing():
        sys.exit(f"The whole path cannot be measured. {lacking}")
    log_from("error")
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    with servers() as found:
        print("\nSQLite")
        measure(found, lambda: nullcontext(""), "SQLite")
        programs = server_programs()
        if programs is None:
            print("\nPostgreSQL is not installed.")
            return
        print("\nPostgreSQL")
        with running(programs) as server:
            measure(found, lambda: _new_on(server), "PostgreSQL")


if __name__ == "__main__":
    main()
