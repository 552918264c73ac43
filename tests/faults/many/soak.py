"""Random faults for as long as you like: python -m tests.faults.many.soak SECONDS [SEED]

Each club lives for some days. Then the emails its players got are judged, and another club starts.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.migrate import upgrade
from tests.faults.many.faults import (
    Fault,
    database_cut,
    gone,
    imap,
    killed,
    nothing,
    postgresql_restarts,
    smtp,
    together,
)
from tests.faults.many.town import FETCHERS, WORKERS, Town
from tests.faults.verdict import judge, judge_order
from tests.support import dovecot
from tests.support.certificates import made_in
from tests.support.postgres import running, server_programs
from tests.support.relay import LOST, UNANSWERED

DAYS = 12
MOST_STATEMENTS = 250
EVERYBODY = (*WORKERS, *FETCHERS)
Draw = Callable[[random.Random], Fault]

DRAWS: dict[str, Draw] = {
    "nothing": lambda chance: nothing,
    "killed": lambda chance: killed(chance.choice(EVERYBODY), _statements(chance)),
    # One fetcher and one worker stay alive. Otherwise nobody would do the expected work.
    "gone": lambda chance: gone(chance.choice((FETCHERS[0], *WORKERS[1:]))),
    "cut off": lambda chance: database_cut(chance.choice(EVERYBODY), 20 + _statements(chance)),
    "restart": lambda chance: postgresql_restarts(_statements(chance)),
    "imap": lambda chance: imap(
        chance.choice(("SELECT", "SEARCH", "FETCH", "MOVE")),
        chance.choice((LOST, UNANSWERED)),
        chance.randint(1, 3),
    ),
    "smtp": lambda chance: smtp(
        chance.choice(("EHLO", "MAIL", "RCPT", "DATA", ".")),
        chance.choice((LOST, UNANSWERED)),
        chance.randint(1, 6),
    ),
}


def _statements(chance: random.Random) -> int:
    """Return a number of statements, mostly small, since starting is the most delicate part."""
    return int(MOST_STATEMENTS ** chance.random())


def main(seconds: float, seed: int) -> None:
    """Raises AssertionError for anything a player would notice. The seed is printed above it."""
    end, programs = time.monotonic() + seconds, server_programs()
    assert programs is not None, "PostgreSQL is not installed"
    with ExitStack() as servers:
        home = Path(servers.enter_context(tempfile.TemporaryDirectory(prefix="pbem-faults-")))
        imap_server = servers.enter_context(dovecot.running(made_in(home)))
        postgres = servers.enter_context(running(programs))
        for number in count(seed):
            if time.monotonic() > end:
                return
            folder = home / str(number)
            folder.mkdir()
            with postgres.database() as name:
                engine = open_engine(postgres.url(name))
                upgrade(engine)
                engine.dispose()
                with Town(imap_server, postgres, name, f"club-{number}.example", folder) as town:
                    _lives(town, number)


def _lives(town: Town, seed: int) -> None:
    chance, told = random.Random(seed), list[str]()
    print(f"club {seed}:", end=" ", flush=True)
    for _ in range(DAYS):
        names = chance.choices(tuple(DRAWS), k=chance.randint(1, 4))
        told.append("+".join(names))
        print(told[-1], end=" ", flush=True)
        with together(*(DRAWS[name](chance) for name in names))(town):
            if not town.a_day():
                town.crew.tell_what_they_do()
                time.sleep(1)  # nobody says when they have
                for log in sorted(town.home.glob("*.log")):
                    print(log.stem, log.read_text()[-12000:], sep="\n")
                raise AssertionError(seed, told, town.left())
    town.settles()
    judge(town)
    judge_order(town)
    print(f"{town.crew.deaths.total()} deaths, {len(town.taken)} mails", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time()) % 100_000)
