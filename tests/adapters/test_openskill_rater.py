"""openskill's model: the formula of its paper, and the rules that ratings must obey."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.matches.ratings import NEW, Rating

RATER = OpenSkillRater()
BETA, TAU, KAPPA = 25 / 6, 25 / 300, 0.0001

ratings = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 25 / 3), st.integers(0, 99))
sides = st.lists(st.lists(ratings, min_size=1, max_size=2), min_size=2, max_size=5)


@st.composite
def results(draw: st.DrawFn) -> tuple[list[list[Rating]], list[int]]:
    """Return two to five sides with their ranks."""
    some = draw(sides)
    return some, draw(st.lists(st.integers(0, 1), min_size=len(some), max_size=len(some)))


def weng_lin(sides: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[Rating]]:
    """Return new ratings by algorithm 1 of Weng and Lin (2011), written down from the paper."""
    variance = [[each.deviation**2 + TAU**2 for each in side] for side in sides]
    team = [(sum(e.mean for e in s), sum(v)) for s, v in zip(sides, variance, strict=True)]
    new = []
    for i, (mean, var) in enumerate(team):
        omega = delta = 0.0
        for q, (other_mean, other_var) in enumerate(team):
            if q != i:
                c = math.sqrt(var + other_var + 2 * BETA**2)
                p = 1 / (1 + math.exp((other_mean - mean) / c))
                score = 0.5 if ranks[q] == ranks[i] else float(ranks[q] > ranks[i])
                omega += var / c * (score - p)
                delta += math.sqrt(var) / c * var / c**2 * p * (1 - p)
        new.append(
            [
                Rating(
                    each.mean + v / var * omega,
                    math.sqrt(v * max(1 - v / var * delta, KAPPA)),
                    each.matches + 1,
                )
                for each, v in zip(sides[i], variance[i], strict=True)
            ]
        )
    return new


def close(one: Sequence[Sequence[Rating]], other: Sequence[Sequence[Rating]]) -> bool:
    pairs = [
        (a, b)
        for these, those in zip(one, other, strict=True)
        for a, b in zip(these, those, strict=True)
    ]
    return all(
        a.mean == pytest.approx(b.mean, rel=1e-12)
        and a.deviation == pytest.approx(b.deviation, rel=1e-12)
        and a.matches == b.matches
        for a, b in pairs
    )


@given(results())
def test_model_is_the_formula_of_the_paper(result: tuple[list[list[Rating]], list[int]]) -> None:
    assert close(RATER.rate(*result), weng_lin(*result))


@given(results())
def test_order_of_sides_makes_no_difference_to_the_last_digit(
    result: tuple[list[list[Rating]], list[int]],
) -> None:
    some, ranks = result
    due = RATER.rate(some, ranks)
    for order in permutations(range(len(some))):
        rated = RATER.rate([some[at] for at in order], [ranks[at] for at in order])
        assert rated == [due[at] for at in order]


@given(st.floats(0, 50), st.lists(st.floats(0.5, 25 / 3), min_size=2, max_size=5))
def test_draw_of_equals_changes_only_uncertainty(mean: float, deviations: list[float]) -> None:
    rated = RATER.rate([[Rating(mean, each)] for each in deviations], [0] * len(deviations))
    assert [side[0].mean for side in rated] == [mean] * len(deviations)


@given(st.floats(0, 50), st.floats(1, 25 / 3), st.integers(1, 4), st.integers(1, 4))
def test_equal_winners_gain_the_same_and_losers_lose_the_same(
    mean: float, deviation: float, winners: int, losers: int
) -> None:
    ranks = [0] * winners + [1] * losers
    rated = RATER.rate([[Rating(mean, deviation)] for _ in ranks], ranks)
    gains = [side[0].mean - mean for side in rated]
    assert len({*gains[:winners]}) == len({*gains[winners:]}) == 1
    assert gains[0] > 0 > gains[-1]
    assert sum(gains) == pytest.approx(0, abs=1e-9)


def test_two_who_share_a_win_end_above_the_third() -> None:
    """PlackettLuce puts the third above them: openskill's issues 155, 176 and 203."""
    one, other, third = RATER.rate([[NEW]] * 3, [0, 0, 1])
    assert one == other
    assert one[0].mean > NEW.mean > third[0].mean


def test_player_named_twice_in_a_side_changes_the_same_both_times() -> None:
    [[alone, again], pair] = RATER.rate([[NEW, NEW], [NEW, NEW]], [0, 1])
    assert alone == again
    assert alone.mean - NEW.mean == pytest.approx(NEW.mean - pair[0].mean)


def test_method_names_the_pinned_version() -> None:
    assert RATER.method == "openskill-6.2.0-bradley-terry-full"
