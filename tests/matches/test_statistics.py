"""Statistics: outcomes, streaks and averages, against a plain count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from pbem.games import game_of, games
from pbem.games.api import AnyGame
from pbem.matches.statistics import (
    EndedMatch,
    Outcome,
    PlayedMatch,
    average,
    first_player_share,
    played,
    statistics,
)

T0 = datetime(2026, 1, 1, tzinfo=UTC)
SEATS = {"yellow": 1, "black": 2}

matches = st.lists(
    st.builds(
        PlayedMatch,
        ended_at=st.integers(0, 30).map(lambda days: T0 + timedelta(days)),
        match_id=st.integers(1, 999),
        game_key=st.just("lanrick-1893"),
        players=st.just(2),
        seat=st.sampled_from(("yellow", "black")),
        turns=st.integers(1, 200),
        termination=st.sampled_from(("resignation", "flag")),
        outcome=st.sampled_from(Outcome),
        computers=st.booleans(),
    ),
    unique_by=lambda each: each.match_id,
)


@given(matches)
def test_statistics_are_those_of_a_plain_count(found: list[PlayedMatch]) -> None:
    all_of_them = statistics(found)
    assert sum(each.total.matches for each in all_of_them) == len(found)
    for of in all_of_them:
        own = sorted(each for each in found if each.computers == of.computers)
        letters = "".join(each.outcome[0] for each in own)
        assert of.runs.most_wins == max(map(len, letters.replace("d", "l").split("l")))
        assert of.runs.wins == len(letters) - len(letters.rstrip("w"))
        assert of.runs.unbeaten == max(map(len, letters.split("l")))
        assert of.total.won == letters.count("w") == sum(each.tally.won for each in of.by_seat)
        assert sum(of.endings.values()) == sum(of.lengths.values()) == len(own)
        assert of.average == round(sum(each.turns for each in own) / len(own))
        assert of.longest[0].turns == max(each.turns for each in own)
    assert average({}) == 0


@pytest.mark.parametrize(
    ("winners", "termination", "outcome"),
    (
        (["yellow"], "flag", Outcome.WON),
        (["black"], "resignation", Outcome.LOST),
        ([], "draw", Outcome.DRAWN),
        ([], "cancelled", None),
    ),
)
def test_match_is_seen_from_its_players_seat(
    winners: list[str], termination: str, outcome: Outcome | None
) -> None:
    ended = EndedMatch(T0, 3, "lanrick-1893", 2, 20, termination, winners)
    seen = played(ended, 1, SEATS, computers=False)
    assert (seen and (seen.outcome, seen.opponents)) == (outcome and (outcome, (2,)))


def test_partners_are_no_opponents_and_losers_of_a_shared_draw_lost() -> None:
    info = game_of("lancelot").info
    seats = dict(zip(info.seats_of(3), (1, 2, 3), strict=True))
    first, second, _ = seats
    ended = EndedMatch(T0, 3, "lancelot", 3, 20, "draw", [first, second])
    found = [played(ended, each, seats, computers=False) for each in (1, 2, 3)]
    assert [each and each.outcome for each in found] == ["drawn", "drawn", "lost"]
    lanko = game_of("lanko-88").info
    four = {seat: number for number, held in enumerate(lanko.holders[4], 1) for seat in held}
    side = lanko.side_of(4, next(iter(four)))
    ended = EndedMatch(T0, 3, "lanko-88", 4, 20, "flag", side)
    seen = played(ended, next(iter(four.values())), four, computers=False)
    assert seen is not None
    assert set(seen.opponents) == {four[seat] for seat in four if seat not in side}


@pytest.mark.parametrize("game", games(), ids=lambda game: game.info.key)
def test_equal_results_give_the_first_player_an_equal_share(game: AnyGame) -> None:
    info = game.info
    for players, sides in info.sides.items():
        won = {seat: 2 for side in sides for seat in side}
        share, equal = first_player_share(info, players, won, 3, 2 * len(sides) + 3)
        assert share == pytest.approx(equal) == 100 / len(sides)
        assert first_player_share(info, players, {}, 0, 0) == (equal, equal)
