"""A match: seats, playing, passes, its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.api import IllegalActionError, OptionError
from pbem.games.lanko.board import load_board
from pbem.games.lanko.position import LankoPosition
from pbem.games.phrases import ENGLISH
from pbem.matches.match import (
    CommandError,
    Match,
    MatchOptions,
    OfferKind,
    new_match,
    termination_words,
)
from pbem.matches.match_offers import accept, decline, offer
from pbem.matches.player_actions import play, resign
from tests.matches.playing import ANNA, BERT, CLARA, DORA, START, Contest, started


def resigned(contest: Contest, player: int) -> Match:
    return resign(contest.match, player, contest.later()).match


# ------------------------------------------------------------------------------ starting


@pytest.mark.parametrize(
    ("players", "seats"),
    (
        (2, {"S": ANNA, "W": BERT, "N": ANNA, "E": BERT}),
        (3, {"S": ANNA, "W": BERT, "N": CLARA, "E": BERT}),
        (4, {"S": ANNA, "W": BERT, "N": CLARA, "E": DORA}),
    ),
)
def test_players_are_seated_in_the_order_of_entry(players: int, seats: dict[str, int]) -> None:
    match = started("lanko-88", players)
    assert dict(match.seats) == seats
    assert list(match.seats) == ["S", "W", "N", "E"]
    assert (match.turn, match.to_act, match.player_to_act) == (1, "S", ANNA)


def test_match_takes_only_the_games_number_of_players() -> None:
    with pytest.raises(OptionError, match="2 to 4 players, not 5"):
        new_match(game_of("lanko-88"), [1, 2, 3, 4, 5], MatchOptions(), START)


def test_nobody_plays_against_themself() -> None:
    with pytest.raises(OptionError, match="only one entry in a match"):
        new_match(game_of("lanko-88"), [ANNA, BERT, ANNA], MatchOptions(), START)


def test_options_are_filled_in_and_unknown_ones_refused() -> None:
    assert started("lanko-68", 2, game={"quiet_limit": 40}).options.game == {
        "repetition": 1,
        "quiet_limit": 40,
    }
    with pytest.raises(OptionError, match="no option 'speed'"):
        started("lanko-68", 2, game={"speed": 1})


# ------------------------------------------------------------------------------- playing


def test_move_passes_the_turn_on_and_starts_the_next_clock() -> None:
    contest = Contest(started("lanko-68", 3))
    contest.says(ANNA, "42-36")
    match = contest.match
    assert (match.actions, match.turn, match.to_act, match.player_to_act) == (1, 2, "W", BERT)
    assert match.turn_started_at == contest.now
    assert contest.actions[0].text == "[42-36]"


def test_declaration_alone_leaves_turn_and_clock_unchanged() -> None:
    contest = Contest(started("lanko-68", 3)).says(ANNA, "[42-36]")
    since = contest.match.turn_started_at
    contest.says(CLARA, "[+++]")
    assert (contest.match.turn, contest.match.to_act) == (2, "W")
    assert contest.match.turn_started_at == since
    assert [(a.turn, a.seat, a.text) for a in contest.actions] == [
        (1, "S", "[42-36]"),
        (2, "N", "[N+++]"),
    ]


def test_player_not_to_move_is_shown_whose_turn_it_is() -> None:
    contest = Contest(started("lanko-68", 3))
    with pytest.raises(IllegalActionError, match="it is S's turn"):
        contest.says(BERT, "18-19")


def test_all_actions_of_an_email_are_played_or_none() -> None:
    contest = Contest(started("lanko-68", 3))
    before = contest.match
    with pytest.raises(IllegalActionError, match="W's turn"):
        contest.says(ANNA, "42-36", "O-N")
    assert contest.match == before
    assert contest.says(ANNA, "O-N").match.turn == 2


def test_seats_without_a_move_are_skipped() -> None:
    # White has a big castle on O (0,-3), Black one on L (4,0). W has no piece in the west and N
    # none in the north, so after S it is E's turn, the fourth.
    match = started("lanko-68", 4)
    board = load_board("lanko-68")
    castles = {"O": "B", "L": "b"}
    cells = "".join(castles.get(label, ".") for label in board.labels)
    opening: Any = match.position
    contest = Contest(match, LankoPosition(opening.terms, cells, "", "S"))
    contest.says(ANNA, "O-N")
    assert contest.actions[0].passed == ("W", "N")
    assert (contest.match.turn, contest.match.to_act) == (4, "E")
    assert contest.match.player_to_act == DORA


def test_end_by_the_rules_gives_the_result() -> None:
    # At the opening both colours are worth the same: twice 12 + 4 times 6 + 14 times 2.
    contest = Contest(started("lanko-68", 2)).says(BERT, "+++").says(ANNA, "+++")
    result = contest.match.result
    assert result is not None
    assert (result.winners, result.termination, result.ended_at) == ((), "agreed", contest.now)
    assert result.scores == {"S": 0, "W": 0, "N": 0, "E": 0}
    assert contest.match.player_to_act is None
    assert "agreed" in termination_words(contest.match, ENGLISH)


def test_reason_for_the_end_exists_only_after_the_end() -> None:
    with pytest.raises(ValueError, match="has not ended"):
        termination_words(started("lanko-68", 2), ENGLISH)


# -------------------------------------------------------------------------- after the end


def test_ended_match_accepts_no_actions() -> None:
    contest = Contest(started("lanko-68", 2))
    over = resigned(contest, BERT)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: play(over, ANNA, ["42-36"], START),
        lambda: resign(over, ANNA, START),
        lambda: offer(over, OfferKind.DRAW, ANNA, START),
        lambda: accept(over, OfferKind.DRAW, ANNA, START),
        lambda: decline(over, OfferKind.DRAW, ANNA),
    )
    for attempt in attempts:
        with pytest.raises(CommandError, match="the match is over"):
            attempt()


# ------------------------------------------------------------------------- players and seats


def test_email_to_a_player_of_two_seats_is_about_the_one_to_move() -> None:
    match = started("lanko-68", 2)
    assert match.seat_for(BERT) == "W"
    assert replace(match, to_act="E").seat_for(BERT) == "E"


def test_sides_and_other_players() -> None:
    match = started("lanko-68", 4)
    assert match.side_of(DORA) == (BERT, DORA)
    assert match.others(BERT) == (ANNA, CLARA, DORA)
    assert started("lanko-68", 3).side_of(BERT) == (BERT,)
