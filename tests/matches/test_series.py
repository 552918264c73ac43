"""Series: the first move, the next game, and the record in the source's form."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

from pbem.games import game_of
from pbem.mail.outgoing import render
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.competition_place import Place
from pbem.matches.competitions.series import Series
from pbem.matches.match import Match, MatchOptions, OfferKind, Result, new_match
from pbem.matches.match_offers import offer
from pbem.matches.player_actions import lost

START = datetime(2026, 11, 21, 9, tzinfo=UTC)
A, B = 1, 2
NAMES = {A: "A", B: "B"}


def series_of(games: int) -> Series:
    return Series("lanrick-1881", (A, B), MatchOptions(), START, games=games, id=3, number=3)


def game(series: Series, index: int) -> Match:
    rules = game_of(series.game_key)
    pairing = list(series.pairings())[index - 1]
    place = series.place(pairing)
    return new_match(rules, pairing.players, series.options, START, place=place)


def ended(series: Series, index: int, winner: int | None) -> Match:
    match = game(series, index)
    if winner is None:
        return offer(offer(match, OfferKind.DRAW, A, START).match, OfferKind.DRAW, B, START).match
    return lost(match, match.others(winner), "resignation", START).match


def painted(series: Series, matches: list[Match], names: dict[int, str], index: int = 0) -> str:
    place = Place(3, index, index) if index else None
    view = CompetitionView(series, matches, names, place, head=bool(index))
    return render.painted(of_the_club(), view)


def record(series: Series, matches: list[Match], names: dict[int, str]) -> str:
    return painted(series, matches, names).partition("\n\n")[0]


def due(of: Series, *matches: Match) -> list[int]:
    return [pairing.index for pairing in of.due(matches)]


def test_first_move_alternates() -> None:
    series = series_of(3)
    assert [pairing.players for pairing in series.pairings()] == [(A, B), (B, A), (A, B)]
    assert [game(series, index).player_to_act for index in (1, 2)] == [A, B]


def test_record_has_the_form_of_the_source() -> None:
    """Lanrick 1881, second edition, at its end: the numbers of the example."""
    series = series_of(100)
    won = {*range(1, 65, 2), *range(2, 56, 2)}  # 32 of those A started, 27 of the others
    matches = [ended(series, i, A if i in won else B) for i in range(1, 101)]
    assert record(series, matches, NAMES) == (
        "100 games between A and B.\nA began 50, of which A won 32;\nB began 50, of which A won 27."
    )
    assert painted(series, matches, NAMES).endswith("\n\nA wins the series.")
    assert series.standing(matches).winners == (A,)


def test_drawn_games_are_listed() -> None:
    series = series_of(6)
    winners = (A, None, A, B, None, None)
    matches = [ended(series, i, winner) for i, winner in enumerate(winners, 1)]
    assert record(series, matches, NAMES).splitlines()[1:] == [
        "A began 3, of which A won 2 and 1 was drawn;",
        "B began 3, of which A won 0 and 2 were drawn.",
    ]


def test_shared_win_is_a_drawn_game() -> None:
    """Rulebook, Lancelot: equal numbers share the win."""
    series = replace(series_of(1), game_key="lancelot")
    shared = Result(("red", "blue"), "exhausted", {"red": 3, "blue": 3}, START)
    match = replace(game(series, 1), result=shared, to_act=None)
    assert record(series, [match], NAMES).splitlines()[1:2] == [
        "A began 1, of which A won 0 and 1 was drawn;"
    ]
    assert [row.points for row in series.standing([match]).rows] == [Fraction(1, 2)] * 2


def test_record_counts_the_games_ended_so_far() -> None:
    series = series_of(4)
    matches = [ended(series, 1, B), game(series, 2)]
    assert record(series, matches, NAMES) == (
        "1 game between A and B.\nA began 1, of which A won 0;\nB began 0, of which A won 0."
    )
    assert painted(series, matches, NAMES, 2) == "Series 3, game 2 of 4: A 0, B 1, drawn 0."


def test_equal_wins_are_a_drawn_series() -> None:
    series = series_of(2)
    matches = [ended(series, 1, A), ended(series, 2, B)]
    assert painted(series, matches, NAMES, 2).endswith("The series is drawn.")


def test_next_game_starts_when_the_previous_ends() -> None:
    series = series_of(2)
    assert due(series) == [1]
    assert due(series, game(series, 1)) == []
    assert due(series, ended(series, 1, A)) == [2]
    assert due(series, ended(series, 1, A), ended(series, 2, A)) == []


def test_long_names_are_wrapped() -> None:
    names = {A: "Aleksandra " * 4 + "A", B: "Bartholomäus " * 4 + "B"}
    series = series_of(2)
    matches = [ended(series, 1, None)]
    for text in (record(series, matches, names), painted(series, matches, names, 2)):
        assert max(map(len, text.splitlines())) <= 72
