"""Seats that change hands: who started, who held each seat when, and who gets the result."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

from pbem.games import game_of
from pbem.matches.competition_place import Place
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import Match, MatchOptions, Result, new_match
from pbem.matches.score import opponents_of, share_of
from pbem.matches.seat_changes import given_back, handed_on, keeper, kept_by
from pbem.matches.seat_holders import Audience

NOW = datetime(2026, 11, 22, tzinfo=UTC)
ANNA, BERT, CLARA, DORA, EVE = range(1, 6)


def match(*players: int, **chosen: str) -> Match:
    options = MatchOptions(draw_offers=False, chosen=chosen)
    return new_match(game_of("lanko-68"), players, options, NOW)


def at(turn: int, of: Match) -> Match:
    return replace(of, turn=turn)


def test_rules_stay_those_for_the_starting_number_of_players() -> None:
    four = match(ANNA, BERT, CLARA, DORA)
    after = handed_on(at(5, four), ANNA, CLARA)
    assert after.players == (CLARA, BERT, DORA)
    assert after.player_count == 4
    assert after.side_of(CLARA) == (CLARA,)
    assert after.side_of(BERT) == (BERT, DORA)
    assert after.began == four.seats
    again = handed_on(at(9, after), CLARA, EVE)
    assert again.began == four.seats
    assert [again.held_by("S", turn) for turn in (1, 4, 5, 8, 9)] == [ANNA, ANNA, CLARA, CLARA, EVE]


def test_seat_kept_by_a_bot_goes_back_only_to_its_player() -> None:
    kept = kept_by(match(ANNA, BERT), ANNA, EVE)
    assert keeper(kept, ANNA) == EVE
    assert keeper(kept, BERT) is None
    assert given_back(kept, BERT) == kept
    back = given_back(kept, ANNA)
    assert back.seats == match(ANNA, BERT).seats
    assert not back.hands.kept_for
    taken = handed_on(kept, EVE, DORA)
    assert given_back(taken, ANNA) == taken  # a substitute takes over for good


def test_player_who_left_a_seat_is_not_offered_it_again() -> None:
    one = match(ANNA, BERT)
    offered = replace(one, hands=one.hands.offering(one.seats_of(ANNA), Audience.SUBSTITUTES))
    assert not handed_on(offered, ANNA, CLARA).hands.offered
    assert handed_on(offered, BERT, CLARA).hands.offered


def test_turns_taken_back_are_replayed_by_the_current_holder() -> None:
    after = handed_on(at(9, match(ANNA, BERT)), ANNA, CLARA)
    undone = replace(after, turn=5, hands=after.hands.taken_back(5))
    assert [undone.held_by("S", turn) for turn in (4, 5, 8)] == [ANNA, CLARA, CLARA]


def test_result_goes_to_the_last_holder_or_is_shared_by_turns() -> None:
    for chosen, shares in (({}, (0, 1)), ({"results": "split"}, (Fraction(1, 4), Fraction(3, 4)))):
        after = at(13, handed_on(at(4, match(ANNA, BERT, **chosen)), ANNA, CLARA))
        assert [share_of(after, each) for each in (ANNA, CLARA)] == list(shares)
        assert share_of(after, BERT) == 1
        assert share_of(after, DORA) == 0
        assert opponents_of(after, ANNA) == (BERT,)


def test_substitute_for_a_partner_has_one_result() -> None:
    split = {"results": "split"}
    after = at(11, handed_on(at(6, match(ANNA, BERT, CLARA, DORA, **split)), ANNA, CLARA))
    assert share_of(after, CLARA) == 1
    assert share_of(after, ANNA) == Fraction(1, 2)


def test_nothing_is_shared_before_the_first_turn_is_over() -> None:
    after = handed_on(match(ANNA, BERT, results="split"), ANNA, CLARA)
    assert [share_of(after, each) for each in (ANNA, CLARA)] == [0, 1]


def test_set_counts_a_match_that_changed_hands() -> None:
    for chosen, credits in (({}, (0, -6, 6)), ({"results": "split"}, (3, -6, 6))):
        played = match(BERT, ANNA, CLARA, **chosen)  # Anna is solo
        after = at(11, handed_on(at(6, played), BERT, CLARA))
        scores = {"S": 6, "N": 6, "W": -6, "E": -6}
        after = replace(after, result=Result(("S", "N"), "no-entry", scores, NOW), to_act=None)
        after = replace(after, place=Place(1, 1, 1))
        of = MatchSet("lanko-68", (BERT, ANNA, CLARA), MatchOptions(), NOW)
        assert [row.points for row in of.standing([after]).rows] == list(credits)
