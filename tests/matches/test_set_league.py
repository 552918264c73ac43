"""Leagues of sets: designs, schedules that are as even as they can, players who come and go."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from pbem.games.api import OptionError
from pbem.matches.competitions.set_league import SetLeague
from pbem.matches.triples import Round, design, evenness, schedule, usual_rounds
from tests.matches.competing import OPTIONS, START, THREE, TWO, Club, again
from tests.support.examples import examples


def league(count: int, **terms: Any) -> SetLeague:
    players = tuple(range(101, 101 + count))
    return SetLeague(THREE, players, OPTIONS, START, id=8, number=8, **terms)


def meetings(rounds: tuple[Round, ...], players: int) -> set[int]:
    """Return how often two players meet, for all pairs."""
    met = Counter(pair for each in rounds for three in each for pair in combinations(three, 2))
    return {met[pair] for pair in combinations(range(1, players + 1), 2)}


@pytest.mark.parametrize("players", (3, 9, 15, 21, 27, 39))
def test_kirkman_systems_seat_everybody_with_everybody_once(players: int) -> None:
    rounds = design(players)
    assert len(rounds) == (players - 1) // 2 or players == 3
    everybody = list(range(1, players + 1))
    assert all(sorted(p for three in each for p in three) == everybody for each in rounds)
    assert meetings(rounds, players) == {1}


@pytest.mark.parametrize("players", (4, 7, 13, 19, 31, 37))
def test_near_resolvable_designs_have_one_bye_each_and_two_meetings(players: int) -> None:
    rounds = design(players)
    byes = [set(range(1, players + 1)) - {p for three in each for p in three} for each in rounds]
    assert sorted(byes, key=min) == [{player} for player in range(1, players + 1)]
    assert all(len(each) == players // 3 for each in rounds)
    assert meetings(rounds, players) == {2}


@pytest.mark.parametrize("players", (5, 6, 8, 10, 11, 12, 14, 16, 17, 18, 20, 22))
def test_other_numbers_are_nearly_even(players: int) -> None:
    count = usual_rounds(players)
    everybody = tuple(range(1, players + 1))
    rounds = schedule((everybody,) * count, 1)
    found = evenness(rounds, (everybody,) * count)
    assert found.meetings[1] <= 2
    assert found.byes[1] - found.byes[0] <= 1
    assert rounds == schedule((everybody,) * count, 1), "the same every time"


def test_fewer_rounds_than_the_design_are_even_too() -> None:
    found = league(9, rounds=3).evenness
    assert (found.meetings, found.byes) == ((0, 1), (0, 0))


def test_each_is_solo_once_and_a_partner_twice_in_a_set() -> None:
    club = Club(league(9))
    for _ in club.plays(random.Random(1)):
        pass
    assert len(club.stored) == club.of.length == 36
    solos = Counter(club.of.solo(index) for index in club.matches)
    assert set(solos.values()) == {4}
    for match in club.stored:
        seats = match.seats_of(club.of.solo(club.index(match)))
        assert seats == ("W", "E"), "the solo player holds both seats of a side"
    rows = club.of.standing(club.stored).rows
    assert all(len(row.scored) == 12 for row in rows)
    # In each set, what one side gains the other loses, and partners are two.
    assert len({(row.points, row.tie_breaks) for row in rows}) == 9


def test_round_waits_but_sets_do_not_wait_for_each_other() -> None:
    club = Club(league(6, rounds=2))
    assert sorted(club.matches) == [1, 4]
    for index in (1, 2, 3):
        club.ends(index, None)
    assert [club.index(match) for match in club.running] == [4]
    for index in (4, 5, 6):
        club.ends(index, None)
    assert [club.index(match) for match in club.running] == [7, 10]
    assert sorted(Club(league(6, rounds=2, concurrent=True)).matches) == [1, 2, 3, 4, 5, 6]


@settings(max_examples=examples(6), deadline=None)
@example(40, 5)
@given(st.integers(3, 24), st.integers(0, 2**32))
def test_random_leagues_end(count: int, seed: int) -> None:
    rng = random.Random(seed)
    club = Club(league(count, rounds=rng.randint(1, 5), seed=seed % 50))
    for match in club.plays(rng):
        assert match.place is not None
        known = max(each.place.round for each in club.stored if each.place)
        following, before = known + 1, club.of.schedule()
        if following <= club.of.round_count and rng.random() < 0.05:
            if rng.random() < 0.5:
                club.of = club.of.with_late_entry(max(club.of.players) + 1, following)
            else:
                club.of = club.of.without(rng.choice(club.of.players), following)
        assert club.of.schedule()[:known] == before[:known], "rounds that started stay"
    of, stored = club.of, club.stored
    for row in of.standing(stored).rows:
        naive = sum(
            match.result.scores[match.seats_of(row.player)[0]]
            for match in stored
            if match.result and row.player in match.players
        )
        assert row.points == naive
    for round_ in range(1, of.round_count + 1):
        in_it = [m for m in stored if m.place and m.place.round == round_]
        seen = Counter(player for match in in_it for player in match.players)
        assert set(seen.values()) <= {3}
        assert set(seen) <= set(of.in_round(round_))
        assert len(in_it) == len(of.in_round(round_)) // 3 * 3
    assert again(of) == of


@pytest.mark.parametrize(("player", "round_"), ((101, 4), (102, 5)))
def test_byes_by_request_are_few(player: int, round_: int) -> None:
    of = league(9, rounds=5).with_bye(101, 1).with_bye(101, 3)
    with pytest.raises(OptionError):
        of.with_bye(player, round_)


def test_other_games_and_fewer_players_are_refused() -> None:
    for wrong in (league(2), SetLeague(TWO, (1, 2, 3), OPTIONS, START)):
        with pytest.raises(OptionError):
            wrong.require_playable()
