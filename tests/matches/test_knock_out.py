"""Knock-outs: brackets, byes, replays, third place, withdrawals."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from pbem.games.api import OptionError
from pbem.matches.competitions.knock_out import KnockOut, seeded
from pbem.matches.table import Bracket
from tests.matches.competing import OPTIONS, START, TWO, Club, again, played
from tests.support.examples import examples


def knock_out(count: int, **terms: Any) -> KnockOut:
    return KnockOut(TWO, tuple(range(1, count + 1)), OPTIONS, START, id=5, number=5, **terms)


def ranking(club: Club[KnockOut]) -> list[int]:
    return [row.player for row in club.of.standing(club.stored).rows]


def test_first_meets_last_in_each_round() -> None:
    assert seeded(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert sorted(seeded(256)) == list(range(1, 257))
    order = seeded(64)
    while len(order) > 1:
        pairs = list(zip(order[::2], order[1::2], strict=True))
        assert all(sum(pair) == len(order) + 1 for pair in pairs)
        order = [min(pair) for pair in pairs]


def test_byes_go_to_the_first_seeds() -> None:
    club = Club(knock_out(5))
    assert [set(pair) for pair in played(club.stored)] == [{4, 5}, {2, 3}]
    club.ends(1, 5)
    assert [set(pair) for pair in played(club.running)] == [{2, 3}, {1, 5}], "ties don't wait"
    club.ends(2, 3)
    club.ends(3, 1)
    club.ends(4, 3)
    assert (club.over, club.of.standing(club.stored).winners) == (True, (3,))
    assert ranking(club) == [3, 1, 5, 2, 4], "rounds survived, then matches won, then seeds"


def test_level_tie_is_replayed_with_the_first_move_reversed() -> None:
    club = Club(knock_out(2, extra=2))
    for index in (1, 2, 3):
        club.ends(index, None)
    first, second, third = played(club.stored)
    assert first == third == second[::-1]
    assert club.of.standing(club.stored).winners == (1,), "the better seed goes through"


def test_lots_decide_a_tie_that_stays_level() -> None:
    winners = set[int]()
    for seed in range(12):
        club = Club(knock_out(2, extra=0, level="lots", seed=seed))
        club.ends(1, None)
        winners.update(club.of.standing(club.stored).winners)
    assert winners == {1, 2}


@pytest.mark.parametrize(
    ("results", "winner"),
    (((1, 1), 1), ((1, 2, 2), 2), ((1, None, None), 1), ((1, 2, None, 2), 2), ((None, 2, 2), 2)),
)
def test_best_of_three(results: tuple[int | None, ...], winner: int) -> None:
    club = Club(knock_out(2, best_of=3))
    for index, each in enumerate(results, 1):
        assert not club.over
        club.ends(index, each)
    assert club.of.standing(club.stored).winners == (winner,)
    assert all(one == other[::-1] for one, other in pairwise(played(club.stored)))


def test_losers_of_semi_finals_meet_for_third_place() -> None:
    club = Club(knock_out(4, third_place=True))
    club.ends(1, 4)
    club.ends(2, 2)
    assert [set(pair) for pair in played(club.running)] == [{1, 3}, {2, 4}]
    club.ends(4, 4)
    assert not club.over
    club.ends(3, 3)
    assert (ranking(club), club.of.length) == ([4, 2, 3, 1], 4)


def test_opponent_of_a_player_who_withdrew_goes_through() -> None:
    club = Club(knock_out(4))
    club.of = club.of.without(1, 2)
    club.ends(1, 1)
    club.ends(2, 3)
    assert club.of.standing(club.stored).winners == (3,)
    both = Club(knock_out(4))
    both.of = both.of.without(1, 2).without(2, 2)
    both.ends(1, 1)
    both.ends(2, 2)
    assert (both.over, both.of.standing(both.stored).winners) == (True, ())


def test_substitute_continues_the_entry() -> None:
    club = Club(knock_out(4))
    club.ends(1, 1)
    club.of = club.of.with_successor(1, 9)
    club.ends(2, 2)
    assert [set(pair) for pair in played(club.running)] == [{2, 9}]
    assert ranking(club)[-1] == 4


def test_cancelled_match_is_played_again_by_its_last_players() -> None:
    club = Club(knock_out(4))
    [pairing] = [each for each in club.of.due([]) if each.index == 2]
    del club.matches[2]
    club.of = club.of.with_replay(2, (9, pairing.players[1]), pairing.players)
    assert [each.index for each in club.begins()] == [2]
    assert set(club.matches[2].players) == {9, pairing.players[1]}
    club.ends(2, 9)
    club.ends(1, 1)
    assert set(played(club.running)[0]) == {1, pairing.players[0]}, "9 plays for the entrant"


@settings(max_examples=examples(25), deadline=None)
@example(200, 1)
@given(st.integers(2, 30), st.integers(0, 2**32))
def test_every_knock_out_ends(count: int, seed: int) -> None:
    rng, small = random.Random(seed), count <= 24
    terms = {
        "best_of": rng.randint(1, 4) if small else 1,
        "extra": rng.randint(0, 3),
        "level": rng.choice(("seed", "lots")),
        "third_place": rng.random() < 0.5,
        "seed": rng.randint(0, 9),
    }
    club = Club(knock_out(count, **terms))
    for match in club.plays(rng):
        assert match.place is not None
        if small and rng.random() < 0.05:
            club.of = club.of.without(rng.choice(club.of.players), match.place.round + 1)
            club.begins()
    of, ties = club.of, [tie for round_ in club.of.bracket(club.stored) for tie in round_]
    assert len(of.bracket(club.stored)) == of.rounds
    pairs = [frozenset(tie.players) for tie in ties if None not in tie.players]
    assert len(pairs) == len(set(pairs)), "nobody meets twice but in replays"
    for tie in ties:
        assert len(tie.games) <= of.best_of + of.extra
        firsts = [each.players[0] for each in tie.games]
        assert all(one != other for one, other in pairwise(firsts))
    [bracket] = of.parts(club.stored)
    assert isinstance(bracket, Bracket)
    for before, after in pairwise(bracket.rounds):
        came = [side.player for tie in after for side in tie.sides]
        assert came == [tie.winner for tie in before], "lines lead from a tie to its winner"
    standing = of.standing(club.stored)
    assert standing.winners in ((), (standing.rows[0].player,))
    assert again(of) == of


@pytest.mark.parametrize(
    "terms", ({"best_of": 0}, {"extra": -1}, {"level": "luck"}, {"players": (1,)})
)
def test_impossible_terms_are_refused(terms: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        replace(knock_out(4), **terms).require_playable()
