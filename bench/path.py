"""Measure the whole path of a move from IMAP to SMTP, next to the bare cost in the same run.

`make bench` runs it.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from itertools import cycle, islice
from time import process_time

from bench.aims import at_least, at_most
from bench.bare import Bare
from bench.growth import fill
from bench.house import House, Servers, servers
from bench.pace import Pace, by_turns, growth, middle, print_paces, timed
from bench.stages import Stages
from pbem.cli.logs import log_from
from pbem.games import games
from pbem.mail.outgoing.letter import PICTURE_WIDTH
from pbem.matches.match import Match, MatchOptions
from pbem.painters.examples import example
from pbem.painters.svg import png, svg
from tests.support.dovecot import missing

MATCHES = 200
ROUNDS = 3
FEW = 20
"""Matches that move while something else grows."""
OTHERS = (10, 1_000, 100_000)
GROWTH_ROUNDS = 15


def begun(house: House, number: int) -> Iterator[Match]:
    """Start matches of all games and numbers of players, and send their first emails."""
    kinds = cycle([(game, count) for game in games() for count in game.info.holders])
    people = cycle(house.players)
    for game, count in islice(kinds, number):
        players = list(islice(people, count))
        yield house.start(game, players, MatchOptions())
    house.works()


def compare(servers: Servers) -> None:
    """Print moves per second of the whole path and the bare cost, in alternating rounds."""
    with closing(House(servers)) as house, closing(Bare(house)) as bare:
        matches = list(begun(house, MATCHES))
        paces, bares = [], []
        for _ in range(ROUNDS):
            paces.append(house.moves(matches))
            uids, letters = bare.newest(MATCHES, house.sent)
            bares.append(timed(MATCHES, partial(bare.handle, uids, letters)))
        _print_comparison(middle(paces), middle(bares), house.sent / MATCHES)
        house.mail_answers(matches)
        stages = Stages()
        with stages.on():
            house.works()
        _print_stages(stages)


def _print_comparison(path: Pace, bare: Pace, mails: float) -> None:
    print(f"{'':<24}{'moves/s':>12}{'ms/move':>12}{'CPU ms':>12}")
    for name, pace in (("whole path", path), ("bare cost", bare)):
        print(f"{name:<24}{pace.rate:>12.1f}{pace.ms:>12.2f}{pace.cpu_ms:>12.2f}")
    print(f"{'emails sent per move':<24}{mails:>12.1f}")
    at_least("whole path to bare cost, rates", path.rate / bare.rate, 0.25)
    at_most("ms CPU per move", path.cpu_ms, 5)


def _print_stages(stages: Stages) -> None:
    print("\nProcessor time by part, ms per move, including the stopwatches")
    for part, seconds in sorted(stages.seconds.items(), key=lambda item: -item[1]):
        print(f"  {part:<30}{1000 * seconds / MATCHES:>8.2f}")
    database = sum(seconds for part, seconds in stages.seconds.items() if "database" in part)
    at_most("SQL statements per move", stages.statements / MATCHES, 12)
    at_most("database ms CPU per move, with stopwatches", 1000 * database / MATCHES, 1.5)


def matches_grow(servers: Servers) -> None:
    """Print the cost of a move next to 10, 1,000 and 100,000 other matches."""
    with ExitStack() as clubs:
        works = {}
        for number in OTHERS:
            house = clubs.enter_context(closing(House(servers)))
            fill(house, number)
            works[number] = partial(house.moves, list(begun(house, FEW)))
        paces = by_turns(works, GROWTH_ROUNDS)
    print_paces("matches in the database", paces)
    at_most("growth with matches, CPU", growth(paces), 1.2)


def pictures() -> None:
    """Print the cost of drawing a board as a picture, for each game at its start."""
    print("\nPicture of a board, for each email to a member who has not chosen letters")
    print(f"{'':<24}{'CPU ms':>12}{'KiB':>12}")
    for game in games():
        drawn = svg(example(game), game.info.title)
        began = process_time()
        for _ in range(ROUNDS):
            found = png(drawn, PICTURE_WIDTH)
        ms = 1000 * (process_time() - began) / ROUNDS
        print(f"{game.info.title:<24}{ms:>12.1f}{len(found) / 1024:>12.0f}")


def _peak_mib() -> float:
    """Return the peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print the tables."""
    if lacking := missing():
        sys.exit(f"The whole path cannot be measured. {lacking}")
    log_from("error")
    # An overloaded machine slows down computing, but hardly waiting.
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}\n")
    with servers() as found:
        idle = _peak_mib()
        compare(found)
        print(f"\npeak memory: {_peak_mib():.0f} MiB; {idle:.0f} before the first email")
        matches_grow(found)
    pictures()


if __name__ == "__main__":
    main()
