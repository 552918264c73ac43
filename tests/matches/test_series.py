"""Series: who begins, what follows, and the record in the form the source asks for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from pbem.games import game_of
from pbem.matches.acting import lost, offer_draw
from pbem.matches.cross_table import standings
from pbem.matches.match import Match, MatchOptions, Result, new_match
from pbem.matches.series import Series, next_index, record, summary

START = datetime(2026, 11, 21, 9, tzinfo=UTC)
A, B = 1, 2
NAMES = {A: "A", B: "B"}


def series_of(games: int) -> Series:
    return Series(3, "lanrick-1881", (A, B), MatchOptions(), games, START)


def game(series: Series, index: int) -> Match:
    rules = game_of(series.game_key)
    players = series.entry_order(index)
    return new_match(rules, players, series.options, START, event_id=3, event_index=index)


def ended(series: Series, index: int, winner: int | None) -> Match:
    match = game(series, index)
    if winner is None:
        return offer_draw(offer_draw(match, A, START).match, B, START).match
    return lost(match, match.others(winner), "resignation", START).match


def test_the_first_move_alternates() -> None:
    series = series_of(3)
    assert [series.entry_order(i) for i in (1, 2, 3)] == [(A, B), (B, A), (A, B)]
    for index in (1, 2):
        match = game(series, index)
        assert match.player_to_act == series.entry_order(index)[0]


def test_the_record_has_the_form_of_the_source() -> None:
    """Lanrick 1881, second edition, at its end: the very numbers of the example."""
    series = series_of(100)
    won = {*range(1, 65, 2), *range(2, 56, 2)}  # 32 of those A began, 27 of the others
    matches = [ended(series, i, A if i in won else B) for i in range(1, 101)]
    assert record(series, matches, NAMES) == (
        "100 games between A and B.\nA began 50, of which A won 32;\nB began 50, of which A won 27."
    )
    assert summary(series, matches, NAMES).endswith("\n\nA wins the series.")


def test_drawn_games_are_told() -> None:
    series = series_of(6)
    winners = (A, None, A, B, None, None)
    matches = [ended(series, i, winner) for i, winner in enumerate(winners, 1)]
    assert record(series, matches, NAMES).splitlines()[1:] == [
        "A began 3, of which A won 2 and 1 was drawn;",
        "B began 3, of which A won 0 and 2 were drawn.",
    ]


def test_a_win_that_both_share_is_a_drawn_game() -> None:
    """Rulebook, Lancelot: equal numbers share the win."""
    series = replace(series_of(1), game_key="lancelot")
    shared = Result(("red", "blue"), "exhausted", {"red": 3, "blue": 3}, START)
    match = replace(game(series, 1), result=shared, to_act=None)
    assert record(series, [match], NAMES).splitlines()[1:2] == [
        "A began 1, of which A won 0 and 1 was drawn;"
    ]
    assert [row.half_points for row in standings((A, B), [match])] == [1, 1]


def test_the_record_counts_the_games_ended_so_far() -> None:
    series = series_of(4)
    matches = [ended(series, 1, B), game(series, 2)]
    assert record(series, matches, NAMES) == (
        "1 game between A and B.\nA began 1, of which A won 0;\nB began 0, of which A won 0."
    )
    assert series.text(matches, NAMES, 2) == "Series 3, game 2 of 4: A 0, B 1, drawn 0."


def test_equal_wins_are_a_drawn_series() -> None:
    series = series_of(2)
    matches = [ended(series, 1, A), ended(series, 2, B)]
    assert series.text(matches, NAMES, 2).endswith("The series is drawn.")


def test_one_game_follows_the_other() -> None:
    series = series_of(2)
    assert next_index(series, []) == 1
    assert next_index(series, [game(series, 1)]) is None
    assert next_index(series, [ended(series, 1, A)]) == 2
    assert next_index(series, [ended(series, 1, A), ended(series, 2, A)]) is None


def test_long_names_are_folded() -> None:
    names = {A: "Aleksandra " * 4 + "A", B: "Bartholomäus " * 4 + "B"}
    series = series_of(2)
    matches = [ended(series, 1, None)]
    for text in (record(series, matches, names), series.text(matches, names, 2)):
        assert max(map(len, text.splitlines())) <= 72
