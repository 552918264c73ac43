"""`make simulate`: MEMBERS, MONTHS, WORKERS; without workers one process on SQLite."""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import structlog
from pydantic import SecretStr

from bench.simulated.clock import SharedClock
from bench.simulated.figures import report
from bench.simulated.ledger import Ledger
from bench.simulated.life import BEGINS, Life
from bench.simulated.machine import OneProcess
from bench.simulated.mailroom import Mailroom, open_mailroom
from pbem.adapters.smtp_transport import SmtpSettings, SmtpTransport
from pbem.bootstrap import build_club
from pbem.config import ClubSection, Config

SEED = 14


def main() -> None:
    """Lives, and prints what it cost."""
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--members", type=int, default=50)
    parser.add_argument("--months", type=float, default=1)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--seed", type=int, default=SEED)
    wanted = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, {load:.1f} of them at work before; seed {wanted.seed}\n")
    with open_mailroom() as room, _life(room, random.Random(wanted.seed)) as (life, ledger):
        life.begins(wanted.members)
        began = time.monotonic()
        life.lives(wanted.months)
        report(life, ledger, wanted.months, time.monotonic() - began)


@contextmanager
def _life(room: Mailroom, chance: random.Random) -> Iterator[tuple[Life, Ledger]]:
    with tempfile.TemporaryDirectory(prefix="pbem-simulated-") as home:
        folder = Path(home)
        clock = SharedClock.new(folder / "clock", BEGINS)
        config = _config(folder)
        club = replace(build_club(config), clock=clock)
        transport = SmtpTransport(SmtpSettings("127.0.0.1", room.port, "", "", "none"))
        ledger = Ledger(config.database_url)
        with closing(club.storage), closing(ledger):
            machine = OneProcess(club, transport)
            yield Life(club, clock, machine, room, ledger, chance), ledger


def _config(folder: Path) -> Config:
    section = ClubSection(
        address="club@games.example",
        data_dir=folder,
        secret=SecretStr("not a secret, only long"),
    )
    return Config(club=section)


if __name__ == "__main__":
    main()
