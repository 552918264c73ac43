"""Three workers and two fetchers on PostgreSQL, any of them killed and cut off on a day.

The players' mailboxes and the database are judged. No email is lost or doubled (the same Message-ID
twice is one email), and none is handled before an earlier one by its sender. `make faults` does
this at random, for as long as you like.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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
from tests.support.dovecot import Dovecot
from tests.support.postgres import Postgres, running
from tests.support.relay import LOST, UNANSWERED

A, B, C = WORKERS
F, G = FETCHERS

KILLS = tuple(
    together(*(killed(name, each) for name, each in zip((*WORKERS, *FETCHERS), ns, strict=True)))
    for ns in (
        # after which statement of each worker and of each fetcher
        (1, 40, 97, 3, 19),
        (9, 61, 13, 13, 8),
        (17, 23, 29, 34, 31),
    )
)

FAULTS: tuple[tuple[str, Fault], ...] = (
    ("nothing", nothing),
    *((f"killed {number}", kill) for number, kill in enumerate(KILLS)),
    ("the first fetcher is gone", gone(F)),
    ("the second fetcher is gone", gone(G)),
    ("two workers are gone", together(gone(A), gone(C))),
    ("PostgreSQL is cut off from a worker", database_cut(A, 50)),
    ("PostgreSQL is cut off from all", together(*(database_cut(each, 90) for each in WORKERS))),
    ("PostgreSQL is cut off from the fetchers", together(database_cut(F, 9), database_cut(G, 9))),
    ("PostgreSQL restarts", postgresql_restarts(60)),
    ("IMAP is cut off before it hears FETCH", imap("FETCH", LOST)),
    ("IMAP is cut off when it has done MOVE", imap("MOVE", UNANSWERED)),
    ("SMTP is cut off before a mail", smtp("DATA", LOST, 2)),
    ("SMTP is cut off when it has taken a mail", smtp(".", UNANSWERED, 2)),
    ("killed while PostgreSQL restarts", together(killed(B, 70), postgresql_restarts(80))),
)


@pytest.fixture
def own_postgres(postgres: Postgres) -> Iterator[Postgres]:
    """A server that may be restarted."""
    with running(postgres.programs) as server:
        yield server


@pytest.fixture
def town(dovecot: Dovecot, own_postgres: Postgres, domain: str, tmp_path: Path) -> Iterator[Town]:
    with own_postgres.database() as name:
        engine = open_engine(own_postgres.url(name))
        upgrade(engine)
        engine.dispose()
        with Town(dovecot, own_postgres, name, domain, tmp_path) as town:
            yield town


@pytest.mark.timeout(600)
def test_nothing_is_lost_doubled_or_out_of_order(town: Town) -> None:
    for name, fault in FAULTS:
        with fault(town):
            assert town.a_day(), f"{name}: not all has come; {town.left()}"
    town.settles()
    judge(town)
    judge_order(town)
    assert all(town.crew.deaths[name] > 1 for name in (*WORKERS, *FETCHERS))
