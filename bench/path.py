"""Speed of the whole path: a move from IMAP to SMTP, next to the bare cost in the same run.

`make bench` runs it.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import cycle, islice

from bench.bare import Bare
from bench.growth import fill
from bench.house import House, Servers, servers
from bench.pace import Pace, middle, timed
from bench.stages import Stages
from pbem.games import GAMES
from pbem.matches.match import Match, MatchOptions
from tests.support.dovecot import missing

MATCHES = 200
ROUNDS = 3
FEW = 20
"""Matches that move while something else grows."""
OTHERS = (10, 1_000, 100_000)


def begun(house: House, number: int) -> Iterator[Match]:
    """Matches of all games for all numbers of players, their first mails sent."""
    kinds = cycle([(game, count) for game in GAMES for count in game.info.holders])
    people = cycle(house.players)
    for game, count in islice(kinds, number):
        players = list(islice(people, count))
        yield house.start(game, players, MatchOptions())
    house.works()


def compare(servers: Servers) -> None:
    """Prints moves a second of the whole path and of the bare cost, by turns."""
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
    print(f"{'':<24}{'moves/s':>12}{'ms a move':>12}{'CPU ms':>12}")
    for name, pace in (("whole path", path), ("bare cost", bare)):
        print(f"{name:<24}{pace.rate:>12.1f}{pace.ms:>12.2f}{pace.cpu_ms:>12.2f}")
    ratio = path.rate / bare.rate
    print(f"{'ratio of rates':<24}{ratio:>12.2f}    (aim: 0.5; {mails:.1f} mails sent a move)")


def _print_stages(stages: Stages) -> None:
    print("\nWhere the processor's time goes, ms a move, with the watches' own")
    for part, seconds in sorted(stages.seconds.items(), key=lambda item: -item[1]):
        print(f"  {part:<30}{1000 * seconds / MATCHES:>8.2f}")
    print(f"  {'SQL statements a move':<30}{stages.statements / MATCHES:>8.1f}")


def matches_grow(servers: Servers) -> None:
    """Prints the cost of a move beside 10, 1,000 and 100,000 other matches."""
    paces = {}
    for number in OTHERS:
        with closing(House(servers)) as house:
            fill(house, number)
            paces[number] = _settled(house, list(begun(house, FEW)))
    _print_growth("matches in the database", paces)


def _settled(house: House, matches: list[Match]) -> Pace:
    """Pace of the matches once everything has been used before."""
    house.moves(matches)
    return middle([house.moves(matches) for _ in range(ROUNDS)])


def _print_growth(what: str, paces: dict[int, Pace]) -> None:
    print(f"\n{what:<24}{'moves/s':>12}{'ms a move':>12}{'CPU ms':>12}")
    for number, pace in paces.items():
        print(f"{number:<24,}{pace.rate:>12.1f}{pace.ms:>12.2f}{pace.cpu_ms:>12.2f}")
    last, *_, first = reversed(paces.values())
    print(f"{'ratio, last to first':<24}{'':>12}{last.ms / first.ms:>12.2f}", end="")
    print(f"{last.cpu_ms / first.cpu_ms:>12.2f}")


def _peak_mib() -> float:
    """Most memory this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Prints the tables."""
    if lacking := missing():
        sys.exit(f"The whole path cannot be measured. {lacking}")
    # A machine with more to do than processors slows what thinks, and hardly what waits.
    print(f"{os.cpu_count()} processors, {os.getloadavg()[0]:.1f} of them at work before\n")
    with servers() as found:
        idle = _peak_mib()
        compare(found)
        print(f"\npeak memory: {_peak_mib():.0f} MiB; {idle:.0f} before the first mail")
        matches_grow(found)


if __name__ == "__main__":
    main()
