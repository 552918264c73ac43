"""A simulated club with everything it needs, which ends with it."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

from bench.configured import configured
from bench.earnest import postgresql
from bench.ledger import Ledger
from bench.simulated.clock import SharedClock
from bench.simulated.company import company
from bench.simulated.life import BEGINS, Life
from bench.simulated.machine import Machine, OneProcess
from bench.simulated.mailroom import open_mailroom
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.run.bootstrap.club import build_club
from pbem.run.bootstrap.servers import servers_of
from tests.support.postgres import Postgres


@contextmanager
def lived(
    workers: int, seed: int, *, site: bool = False, server: Postgres | None = None
) -> Iterator[Life]:
    """Run a club on PostgreSQL with this many workers, or with none, as one process on SQLite.

    A given server replaces the database of either.
    """
    with ExitStack() as stack:
        room = stack.enter_context(open_mailroom())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbem-simulated-")))
        url = ""
        if workers and server is None:
            server = stack.enter_context(postgresql())
        if server is not None:
            url = server.url(stack.enter_context(server.database()))
        config = configured(folder, room.port, url, site=site, jobs=workers > 0)
        clock = SharedClock.new(folder / "clock", BEGINS)
        club = replace(build_club(config), clock=clock, witness=clock)
        stack.enter_context(closing(club.storage))
        ledger = stack.enter_context(closing(Ledger(config.database_url)))
        machine: Machine
        if server is None or not workers:
            transport = SmtpTransport(servers_of(config).smtp)
            machine = stack.enter_context(closing(OneProcess(club, transport)))
        else:
            machine = stack.enter_context(company(club, config, workers, server, ledger))
        yield Life(club, clock, machine, room, ledger, random.Random(seed))
