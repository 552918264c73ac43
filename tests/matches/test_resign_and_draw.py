"""Resigning and agreeing a draw (rulebook, "Service actions")."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.archive.words import result_words
from pbem.games.phrases import ENGLISH
from pbem.matches.director_actions import DecisionError, adjudge
from pbem.matches.history import Kind
from pbem.matches.match import (
    COMMON_TERMINATIONS,
    CommandError,
    Match,
    OfferKind,
    termination_words,
)
from pbem.matches.match_offers import accept, decline, offer
from pbem.matches.player_actions import lost, resign
from pbem.matches.record import verify
from pbem.testing.toy_language import TOY, strange_words
from tests.matches.playing import ANNA, BERT, CLARA, NAMES, START, Contest, started


def resigned(contest: Contest, player: int) -> Match:
    return resign(contest.match, player, contest.later()).match


# ------------------------------------------------------------------------------ resigning

# On 68 a colour has castles worth 2 * (12 + 2 * 6) = 48 and 14 pawns worth 28. At the start the one
# that resigns counts 76, the other 3 * 48 + 28 = 172: a difference of 96 points.


def test_side_of_one_player_resigns_at_once() -> None:
    contest = Contest(started("lanko-68", 3))
    result = resigned(contest, BERT).result
    assert result is not None
    assert (result.winners, result.termination) == (("S", "N"), "resignation")
    assert result.scores == {"S": 96, "W": -96, "N": 96, "E": -96}


def test_side_of_two_resigns_once_both_have() -> None:
    contest = Contest(started("lanko-68", 4))
    contest.match = resigned(contest, CLARA)
    assert contest.match.result is None
    contest.says(ANNA, "42-36").says(BERT, "18-19")
    contest.match = resigned(contest, ANNA)
    result = contest.match.result
    assert result is not None
    assert (result.winners, result.ended_at) == (("W", "E"), contest.now)
    assert result.scores == {"S": -96, "W": 96, "N": -96, "E": 96}
    assert contest.match.to_act is None


def test_adversaries_do_not_resign_together() -> None:
    contest = Contest(started("lanko-68", 4))
    contest.match = resigned(contest, ANNA)
    assert resigned(contest, BERT).result is None


def test_first_resignation_is_taken_back_by_the_players_next_move() -> None:
    contest = Contest(started("lanko-68", 3))
    contest.match = resigned(contest, ANNA)
    contest.says(ANNA, "42-36")
    assert resigned(contest, CLARA).result is None


def test_declaration_does_not_take_a_resignation_back() -> None:
    contest = Contest(started("lanko-68", 3))
    contest.match = resigned(contest, ANNA)
    contest.says(ANNA, "+++")
    assert resigned(contest, CLARA).result is not None


def test_director_can_score_a_loss_on_time() -> None:
    contest = Contest(started("lanko-68", 3))
    match = lost(contest.match, [ANNA, CLARA], "flag", contest.later()).match
    assert match.result is not None
    assert (match.result.winners, match.result.scores["W"]) == (("W", "E"), 96)
    assert "time" in termination_words(match, ENGLISH)


# ---------------------------------------------------------------------------- draw offers


def test_draw_needs_every_other_player() -> None:
    contest = Contest(started("lanko-68", 3))
    match = offer(contest.match, OfferKind.DRAW, ANNA, contest.later()).match
    match = accept(match, OfferKind.DRAW, BERT, contest.later()).match
    assert match.result is None
    match = accept(match, OfferKind.DRAW, CLARA, contest.later()).match
    assert match.result is not None
    assert (match.result.winners, match.result.termination) == ((), "draw")
    assert set(match.result.scores.values()) == {0}
    assert not match.offers


def test_offer_during_an_open_offer_accepts_it() -> None:
    match = offer(started("lanko-68", 2), OfferKind.DRAW, ANNA, START).match
    assert offer(match, OfferKind.DRAW, BERT, START).match.result is not None


def test_offering_twice_is_not_accepting() -> None:
    match = offer(started("lanko-68", 2), OfferKind.DRAW, ANNA, START).match
    assert offer(match, OfferKind.DRAW, ANNA, START) == (match, ())


def test_own_offer_cannot_be_accepted_or_declined() -> None:
    match = offer(started("lanko-68", 2), OfferKind.DRAW, ANNA, START).match
    with pytest.raises(CommandError, match="nobody has offered you a draw"):
        accept(match, OfferKind.DRAW, ANNA, START)
    with pytest.raises(CommandError, match="nobody has offered you a draw"):
        decline(match, OfferKind.DRAW, ANNA)


def test_offer_lapses_when_an_asked_player_moves() -> None:
    contest = Contest(started("lanko-68", 2)).says(ANNA, "42-36")
    contest.match = offer(contest.match, OfferKind.DRAW, ANNA, contest.later()).match
    contest.says(BERT, "18-19")
    with pytest.raises(CommandError, match="nobody has offered you a draw"):
        accept(contest.match, OfferKind.DRAW, BERT, contest.later())


def test_offer_lapses_when_an_asked_player_declares() -> None:
    contest = Contest(started("lanko-68", 3)).says(ANNA, "42-36")
    contest.match = offer(contest.match, OfferKind.DRAW, ANNA, contest.later()).match
    assert not contest.says(CLARA, "+++").match.offers


def test_offer_survives_the_next_move_of_its_maker() -> None:
    contest = Contest(started("lanko-68", 2))
    contest.match = offer(contest.match, OfferKind.DRAW, ANNA, contest.later()).match
    contest.says(ANNA, "42-36")
    assert accept(contest.match, OfferKind.DRAW, BERT, contest.later()).match.result is not None


def test_declined_offer_is_gone() -> None:
    match = offer(started("lanko-68", 2), OfferKind.DRAW, ANNA, START).match
    match = decline(match, OfferKind.DRAW, BERT).match
    with pytest.raises(CommandError, match="nobody has offered you a draw"):
        accept(match, OfferKind.DRAW, BERT, START)


def test_accepting_without_an_offer_is_refused_with_the_reason() -> None:
    with pytest.raises(CommandError, match="nobody has offered you a draw"):
        accept(started("lanko-68", 2), OfferKind.DRAW, BERT, START)


def test_match_options_can_forbid_draw_offers() -> None:
    with pytest.raises(CommandError, match="not part of this match"):
        offer(started("lanko-68", 2, draw_offers=False), OfferKind.DRAW, ANNA, START)


def test_common_endings_are_translated() -> None:
    for ending in COMMON_TERMINATIONS.values():
        assert TOY.text(ending) != ENGLISH.text(ending)
        assert not strange_words(TOY.text(ending))


def of_five_without_anna() -> Contest:
    """Return a Lancelot match of five in which Anna has resigned."""
    return Contest(started("lancelot", 5)).says(1, "resign")


def test_player_who_resigned_has_no_share_in_a_draw() -> None:
    contest = of_five_without_anna().does(Kind.DRAW_OFFERED, 2)
    for player in (3, 4, 5):
        contest.does(Kind.DRAW_ACCEPTED, player)
    result = contest.match.result
    assert result is not None
    assert (result.winners, result.termination) == (("blue", "yellow", "green", "violet"), "draw")
    assert result.drawn
    assert not any(result.scores.values())
    assert verify(contest.record()) == []


def test_adjudicated_draw_is_shared_by_remaining_players() -> None:
    contest = of_five_without_anna()
    with pytest.raises(DecisionError, match="has lost it"):
        adjudge(contest.match, ("red",), "a mistake", START)
    result = contest.adjudged_drawn().match.result
    assert result is not None
    assert (result.winners, result.drawn) == (("blue", "yellow", "green", "violet"), True)
    assert " draw: the director declared a draw" in result_words(contest.match, NAMES)
    assert verify(contest.record()) == []


def test_share_for_a_resigned_player_is_wrong_except_in_old_records() -> None:
    contest = of_five_without_anna().does(Kind.DRAW_OFFERED, 2)
    for player in (3, 4, 5):
        contest.does(Kind.DRAW_ACCEPTED, player)
    record = contest.record()
    assert record.result is not None
    shared = replace(record, result=record.result._replace(winners=()), heads={})
    assert any("who had not resigned" in problem for problem in verify(shared))
    older = replace(shared, rules_version=1)
    assert not any("who had not resigned" in problem for problem in verify(older))


def test_partner_who_resigned_alone_shares_a_draw() -> None:
    """In Lanko a resignation needs both partners."""
    contest = Contest(started("lanko-68", 4)).does(Kind.RESIGNED, 1).does(Kind.DRAW_OFFERED, 2)
    for player in (1, 3, 4):
        contest.does(Kind.DRAW_ACCEPTED, player)
    assert contest.match.result is not None
    assert (contest.match.result.winners, contest.match.result.termination) == ((), "draw")
