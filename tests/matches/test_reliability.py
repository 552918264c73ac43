"""Reliability: figures, conditions of offers, matches left, and bans."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from pbem.games import game_of
from pbem.games.phrases import ENGLISH
from pbem.matches.match import MatchOptions, MatchSummary, new_match
from pbem.matches.offer_terms import OfferError
from pbem.matches.reliability import (
    NEW,
    BanRule,
    Conditions,
    Leaving,
    LeftMatch,
    Reliability,
    TurnTime,
    left_match,
    read_conditions,
    reliability_of,
    unmet,
)
from tests.matches.playing import START
from tests.matches.test_ratings import happenings

T0 = datetime(2026, 1, 1, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PUNCTUAL = Reliability(turns=40, in_time=38, median=30 * HOUR)


def test_lost_match_counts_as_a_late_turn() -> None:
    turns = [TurnTime(1, HOUR * hours, late=hours > 8) for hours in range(1, 10)]
    lost = LeftMatch(3, T0, Leaving.TIME)
    has = reliability_of(turns, [lost, LeftMatch(4, T0, Leaving.RESIGNED)], leave=6)
    assert (has.turns, has.in_time, has.percent, has.hours) == (10, 8, 80, 5)
    assert (has.left, has.leave, has.is_new) == (2, 6, False)
    assert reliability_of(turns, ()).is_new


@given(st.integers(NEW, 10_000), st.data())
def test_share_is_whole_only_if_every_turn_was_in_time(turns: int, data: st.DataObject) -> None:
    in_time = data.draw(st.integers(0, turns))
    percent = Reliability(turns, in_time).percent
    assert (percent == 100) == (in_time == turns)
    assert percent <= 100 * in_time / turns < percent + 1


@pytest.mark.parametrize(
    ("words", "has", "rating", "told"),
    (
        ("ontime=95", PUNCTUAL, None, ""),
        ("ontime=100", PUNCTUAL, None, "least 100% of their turns in time. You made 95%"),
        ("pace=36h", PUNCTUAL, None, ""),
        ("pace=1d", PUNCTUAL, None, "Half of your turns in the last year took 30 hours or more"),
        ("rating=1400-1700", PUNCTUAL, 1400, ""),
        ("rating=1400-1700", PUNCTUAL, 1399, "a rating of 1400 to 1700. Yours is 1399"),
        ("rating=-1700", PUNCTUAL, 1701, "a rating of 1700 or less. Yours is 1701"),
        ("rating=1400-", PUNCTUAL, 1399, "a rating of 1400 or more. Yours is 1399"),
        ("rating=1400-", PUNCTUAL, 2400, ""),
        ("rating=1400-", PUNCTUAL, None, ""),
        ("rating=1400- new=no", PUNCTUAL, None, "You have none yet"),
        ("ontime=100 pace=1d", Reliability(turns=9), None, ""),
        ("new=no", Reliability(turns=9), None, "at least 10 turns"),
        ("new=no", Reliability(turns=1), None, "You have made 1 turn"),
        ("new=no", PUNCTUAL, None, ""),
    ),
)
def test_refusal_names_the_condition_and_the_own_figure(
    words: str, has: Reliability, rating: int | None, told: str
) -> None:
    needs = read_conditions(dict(word.split("=") for word in words.split()))
    assert read_conditions(dict(needs.written)) == needs
    reason = unmet(needs, has, rating)
    assert (told in ENGLISH.text(reason)) if reason and told else (reason is None and not told)


@pytest.mark.parametrize(
    "word",
    (
        *("ontime=0", "ontime=93", "ontime=105", "ontime=lots"),
        *("pace=20h", "pace=fast", "new=perhaps"),
        *("rating=1500", "rating=1450-1600", "rating=1700-1400", "rating=1412-1800", "rating=-"),
    ),
)
def test_conditions_that_could_single_out_a_member_are_refused(word: str) -> None:
    with pytest.raises(OfferError):
        read_conditions(dict([word.split("=")]))


def test_no_conditions_let_everybody_in() -> None:
    assert unmet(read_conditions({}), Reliability(), None) is None
    assert read_conditions({"new": "yes"}) == Conditions()


RULE = BanRule(30 * DAY, 90 * DAY)


@pytest.mark.parametrize(
    ("days", "ends"),
    (
        ((), None),
        ((0,), 30),
        ((0, 3, 29), 30),
        ((0, 31), 121),
        ((0, 31, 100), 121),
        ((0, 365), 455),
        ((0, 366), 396),
        ((0, 31, 122), 212),
    ),
)
def test_ban_is_longer_after_another_absence_within_a_year(
    days: tuple[int, ...], ends: int | None
) -> None:
    losses = [T0 + DAY * day for day in days]
    assert RULE.ends_at(losses, None) == (None if ends is None else T0 + DAY * ends)


def test_lifted_ban_is_over_and_its_losses_are_forgotten() -> None:
    assert RULE.ends_at([T0], T0 + DAY) is None
    assert RULE.ends_at([T0, T0 + 40 * DAY], T0 + DAY) == T0 + 70 * DAY


def a_match() -> MatchSummary:
    return new_match(game_of("lanrick-1893"), [1, 2], MatchOptions(), T0)


@pytest.mark.parametrize(
    ("told", "how"),
    (
        ("", None),
        ("9 yellow flag_fell", None),
        ("9 yellow lost_on_time", Leaving.TIME),
        ("9 black lost_on_time", None),
        ("9 yellow forfeited", Leaving.FORFEIT),
        ("4 yellow resigned", Leaving.RESIGNED),
        ("5 yellow resigned", None),
        ("9 yellow lost_on_time, 9 - reopened", None),
        ("9 yellow lost_on_time, 30 - reopened", Leaving.TIME),
        ("9 yellow lost_on_time, 9 - undone 7", None),
        ("9 yellow lost_on_time, 12 - undone 11", Leaving.TIME),
        ("9 yellow replaced 1 3", Leaving.REPLACED),
        ("9 yellow replaced 2 1", None),
        ("9 yellow kept 1 3", Leaving.REPLACED),
        ("9 yellow kept 1 3, 10 yellow given_back 3 1", None),
        ("9 yellow replaced 1 3, 12 - reopened", Leaving.REPLACED),
    ),
)
def test_match_is_left_by_what_its_history_says(told: str, how: Leaving | None) -> None:
    left = left_match(1, a_match(), happenings(told))
    assert left == (None if how is None else LeftMatch(a_match().id, START, how))
