"""Measure a move of chess by email next to one of Lanko.

`make bench` runs it in the environment that has pbem-chess.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial

from bench.aims import at_most
from bench.house import House, servers
from bench.pace import Pace, by_turns, growth, middle
from pbem.cli.logs import log_from
from pbem.games import game_of
from pbem.matches.match import Match, MatchOptions
from tests.support.dovecot import missing

GAMES = ("lanko-88", "chess")
MATCHES, ROUNDS = 40, 9


def begun(house: House, key: str) -> Sequence[Match]:
    """Start matches of a game for two, and send their first emails."""
    pairs = (house.players[2 * number : 2 * number + 2] for number in range(MATCHES))
    matches = [house.start(game_of(key), pair, MatchOptions()) for pair in pairs]
    house.works()
    return matches


def main() -> None:
    """Print both costs."""
    if lacking := missing():
        sys.exit(f"Moves by email cannot be measured. {lacking}")
    log_from("error")
    with servers() as found, closing(House(found)) as house:
        paces = by_turns({key: partial(house.moves, begun(house, key)) for key in GAMES}, ROUNDS)
    print(f"\n{'a move by email':<24}{'moves/s':>12}{'ms/move':>12}{'CPU ms':>12}")
    for key, rounds in paces.items():
        print(_line(key, middle(rounds)))
    at_most("chess to Lanko, CPU per move by email", growth(paces), 1.1)


def _line(key: str, pace: Pace) -> str:
    return f"{key:<24}{pace.rate:>12.1f}{pace.ms:>12.2f}{pace.cpu_ms:>12.2f}"


if __name__ == "__main__":
    main()
