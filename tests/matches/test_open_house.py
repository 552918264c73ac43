"""Open houses: free players meet, and the same two meet again only when it cannot be avoided."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

from hypothesis import given, settings, strategies as st

from pbem.matches.competitions.open_house import OpenHouse
from tests.matches.competing import OPTIONS, START, TWO, Club, again, played, result
from tests.support.examples import examples


def open_house(count: int, **terms: Any) -> OpenHouse:
    return OpenHouse(TWO, tuple(range(1, count + 1)), OPTIONS, START, id=9, number=9, **terms)


def test_players_wait_rather_than_meet_again() -> None:
    club = Club(open_house(4))
    first, second = (set(pair) for pair in played(club.stored))
    club.ends(1, None)
    assert [set(pair) for pair in played(club.running)] == [second], "two who have met wait"
    club.ends(2, None)
    assert all(len(set(pair) & first) == 1 for pair in played(club.running))


def test_two_players_meet_again_with_the_first_move_reversed() -> None:
    club = Club(open_house(2))
    for index in (1, 2, 3):
        club.ends(index, 1)
    first, second, third, fourth = played(club.stored)
    assert (first, third) == (second[::-1], fourth[::-1])


@settings(max_examples=examples(8), deadline=None)
@given(st.integers(2, 20), st.integers(1, 3), st.integers(0, 2**32))
def test_random_open_houses(count: int, at_once: int, seed: int) -> None:
    rng = random.Random(seed)
    club = Club(open_house(count, at_once=at_once, seed=seed % 40))
    for turn in range(40):
        assert club.running, "somebody can always play"
        running = Counter(player for match in club.running for player in match.players)
        assert max(running.values()) <= at_once
        met = Counter(frozenset(pair) for pair in played(club.stored))
        here = [
            p for n, p in enumerate(club.of.players, 1) if str(n) not in club.of.entries.withdrawn
        ]
        free = [p for p in here if not running[p]]
        assert all(met[frozenset(pair)] for pair in combinations(free, 2)), "new pairs don't wait"
        match = rng.choice(club.running)
        before = set(club.matches)
        club.ends(club.index(match), result(match, rng))
        for index in sorted(set(club.matches) - before):
            one, other = club.matches[index].players
            times = met[frozenset((one, other))]
            assert all(met[frozenset((one, p))] >= times for p in here if p != one)
            assert all(met[frozenset((other, p))] >= times for p in here if p != other)
            met[frozenset((one, other))] += 1
        if turn == 20:
            club.of = club.of.with_late_entry(99, 1)
            club.begins()
        if turn == 30 and count > 3:
            club.of = club.of.without(1, 1)
    club.of = replace(club.of, closed=True)
    while club.running:
        club.ends(club.index(club.running[0]), None)
    standing = club.of.standing(club.stored)
    assert (standing.over, standing.winners) == (True, (standing.rows[0].player,))
    points = Counter[int]()
    for match in club.stored:
        assert match.result is not None
        for player in match.players:
            points[player] += 2 if match.sole_winner == player else not match.result.winners
    assert {row.player: 2 * row.points for row in standing.rows} == {
        player: points[player] for player in club.of.players
    }
    assert again(club.of) == club.of
