"""Measure a digest of twenty matches against one turn email. `make bench` runs it. On SQLite."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from datetime import timedelta

from bench.aims import at_most
from bench.growth import long_matches
from bench.house import House, servers
from bench.pace import Pace, by_turns, middle, print_paces, timed
from pbem.cli.logs import log_from
from pbem.ports.play import Unseen
from pbem.service.delivery.deliver import deliver
from pbem.service.play.digests import send_due
from pbem.service.play.notices import tell_one
from pbem.service.work import writing
from tests.support.dovecot import missing

MATCHES, ROUNDS = 20, 9


def main() -> None:
    """Print the table."""
    if lacking := missing():
        sys.exit(f"The club has no mailbox. {lacking}")
    log_from("error")
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    with servers() as found, closing(House(found, players=2)) as house:
        matches = list(long_matches(house, MATCHES, 20))
        with writing(house.club) as work:
            reader = work.players.get(matches[0].player_to_act or 0)
            work.players.choose(reader.id, "mails", "digest 07:30")

        def turns() -> Pace:
            def send() -> None:
                for each in matches:
                    with writing(house.club) as work:
                        tell_one(work, work.match(each.id), work.players.get(reader.id))
                deliver(house.club, house.transport)

            return timed(MATCHES, send)

        def digest() -> Pace:
            with writing(house.club) as work:
                for each in matches:
                    news = Unseen(each.id, reader.id, each.turn, work.now, work.now)
                    work.waiting_news.put(news)

            def send() -> None:
                with writing(house.club) as work:
                    sent = send_due(work, reader.id, work.now + timedelta(seconds=1))
                    assert sent == 1
                deliver(house.club, house.transport)

            return timed(1, send)

        paces = by_turns({"turn": turns, "digest": digest}, ROUNDS)
        print_paces("a turn email, and a digest of 20", {1: paces["turn"], 20: paces["digest"]})
        cost = middle(paces["digest"]).cpu_ms / middle(paces["turn"]).cpu_ms
        at_most("a digest of 20 matches, in turn emails of CPU", cost, 5)


if __name__ == "__main__":
    main()
