"""Measure turns in matches with plans: with 100 lines that do not fit, and 20 answers in a row.

On SQLite. `make bench` runs it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import NamedTuple

from bench.aims import at_most
from bench.growth import long_matches
from bench.house import House, servers
from bench.pace import Pace, by_turns, growth, middle, print_paces, timed
from pbem.cli.logs import log_from
from pbem.games import game_of
from pbem.mail.outgoing.match_view import MOST_COUNTED
from pbem.matches.match import Match, MatchOptions
from pbem.matches.plans import Plan, PlanLine, Step
from pbem.service.work import Work, reading, writing
from tests.support.dovecot import missing

FEW = 20
"""Matches that move."""
ROUNDS = 9
LINES = 100
CHAIN = 20
"""Answers in a row."""


def lines_that_do_not_fit() -> Iterator[PlanLine]:
    """Yield lines of four turns, none of which is ever played."""
    for number in range(LINES):
        turns = (f"[{number}-{number}]", f"[{number}-A]", f"[{number}-B]", f"[{number}-C]")
        yield tuple(Step(bool(at % 2), (text,)) for at, text in enumerate(turns))


def with_plans(house: House, matches: Sequence[Match]) -> Pace:
    """Move in matches in which the other player has planned answers to other turns."""
    with writing(house.club) as work:
        for each in matches:
            match = work.match(each.id)
            author = next(player for player in match.players if player != match.player_to_act)
            keep(work, match, author, tuple(lines_that_do_not_fit()))
    return house.moves(matches)


def keep(work: Work, match: Match, author: int, lines: tuple[PlanLine, ...]) -> None:
    """Store a plan in place of earlier ones."""
    for plan in work.plans.of_player(author, match.id):
        work.plans.forget(plan)
    work.plans.add(Plan(match.id, author, 1, lines, match.turn, match.actions))


class Lengths(NamedTuple):
    """Times of matches in which plans answer each other, and of the same turns by email."""

    planned: Pace
    by_hand: Pace


def chains(house: House, number: int) -> Lengths:
    """Play the same turns in new matches: by one email each with plans, and by hand."""
    paces = []
    for planned in (True, False):
        matches = [
            house.start(game_of("lancelot"), house.players[2 * at : 2 * at + 2], MatchOptions())
            for at in range(number)
        ]
        house.works()
        if planned:
            with writing(house.club) as work:
                for each in matches:
                    answer_each_other(work, work.match(each.id))
            house.mail_answers(matches)
            paces.append(timed(number * (CHAIN + 1), house.works))
        else:
            rounds = [house.moves(matches) for _ in range(CHAIN + 1)]
            seconds = sum(each.seconds for each in rounds), sum(each.cpu_seconds for each in rounds)
            paces.append(Pace(number * (CHAIN + 1), *seconds))
        with reading(house.club) as work:
            assert all(work.matches.get(each.id).turn == CHAIN + 2 for each in matches)
    return Lengths(*paces)


def answer_each_other(work: Work, match: Match) -> None:
    """Let both players plan the first turns, which are the examples in turn emails."""
    game, position, texts = match.game, match.position, list[str]()
    for _ in range(CHAIN + 1):
        legal = list(islice(game.legal_actions(position), MOST_COUNTED))
        action = legal[position.turn % len(legal)]
        texts.append(game.format(position, action))
        position = game.play(position, action)
    for own, author in enumerate(match.players):
        steps = [Step(at % 2 == own, (text,)) for at, text in enumerate(texts)]
        line = steps[1:] if own == 0 else steps
        work.plans.add(Plan(match.id, author, 1, (tuple(line),), match.turn, 1 - own))


def main() -> None:
    """Print the tables."""
    if lacking := missing():
        sys.exit(f"The whole path cannot be measured. {lacking}")
    log_from("error")
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    with servers() as found, closing(House(found)) as house:
        plain, planned = (list(long_matches(house, FEW, 20)) for _ in range(2))
        paces = by_turns(
            {0: lambda: house.moves(plain), LINES: lambda: with_plans(house, planned)}, ROUNDS
        )
        print_paces("lines of plans", paces)
        at_most("a turn with 100 lines of plans, CPU", growth(paces), 1.2)
        lengths = [chains(house, FEW // 4) for _ in range(3)]
        chain = middle([each.planned for each in lengths])
        by_hand = middle([each.by_hand for each in lengths])
        print_paces("20 answers: planned, by hand", {1: [chain], 2: [by_hand]})
        at_most("20 planned answers, against 20 moves, CPU", chain.cpu_ms / by_hand.cpu_ms, 1)


if __name__ == "__main__":
    main()
