"""Apart from its games, a club of constant size keeps a constant amount of data for years."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest

from bench.ledger import READER
from bench.simulated.club import lived
from bench.simulated.decade import GAMES, TRACES, years
from pbem.ports.inbound import MailFilter
from pbem.service.work import reading
from tests.support.outside import on_servers
from tests.support.postgres import Postgres

KEPT = timedelta(days=8)
YEARS = 3
"""Each as long as emails are kept. The first one reaches the constant amount."""
WITH_TEXT = "SELECT count(*) FROM outbox WHERE text <> '' AND queued_at < :until"


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Postgres | None:
    """A server with a role that sees everything. None stands for SQLite."""
    if request.param == "sqlite":
        return None
    found: Postgres = request.getfixturevalue("postgres")
    with psycopg.connect(found.url("postgres"), autocommit=True) as connection:
        if not connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [READER]).rowcount:
            connection.execute(f"CREATE ROLE {READER} SUPERUSER LOGIN".encode())
    return found


@pytest.mark.servers
@pytest.mark.parametrize("server", ("sqlite", *on_servers("postgresql")), indirect=True)
def test_data_other_than_games_does_not_grow(server: Postgres | None) -> None:
    with lived(workers=0, seed=6, server=server) as life:
        sizes = list(years(life, 4, YEARS, KEPT, KEPT))
        until = life.clock.now() - KEPT - life.step
        with reading(life.club) as work:
            mails = work.inbound.newest(MailFilter(), 10_000)
        readers, old_letters = life.ledger.places, life.ledger.number(WITH_TEXT, until=until)
    full, last = sizes[0], sizes[-1]
    assert last["actions"].rows > 1.5 * full["actions"].rows
    assert life.handed > 1.5 * len(mails) > 0
    assert all(mail.recorded_at > until for mail in mails)
    # For a running match, the newest email to each player. Its thread goes with the match.
    assert old_letters <= readers
    grown = {
        name: (full[name].rows, size.rows)
        for name, size in last.items()
        if name not in GAMES | TRACES | {"outbox"} and size.rows > 1.5 * full[name].rows + 10
    }
    assert grown == {}
