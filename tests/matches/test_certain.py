"""Certain places: never said too early, and always found if few matches remain."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

from hypothesis import given, settings, strategies as st

from pbem.matches.certain import SEARCHED, TRIED, Race, _bounds, certain
from pbem.matches.competition import Competition
from pbem.matches.competitions.knock_out import KnockOut
from pbem.matches.competitions.league import League
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.swiss import Swiss
from pbem.matches.match import MatchSummary
from pbem.matches.tie_breaks import ALL_MEET
from tests.matches.competing import OPTIONS, START, TWO, Club, begun, won
from tests.support.examples import examples

Found = tuple[set[int], set[int]]


def naive(of: Competition, matches: list[MatchSummary], places: int) -> Found:
    """Play every continuation to its end."""
    ends: list[set[int]] = []
    todo = [matches]
    while todo:
        now = todo.pop()
        running = [match for match in now if match.result is None]
        due = () if running else of.due(now)
        if running:
            rest = [match for match in now if match.result is not None]
            for winners in product((0, 1, None), repeat=len(running)):
                ended = [
                    won(m, None if w is None else m.players[w])
                    for m, w in zip(running, winners, strict=True)
                ]
                todo.append(rest + ended)
        elif due:
            todo.append(now + [begun(of, pairing) for pairing in due])
        else:
            table = of.standing(now)
            first = table.winners if places == 1 else [r.player for r in table.rows[:places]]
            ends.append(set(first))
    return set.intersection(*ends), set(of.players) - set[int]().union(*ends)


def check(of: Competition, matches: list[MatchSummary], places: int, *, exact: bool) -> None:
    found = certain(of, matches, places)
    sure, out = naive(of, matches, places)
    assert set(found.sure) <= sure, "nobody is called sure who is not"
    assert set(found.out) <= out, "nobody is called out who is not"
    if exact:
        assert (set(found.sure), set(found.out)) == (sure, out)


@settings(max_examples=examples(12), deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.integers(1, 2))
def test_round_robins_agree_with_all_continuations(seed: int, old: bool, places: int) -> None:
    rng = random.Random(seed)
    count = rng.choice((3, 4))
    chain = () if old else ALL_MEET
    of = RoundRobin(TWO, tuple(range(1, count + 1)), OPTIONS, START, tie_breaks=chain, seed=3)
    club, left = Club(of), of.length
    for match in club.plays(rng, draws=0.3):
        left -= 1
        if rng.random() < 0.1 and match.place and match.place.round < len(of.rounds):
            club.of = of = of.without(rng.choice(of.players), match.place.round + 1)
        if left and len(club.running) + left < 8:
            check(of, club.stored, places, exact=left <= TRIED)
    check(of, club.stored, places, exact=True)


@settings(max_examples=examples(10), deadline=None)
@given(st.integers(0, 2**32))
def test_bounds_agree_with_all_continuations_on_points(seed: int) -> None:
    """With points alone, the flow and the bounds are exact for first place."""
    rng = random.Random(seed)
    points = {player: rng.randint(0, 6) / 2 for player in range(1, 6)}
    players = list(points)
    left = [tuple(rng.sample(players, 2)) for _ in range(rng.randint(0, 6))]
    race = Race({p: of_half(x) for p, x in points.items()}, [(a, b) for a, b in left])
    found = _bounds(race, 1)
    alone, possible = set(players), set[int]()
    for results in product((0, 1, 2), repeat=len(left)):
        now = dict(points)
        for (a, b), result in zip(left, results, strict=True):
            now[a] += result / 2
            now[b] += 1 - result / 2
        best = [p for p in players if now[p] == max(now.values())]
        possible |= set(best)
        alone &= set(best) if len(best) == 1 else set()
    assert (set(found.sure), set(found.out)) == (alone, set(players) - possible)


def of_half(value: float) -> Fraction:
    return Fraction(int(2 * value), 2)


@settings(max_examples=examples(6), deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 2))
def test_swiss_tournaments_agree_with_all_continuations(seed: int, places: int) -> None:
    rng = random.Random(seed)
    of = Swiss(TWO, (1, 2, 3, 4, 5), OPTIONS, START, rounds=3, seed=seed % 9)
    club = Club(of)
    for match in club.plays(rng):
        assert match.place is not None
        if match.place.round >= 2:
            last = all(m.place is not None and m.place.round == 3 for m in club.running)
            check(of, club.stored, places, exact=last)


def test_knock_out_players_are_out_once_they_have_lost_a_tie() -> None:
    club = Club(KnockOut(TWO, (1, 2, 3, 4), OPTIONS, START, third_place=True))
    club.ends(1, 4)
    assert certain(club.of, club.stored).out == (1,)
    club.ends(2, 2)
    club.ends(4, 4)
    found = certain(club.of, club.stored)
    assert (found.sure, set(found.out)) == ((4,), {1, 2, 3}), "before the match for third place"


def test_league_shows_places_in_its_highest_division() -> None:
    club = Club(League(TWO, tuple(range(1, 8)), OPTIONS, START, sizes=(3, 4), concurrent=True))
    for index in (1, 2):
        club.ends(index, max(club.matches[index].players))
    assert set(certain(club.of, club.stored).sure) | {1, 2, 3} == {1, 2, 3}
    assert not set(certain(club.of, club.stored).out) & {4, 5, 6, 7}


def test_large_fields_are_decided_by_bounds() -> None:
    players = tuple(range(1, SEARCHED + 3))
    race = Race(dict.fromkeys(players, Fraction()) | {1: Fraction(9)}, [(2, 3)], Fraction(4))
    found = _bounds(race, 1)
    assert (found.sure, found.out) == ((1,), players[1:])
