"""Pairing: who fits best, when that is good enough, and that nobody is put into two matches."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from pbem.matches.match import MatchOptions
from pbem.matches.offer_terms import OfferTerms
from pbem.matches.pairing import AT_ONCE, DEAREST, ENOUGH, Seeker, cost, groups

HOUR = timedelta(hours=1)
TWO = OfferTerms("lanko-68", 2, MatchOptions())
THREE = OfferTerms("lancelot", 3, MatchOptions())
ANNA = Seeker(1, 1, TWO, rating=1500, pace=12 * HOUR)

seekers = st.lists(
    st.builds(
        Seeker,
        number=st.integers(1, 40),
        player=st.integers(1, 9),
        terms=st.sampled_from((TWO, THREE)),
        waited=st.floats(0, 1),
        rating=st.none() | st.integers(800, 2400),
        pace=st.none() | st.integers(0, 300).map(lambda hours: hours * HOUR),
        offset=st.integers(-12, 14).map(lambda hours: hours * HOUR),
        place=st.none() | st.integers(0, 1),
    ),
    max_size=9,
    unique_by=lambda each: each.number,
)


@pytest.mark.parametrize(
    ("other", "costs"),
    (
        (ANNA, 0),
        (replace(ANNA, rating=1600), 0.5),
        (replace(ANNA, rating=2500), 2),
        (replace(ANNA, rating=None), 0.25),
        (replace(ANNA, pace=48 * HOUR), 1),
        (replace(ANNA, pace=6 * HOUR), 0.5),
        (replace(ANNA, pace=None), 0.125),
        (replace(ANNA, pace=timedelta()), 1),
        (replace(ANNA, offset=12 * HOUR), 1),
        (replace(ANNA, offset=-6 * HOUR), 0.5),
        (replace(ANNA, rating=1400, offset=3 * HOUR), 0.75),
    ),
)
def test_cost_adds_up_the_distances(other: Seeker, costs: float) -> None:
    assert cost(ANNA, other) == cost(other, ANNA) == pytest.approx(costs)


def test_zones_across_the_date_line_are_near() -> None:
    assert cost(replace(ANNA, offset=13 * HOUR), replace(ANNA, offset=-11 * HOUR)) == 0


def test_nearest_start_at_once_and_the_others_after_a_while() -> None:
    near = replace(ANNA, number=2, player=2, rating=1550)
    far = replace(ANNA, number=3, player=3, rating=1900)
    assert list(groups([ANNA, far], lambda *_: True)) == []
    assert list(groups([far, near, ANNA], lambda *_: True)) == [(ANNA, near)]
    waited = replace(far, waited=ENOUGH)
    assert list(groups([ANNA, waited], lambda *_: True)) == [], "Anna has only just come"
    both = [replace(each, waited=ENOUGH) for each in (ANNA, far)]
    assert list(groups(both, lambda *_: True)) == [tuple(both)]


@given(seekers, st.sets(st.tuples(st.integers(1, 9), st.integers(1, 9))))
def test_groups_are_whole_allowed_and_disjoint(
    found: list[Seeker], blocked: set[tuple[int, int]]
) -> None:
    def fits(one: Seeker, other: Seeker) -> bool:
        return not {(one.player, other.player), (other.player, one.player)} & blocked

    started = list(groups(found, fits))
    numbers = [each.number for group in started for each in group]
    assert len(numbers) == len(set(numbers))
    for group in started:
        assert len(group) == len({each.player for each in group}) == group[0].terms.players
        for one, other in combinations(group, 2):
            assert cost(one, other) <= min(one.tolerance, other.tolerance) <= DEAREST
            assert fits(one, other)
            assert one.terms == other.terms
            assert one.place is None or one.place != other.place
    assert list(groups(found[::-1], fits)) == started, "the order in which they come is nothing"
    left = [each for each in found if each.number not in numbers and each.terms == TWO]
    for one, other in combinations(left, 2):
        apart = one.place is None or one.place != other.place
        if fits(one, other) and one.player != other.player and apart:
            assert cost(one, other) > min(one.tolerance, other.tolerance) >= AT_ONCE
