"""Three-person sets (rulebook, Lanko, "Three-person sets")."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.games import game_of
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import Match, MatchOptions, Result, new_match
from pbem.matches.player_actions import resign
from tests.matches.playing import ANNA, BERT, CLARA, START

SET = MatchSet("lanko-68", (ANNA, BERT, CLARA), MatchOptions(), START, id=3, number=3)


def match_of_set(index: int) -> Match:
    pairing = list(SET.pairings())[index - 1]
    game, place = game_of("lanko-68"), SET.place(pairing)
    return replace(new_match(game, pairing.players, SET.options, START, place=place), id=20 + index)


def credits(*matches: Match) -> dict[int, list[int]]:
    """Return the credits by player, match by match."""
    rows = SET.standing(matches).rows
    return {row.player: [int(each.points) for each in row.scored] for row in rows}


def due(of: MatchSet, *matches: Match) -> list[int]:
    return [pairing.index for pairing in of.due(matches)]


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


def test_credits_are_the_balance_of_the_players_own_side() -> None:
    # Match 2: Bert is Black alone and ahead by 12.
    assert credits(ended(2, -12)) == {ANNA: [-12], BERT: [12], CLARA: [-12]}
    assert credits(match_of_set(2)) == {ANNA: [], BERT: [], CLARA: []}
    row = SET.standing([ended(2, -12)]).rows[1]
    assert (row.player, set(row.scored[0].against)) == (BERT, {ANNA, CLARA})


def test_largest_sum_wins_the_set() -> None:
    # Black (Anna) by 12, White (Clara and Anna against Bert) by 20, then a draw.
    matches = [ended(1, -12), ended(2, 20), ended(3, 0)]
    assert credits(*matches) == {ANNA: [12, 20, 0], BERT: [-12, -20, 0], CLARA: [-12, 20, 0]}
    standing = SET.standing(matches)
    assert [int(row.points) for row in standing.rows] == [32, -32, 8]
    assert (standing.over, standing.winners) == (True, (ANNA,))


def test_equal_sums_share_the_set() -> None:
    # Each solo player wins by 6: 6 - 6 - 6 for all.
    standing = SET.standing([ended(1, -6), ended(2, -6), ended(3, -6)])
    assert [int(row.points) for row in standing.rows] == [-6, -6, -6]
    assert standing.winners == (ANNA, BERT, CLARA)
    # Anna loses 10 alone, then Bert and Clara each lose 4 alone.
    standing = SET.standing([ended(1, 10), ended(2, 4), ended(3, 4)])
    assert [int(row.points) for row in standing.rows] == [-2, 10, 10]
    assert standing.winners == (BERT, CLARA)


def test_set_is_not_won_before_its_last_match_has_ended() -> None:
    standing = SET.standing([ended(1, -12), match_of_set(2)])
    assert [int(row.points) for row in standing.rows] == [12, -12, -12]
    assert (standing.over, standing.winners) == (False, ())


def test_resigned_match_counts_as_the_rulebook_scores_it() -> None:
    # Anna resigns alone at the start: 76 points against 3 * 48 + 28 = 172 (see test_match).
    match = match_of_set(1)
    match = resign(match, ANNA, START).match
    assert credits(match) == {ANNA: [-96], BERT: [96], CLARA: [96]}


def test_next_match_of_a_set_starts_when_the_previous_ends() -> None:
    assert due(SET) == [1]
    assert due(SET, match_of_set(1)) == []
    assert due(SET, ended(1, 4)) == [2]
    assert due(SET, ended(1, 4), ended(2, 4)) == [3]
    assert due(SET, ended(1, 4), ended(2, 4), ended(3, 4)) == []


def test_matches_of_a_concurrent_set_start_together() -> None:
    concurrent = replace(SET, concurrent=True)
    assert due(concurrent) == [1, 2, 3]
    assert due(concurrent, *(match_of_set(i) for i in (1, 2, 3))) == []
