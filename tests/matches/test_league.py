"""Leagues of divisions: tables with a chain of tie-breaks, withdrawals, the next season."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, groupby
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games.api import OptionError
from pbem.matches.competitions.league import League, next_season
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.match import PlayerId
from pbem.matches.tie_breaks import ALL_MEET
from tests.matches.competing import OPTIONS, START, TWO, Club, again, played
from tests.matches.naive_tables import drawn_place
from tests.support.examples import examples


def league(*sizes: int, **terms: Any) -> League:
    players = tuple(range(1, sum(sizes) + 1))
    return League(TWO, players, OPTIONS, START, id=6, number=6, sizes=sizes, **terms)


def naive_order(of: RoundRobin, club: Club[Any], players: tuple[PlayerId, ...]) -> list[PlayerId]:
    """Return the table of a round robin without withdrawals from its matches alone."""
    got: dict[PlayerId, list[tuple[PlayerId, Fraction]]] = {p: [] for p in players}
    for match in club.stored:
        a, b = match.players
        if a in got and match.result:
            x = Fraction(match.sole_winner == a) if match.result.winners else Fraction(1, 2)
            got[a].append((b, x))
            got[b].append((a, 1 - x))
    points = {p: sum((x for _, x in got[p]), Fraction()) for p in players}

    def key(p: PlayerId) -> tuple[Fraction | int, ...]:
        return (
            points[p],
            sum((x for q, x in got[p] if points[q] == points[p]), Fraction()),
            sum((x * points[q] for q, x in got[p]), Fraction()),
            sum(x == 1 for _, x in got[p]),
            -drawn_place(of.seed, players.index(p) + 1, len(players)),
        )

    return sorted(players, key=key, reverse=True)


@settings(max_examples=examples(15), deadline=None)
@given(st.lists(st.integers(3, 7), min_size=1, max_size=4), st.booleans(), st.integers(0, 2**32))
def test_divisions_are_round_robins(sizes: list[int], double: bool, seed: int) -> None:
    rng = random.Random(seed)
    club = Club(league(*sizes, double=double, seed=seed % 30, concurrent=seed % 2 == 0))
    for _ in club.plays(rng):
        pass
    of, standing = club.of, club.of.standing(club.stored)
    expected = sorted(
        tuple(sorted(pair))
        for division, _ in of.divisions()
        for pair in combinations(division.players, 2)
        for _ in range(1 + double)
    )
    assert sorted(tuple(sorted(pair)) for pair in played(club.stored)) == expected
    assert len(expected) == of.length
    for table, (division, _) in zip(standing.divisions, of.divisions(), strict=True):
        players = division.players
        assert [row.player for row in table.rows] == naive_order(division, club, players)
        values = [(row.points, row.tie_breaks) for row in table.rows]
        assert all(len([*same]) == 1 for _, same in groupby(values)), "no tie is left"
    assert standing.winners == (standing.divisions[0].rows[0].player,)
    assert again(of) == of


def test_matches_of_a_player_who_withdrew_are_won_by_the_opponents() -> None:
    of = RoundRobin(TWO, (1, 2, 3, 4), OPTIONS, START, tie_breaks=ALL_MEET)
    club = Club(of)
    club.of = of.without(4, 2)
    while club.running:
        club.ends(club.index(club.running[0]), None)
    assert len(club.stored) == 4, "the first round, and the matches of the others"
    points = {row.player: row.points for row in club.of.standing(club.stored).rows}
    assert points == {1: Fraction(3, 2), 2: 2, 3: 2, 4: Fraction(1, 2)}
    assert club.over


def test_withdrawal_from_one_division_leaves_the_others_alone() -> None:
    club = Club(league(3, 3))
    club.of = club.of.without(5, 2)
    for _ in club.plays(random.Random(1)):
        pass
    upper, lower = club.of.standing(club.stored).divisions
    assert sum(row.points for row in upper.rows) == 3
    assert sum(row.points for row in lower.rows) == 3


def test_winners_move_up_and_the_last_move_down() -> None:
    tables = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11))
    assert next_season(tables, 1) == ((1, 2, 3, 5), (4, 6, 7, 9), (8, 10, 11))
    assert next_season(tables, 2) == ((1, 2, 5, 6), (3, 4, 9, 10), (7, 8, 11))
    # The best who would go down stays if somebody leaves, and new players start at the foot.
    assert next_season(tables, 1, leaving=(2,), joining=(12,)) == (
        (1, 3, 5, 4),
        (6, 7, 9, 8),
        (10, 11, 12),
    )


@given(st.lists(st.integers(3, 9), min_size=1, max_size=5), st.integers(0, 1), st.data())
def test_next_season_keeps_players_and_sizes(
    sizes: list[int], moves: int, data: st.DataObject
) -> None:
    numbers = iter(range(1, 100))
    tables = [tuple(next(numbers) for _ in range(size)) for size in sizes]
    everybody = {player for table in tables for player in table}
    leaving = data.draw(st.sets(st.sampled_from(sorted(everybody)), max_size=2))
    divisions = next_season(tables, moves, leaving, (200, 201))
    assert sorted(p for each in divisions for p in each) == sorted(everybody - leaving | {200, 201})
    assert [len(each) for each in divisions[:-1]] == sizes[: len(divisions) - 1]


@pytest.mark.parametrize(
    "wrong",
    (league(2, 4), league(3, 3, moves=3), league(3, 3, 3, moves=2), league(4, tie_breaks=("x",))),
)
def test_impossible_terms_are_refused(wrong: League) -> None:
    with pytest.raises(OptionError):
        wrong.require_playable()
