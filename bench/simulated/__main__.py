"""`make simulate`: a club lives through months; see the options for who works for it."""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import structlog

from bench.configured import configured
from bench.earnest import postgresql
from bench.ledger import Ledger
from bench.simulated.clock import SharedClock
from bench.simulated.company import company
from bench.simulated.figures import report
from bench.simulated.life import BEGINS, Life
from bench.simulated.machine import Machine, OneProcess
from bench.simulated.mailroom import Mailroom, open_mailroom
from pbem.adapters.smtp_transport import SmtpTransport
from pbem.bootstrap import build_club, servers_of

SEED = 14
ERRORS_ALONE = 40


def main() -> None:
    """Lives, and prints what it cost."""
    wanted = _options().parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(ERRORS_ALONE))
    print(f"{os.cpu_count()} processors, {os.getloadavg()[0]:.1f} of them at work before")
    print(", ".join(f"{name} {value}" for name, value in vars(wanted).items()), end="\n\n")
    with open_mailroom() as room, _life(room, wanted) as life:
        life.begins(wanted.members)
        began = time.monotonic()
        life.lives(wanted.months)
        report(life, wanted.months, time.monotonic() - began)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--members", type=int, default=50)
    parser.add_argument("--months", type=float, default=1)
    parser.add_argument(
        "--workers", type=int, default=2, help="on PostgreSQL; 0: one process on SQLite"
    )
    parser.add_argument("--site", action="store_true", help="the reading room is written, too")
    parser.add_argument("--seed", type=int, default=SEED)
    return parser


@contextmanager
def _life(room: Mailroom, wanted: argparse.Namespace) -> Iterator[Life]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pbem-simulated-")))
        server, url = None, ""
        if wanted.workers:
            server = stack.enter_context(postgresql())
            url = server.url(stack.enter_context(server.database()))
        config = configured(folder, room.port, url, site=wanted.site)
        clock = SharedClock.new(folder / "clock", BEGINS)
        club = replace(build_club(config), clock=clock, witness=clock)
        stack.enter_context(closing(club.storage))
        ledger = stack.enter_context(closing(Ledger(config.database_url)))
        machine: Machine = OneProcess(club, SmtpTransport(servers_of(config).smtp))
        if server is not None:
            machine = stack.enter_context(company(club, config, wanted.workers, server, ledger))
        yield Life(club, clock, machine, room, ledger, random.Random(wanted.seed))


if __name__ == "__main__":
    main()
