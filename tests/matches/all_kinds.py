"""Competitions of every kind, played at random up to a moment that a test draws."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from pbem.matches.competition import Competition
from pbem.matches.competitions.knock_out import KnockOut
from pbem.matches.competitions.ladder import Ladder
from pbem.matches.competitions.league import League
from pbem.matches.competitions.open_house import OpenHouse
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.series import Series
from pbem.matches.competitions.set import MatchSet
from pbem.matches.competitions.set_league import SetLeague
from pbem.matches.competitions.swiss import Swiss
from pbem.matches.competitions.team_match import TeamMatch
from pbem.matches.match import PlayerId
from pbem.matches.tie_breaks import ALL_MEET
from tests.matches.competing import OPTIONS, START, THREE, TWO, Club

MOST = 60
"""Most matches that end, in kinds without an end."""


def _players(count: int) -> tuple[PlayerId, ...]:
    return tuple(range(1, count + 1))


KINDS: Mapping[str, Callable[[int], Competition]] = {
    "set": lambda _: MatchSet(THREE, _players(3), OPTIONS, START, id=1, number=1),
    "series": lambda n: Series(TWO, _players(2), OPTIONS, START, id=1, number=1, games=n),
    "tournament": lambda n: RoundRobin(
        TWO, _players(n), OPTIONS, START, id=1, number=1, tie_breaks=ALL_MEET, seed=n
    ),
    "tournament without a chain": lambda n: RoundRobin(
        TWO, _players(n), OPTIONS, START, id=1, number=1, double=True, concurrent=True
    ),
    "swiss": lambda n: Swiss(
        TWO, _players(n), OPTIONS, START, id=1, number=1, rounds=min(n - 1, 7), seed=n
    ),
    "knock-out": lambda n: KnockOut(
        TWO,
        _players(n),
        OPTIONS,
        START,
        id=1,
        number=1,
        best_of=1 + n % 3,
        third_place=n % 2 == 0,
        seed=n,
    ),
    "league": lambda n: League(
        TWO, _players(n + 4), OPTIONS, START, id=1, number=1, sizes=(4, n), seed=n
    ),
    "set-league": lambda n: SetLeague(
        THREE, _players(n), OPTIONS, START, id=1, number=1, rounds=1 + n % 4, seed=n
    ),
    "team-match": lambda n: TeamMatch(
        TWO, _players(2 * n), OPTIONS, START, id=1, number=1, teams=("Steel", "Ivory"), double=True
    ),
    "ladder": lambda n: Ladder(TWO, _players(n), OPTIONS, START, id=1, number=1),
    "open-house": lambda n: OpenHouse(TWO, _players(n), OPTIONS, START, id=1, number=1, at_once=2),
}
"""Competitions with about as many players as asked, at least three."""


def played(kind: str, count: int, seed: int, share: float) -> Club[Competition]:
    """Return a competition of which about a share of the matches has ended."""
    rng = random.Random(seed)
    of = KINDS[kind](count)
    if isinstance(of, Ladder) and share:
        of = of.with_challenge(2, 1, ()).with_challenge(count, count - 1, ()) if count > 3 else of
    club: Club[Competition] = Club(of)
    most = MOST if share >= 1 else int(share * min(of.length, MOST))
    for _ in range(most):
        if not club.running:
            break
        match = rng.choice(club.running)
        club.ends(club.index(match), rng.choice((*match.players, None)))
    return club
