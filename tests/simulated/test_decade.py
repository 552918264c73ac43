"""Apart from its games, a club of constant size keeps a constant amount of data for years."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bench.simulated.club import lived
from bench.simulated.decade import GAMES, TRACES, years
from pbem.ports.inbound import MailFilter
from pbem.service.work import reading

KEPT = timedelta(days=8)
YEARS = 3
"""Each as long as emails are kept. The first one reaches the constant amount."""
WITH_TEXT = "SELECT count(*) FROM outbox WHERE text <> '' AND queued_at < :until"


@pytest.mark.servers
def test_data_other_than_games_does_not_grow() -> None:
    with lived(workers=0, seed=6) as life:
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
