"""Test which matches ratings count, and what they take from each."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest

from pbem.matches.history import Happening, Kind
from pbem.matches.match import MatchOptions, MatchSummary, Result
from pbem.matches.ratings import (
    ALONE,
    NEW,
    RatedMatch,
    RatedPlace,
    RatedSide,
    Rating,
    RatingList,
    rated_match,
    seat_shares,
)
from pbem.matches.seat_holders import Hands
from tests.matches.playing import ANNA, BERT, CLARA, DORA, EMIL, START, started


def over(
    key: str, players: int, winners: str, termination: str = "resignation", **changes: Any
) -> MatchSummary:
    """Return a match that was won by these seats in its fiftieth turn."""
    match = started(key, players)
    ended_at = START + timedelta(microseconds=5)
    result = Result(tuple(winners.split()), termination, dict.fromkeys(match.seats, 0), ended_at)
    summary = MatchSummary(
        id=12,
        game_key=key,
        rules_version=match.rules_version,
        seats=match.seats,
        options=match.options,
        started_at=START,
        turn=50,
        result=result,
    )
    return replace(summary, **changes)


def happenings(told: str) -> list[Happening]:
    """Return events from lines such as `9 - undone 7`, each with its turn and seat."""
    found = list[Happening]()
    for entry, line in enumerate(filter(None, told.split(", ")), start=1):
        turn, seat, kind, *text = line.split()
        own = seat.replace("-", "")
        found.append(Happening(entry, int(turn), own, Kind(kind), START, "", " ".join(text)))
    return found


def rated(match: MatchSummary, bots: tuple[int, ...] = (), former: tuple[int, ...] = ()) -> Any:
    return rated_match(match, bots, former)


def test_place_is_to_the_second_as_in_the_record() -> None:
    assert rated(over("lancelot", 2, "red")).place == RatedPlace(START, 12)


@pytest.mark.parametrize(
    ("match", "sides"),
    (
        (over("lancelot", 2, "blue"), [((ANNA,), 1), ((BERT,), 0)]),
        (over("lancelot", 2, "", "draw"), [((ANNA,), 0), ((BERT,), 0)]),
        (over("lancelot", 3, "blue"), [((ANNA,), 1), ((BERT,), 0), ((CLARA,), 1)]),
        # Anna resigned before the others agreed to a draw.
        (over("lancelot", 3, "blue yellow", "draw"), [((ANNA,), 1), ((BERT,), 0), ((CLARA,), 0)]),
        # Both play two seats, so each is named once.
        (over("lanko-68", 2, "S N"), [((ANNA,), 0), ((BERT,), 1)]),
        (over("lanko-68", 3, "W E"), [((ANNA, CLARA), 1), ((BERT, BERT), 0)]),
        (over("lanko-68", 4, "S N"), [((ANNA, CLARA), 0), ((BERT, DORA), 1)]),
    ),
)
def test_sides_win_lose_or_draw(match: MatchSummary, sides: list[Any]) -> None:
    found: RatedMatch = rated(match)
    assert found.sides == tuple(RatedSide(*side) for side in sides)


def changed_hands(**options: str) -> MatchSummary:
    """Return a match in which Emil took over from Anna."""
    hands = Hands().left(["red"], ANNA, 20)
    match = over("lancelot", 2, "red", hands=hands, options=MatchOptions(chosen=options))
    return replace(match, seats={"red": EMIL, "blue": BERT})


@pytest.mark.parametrize(
    "match",
    (
        over("lancelot", 2, "red", "void"),
        over("lancelot", 2, "red", "abandoned"),
        over("lancelot", 2, "red", "cancelled"),
        over("lancelot", 2, "red", options=MatchOptions(unrated=True)),
        over("lancelot", 2, "red", "flag", turn=4),
        over("lancelot", 2, "red", "forfeit", turn=4),
        over("lancelot", 2, "", "flag-draw", turn=1),
        over("lanko-68", 2, "S N", "flag", turn=8),
        over("lancelot", 2, "red", result=None),
        changed_hands(results="split"),
    ),
)
def test_match_that_does_not_count(match: MatchSummary) -> None:
    assert rated(match) is None


@pytest.mark.parametrize(
    "match",
    (
        over("lancelot", 2, "red", "flag", turn=5),
        over("lanko-68", 2, "S N", "flag", turn=9),
        over("lancelot", 2, "red", "adjudication", turn=2),
        over("lancelot", 2, "red", turn=1),
    ),
)
def test_match_that_counts(match: MatchSummary) -> None:
    assert rated(match) is not None


@pytest.mark.parametrize(
    ("history", "players"),
    (
        ("6 yellow lost_on_time", {ANNA, BERT}),
        ("6 yellow forfeited", {ANNA, BERT}),
        ("7 yellow lost_on_time", {ANNA, BERT, CLARA}),
        ("1 yellow resigned", {ANNA, BERT, CLARA}),
        ("6 yellow lost_on_time, 50 - reopened", {ANNA, BERT}),
        ("6 yellow lost_on_time, 6 - reopened", {ANNA, BERT, CLARA}),
        ("6 yellow lost_on_time, 9 - undone 5", {ANNA, BERT, CLARA}),
        ("2 red lost_on_time, 6 yellow lost_on_time", None),
    ),
)
def test_player_who_hardly_played_is_left_out_if_the_others_continue(
    history: str, players: set[int] | None
) -> None:
    match = over("lancelot", 3, "blue")
    found = rated_match(match, (), (), happenings(history))
    assert (found.players if found else None) == players


def test_bots_have_lists_of_their_own() -> None:
    match = over("lancelot", 2, "red")
    assert rated(match).lists == (RatingList("lancelot"), RatingList())
    against = rated(match, bots=(BERT,))
    assert against.lists == (RatingList("lancelot", computers=True), RatingList(computers=True))
    assert rated(changed_hands(), bots=(EMIL,)) is None


def test_last_player_of_a_seat_gets_its_result() -> None:
    assert rated(changed_hands()).players == {EMIL, BERT}


def test_matches_of_people_who_left_do_not_count() -> None:
    assert rated(over("lancelot", 2, "red"), former=(BERT,)) is None
    assert rated(changed_hands(), former=(ANNA,)) is None


def test_shown_numbers() -> None:
    assert str(NEW) == "1500 ± 500?"
    assert str(Rating(26, 2, 10)) == "1530 ± 120"
    assert Rating(24.99, 8, 9).value == 1500


def test_share_of_each_seat() -> None:
    matches = [
        rated(over("lanko-68", 3, "S N")),
        rated(over("lanko-68", 3, "W E")),
        rated(over("lanko-68", 3, "W E")),
        rated(over("lanko-68", 2, "", "draw")),
    ]
    shares = {each.side: each for each in seat_shares(matches)}
    assert shares[0].share == pytest.approx(float(Fraction(3, 8)))
    assert shares[1].share == pytest.approx(float(Fraction(5, 8)))
    assert shares[ALONE].matches == 3
    assert shares[ALONE].share == pytest.approx(2 / 3)
