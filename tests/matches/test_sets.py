"""Three-person sets (rulebook, Lanko, "Three-person sets")."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.games import game_of
from pbem.matches.acting import resign
from pbem.matches.match import Match, MatchOptions, Result, new_match
from pbem.matches.sets import MatchSet, credits, cross_table, next_index
from tests.matches.playing import ANNA, BERT, CLARA, START

SET = MatchSet(3, "lanko-68", (ANNA, BERT, CLARA), MatchOptions(), START)


def match_of_set(index: int) -> Match:
    order = SET.entry_order(index)
    game = game_of("lanko-68")
    match = new_match(game, order, SET.options, START, set_id=3, set_index=index)
    return replace(match, id=20 + index)


def ended(index: int, white_minus_black: int) -> Match:
    d = white_minus_black
    winners = ("S", "N") if d > 0 else ("W", "E") if d < 0 else ()
    scores = {"S": d, "W": -d, "N": d, "E": -d}
    return replace(match_of_set(index), result=Result(winners, "quiet", scores, START))


@pytest.mark.parametrize(
    ("index", "solo", "south", "north"),
    ((1, ANNA, BERT, CLARA), (2, BERT, CLARA, ANNA), (3, CLARA, ANNA, BERT)),
)
def test_each_player_is_solo_once(index: int, solo: int, south: int, north: int) -> None:
    assert dict(match_of_set(index).seats) == {"S": south, "W": solo, "N": north, "E": solo}
    assert SET.solo(index) == solo


def test_credits_are_the_balance_of_the_own_side() -> None:
    # Match 2: Bert is Black alone and ahead by 12.
    assert credits(ended(2, -12)) == {BERT: 12, CLARA: -12, ANNA: -12}
    assert credits(match_of_set(2)) == {}


def test_the_largest_sum_wins_the_set() -> None:
    # Black (Anna) by 12, White (Clara and Anna against Bert) by 20, then a draw.
    table = cross_table(SET, [ended(1, -12), ended(2, 20), ended(3, 0)])
    assert table.rows == (
        (ANNA, (12, 20, 0), 32),
        (BERT, (-12, -20, 0), -32),
        (CLARA, (-12, 20, 0), 8),
    )
    assert table.winners == (ANNA,)
    assert table.complete


def test_equal_sums_share_the_set() -> None:
    # Each solo player wins by 6: 6 - 6 - 6 for everybody.
    table = cross_table(SET, [ended(1, -6), ended(2, -6), ended(3, -6)])
    assert [total for _, _, total in table.rows] == [-6, -6, -6]
    assert table.winners == (ANNA, BERT, CLARA)
    # Anna loses 10 alone, then Bert and Clara each lose 4 alone.
    table = cross_table(SET, [ended(1, 10), ended(2, 4), ended(3, 4)])
    assert [total for _, _, total in table.rows] == [-2, 10, 10]
    assert table.winners == (BERT, CLARA)


def test_a_set_is_not_won_before_its_last_match_has_ended() -> None:
    table = cross_table(SET, [ended(1, -12), match_of_set(2)])
    assert table.rows[0] == (ANNA, (12, None, None), 12)
    assert table.winners == ()
    assert not table.complete


def test_a_resigned_match_counts_as_the_rulebook_scores_it() -> None:
    # Anna gives up alone at the start: 76 points against 3 * 48 + 28 = 172 (see test_match).
    match = match_of_set(1)
    match = resign(match, ANNA, START).match
    assert credits(match) == {BERT: 96, ANNA: -96, CLARA: 96}


def test_the_matches_of_a_set_follow_one_another() -> None:
    assert next_index(SET, []) == 1
    assert next_index(SET, [match_of_set(1)]) is None
    assert next_index(SET, [ended(1, 4)]) == 2
    assert next_index(SET, [ended(1, 4), ended(2, 4)]) == 3
    assert next_index(SET, [ended(1, 4), ended(2, 4), ended(3, 4)]) is None


def test_the_matches_of_a_concurrent_set_start_together() -> None:
    concurrent = replace(SET, concurrent=True)
    assert next_index(concurrent, []) == 1
    assert next_index(concurrent, [match_of_set(1)]) == 2
    assert next_index(concurrent, [match_of_set(1), match_of_set(2)]) == 3
    assert next_index(concurrent, [match_of_set(i) for i in (1, 2, 3)]) is None
