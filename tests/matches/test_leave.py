"""Leave: calendar days in the player's time zone, a limited number a year."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from pbem.matches.leave import Budget, Leave, LeaveError, check, leave_for, rest_of_day

WARSAW = "Europe/Warsaw"
NOW = datetime(2026, 12, 10, 15, 30, tzinfo=UTC)
DAY = timedelta(days=1)


def of_december(first: int, last: int, at: datetime = NOW) -> Leave:
    return leave_for(
        date(2026, 12, 1) + (first - 1) * DAY, date(2026, 12, 1) + (last - 1) * DAY, WARSAW, at
    )


def test_leave_is_whole_local_days_and_counts_in_each_year() -> None:
    leave = of_december(20, 34)
    assert leave.start == datetime(2026, 12, 19, 23, tzinfo=UTC)
    assert leave.end == datetime(2027, 1, 3, 23, tzinfo=UTC)
    budget = Budget(30).taken(leave)
    assert (budget.used(2026), budget.used(2027)) == (12, 3)
    assert (budget.left(2026), budget.left(2027), budget.left(2028)) == (18, 27, 30)


def test_leave_from_today_is_not_retroactive_but_uses_today() -> None:
    leave = of_december(10, 11)
    assert leave.start == NOW
    assert Budget(30).taken(leave).used(2026) == 2


def test_overlapping_leaves_are_merged_and_no_day_counts_twice() -> None:
    budget = (
        Budget(30).taken(of_december(12, 16)).taken(of_december(15, 20)).taken(of_december(21, 22))
    )
    assert budget.leaves == (of_december(12, 22),)
    assert budget.used(2026) == 11
    assert budget.taken(of_december(13, 14)) == budget


def test_returning_early_uses_only_the_days_started() -> None:
    budget = Budget(30).taken(of_december(10, 20))
    at = NOW + 2 * DAY
    back = budget.ended(WARSAW, at)
    assert (back.used(2026), back.at(at), back.coming(at)) == (3, None, [])
    again = back.taken(of_december(12, 13, at + timedelta(hours=2)))
    assert again.used(2026) == 4
    assert again.ended(WARSAW, at + timedelta(hours=3)).used(2026) == 3


def test_leave_is_shortened_or_given_back_by_a_day_in_it() -> None:
    budget = Budget(30).taken(of_december(10, 20)).taken(of_december(25, 30))
    shorter = budget.given_back(date(2026, 12, 15), WARSAW, NOW)
    assert shorter.leaves == (of_december(10, 14), of_december(25, 30))
    assert shorter.given_back(date(2026, 12, 25), WARSAW, NOW).used(2026) == 5
    assert (
        shorter.given_back(date(2026, 12, 10), WARSAW, NOW + timedelta(minutes=1)).used(2026) == 7
    )
    for day in (9, 15, 24, 31):
        with pytest.raises(LeaveError):
            shorter.given_back(date(2026, 12, day), WARSAW, NOW)


def test_leave_is_limited_to_the_days_of_a_year() -> None:
    budget = Budget(5).taken(of_december(10, 12))
    with pytest.raises(LeaveError):
        budget.taken(of_december(12, 15))
    assert budget.as_much_of(of_december(12, 40), WARSAW) == of_december(12, 14)
    assert budget.taken(of_december(30, 36)).used(2027) == 5
    assert Budget(0).as_much_of(of_december(12, 12), WARSAW) is None
    fewer = Budget(2, budget.leaves)
    assert fewer.left(2026) == 0
    assert fewer.taken(of_december(11, 12)).leaves == budget.leaves


@pytest.mark.parametrize("days", ((9, 12), (8, 9), (14, 12), (10 + 367, 10 + 368), (11, 900)))
def test_impossible_leave_is_refused(days: tuple[int, int]) -> None:
    with pytest.raises(LeaveError):
        check(of_december(*days), WARSAW, NOW)


@pytest.mark.parametrize(
    "zone", ("Africa/Cairo", "America/Sao_Paulo", "Asia/Beirut", "Pacific/Apia")
)
@given(first=st.dates(date(2009, 1, 1), date(2013, 1, 1)), length=st.integers(1, 40))
def test_leave_days_are_contiguous_in_every_zone(zone: str, first: date, length: int) -> None:
    at = datetime(2008, 1, 1, tzinfo=UTC)
    leave = leave_for(first, first + (length - 1) * DAY, zone, at)
    after = leave_for(first + length * DAY, first + length * DAY, zone, at)
    assert leave.end == after.start
    assert leave.start <= leave.end
    one_by_one = Budget(366)
    for day in leave.days:
        one_by_one = one_by_one.taken(leave_for(day, day, zone, at))
    assert one_by_one.leaves == (leave,)


@given(st.timedeltas(timedelta(), timedelta(days=700)))
def test_rest_of_a_day_ends_with_the_day(later: timedelta) -> None:
    at = NOW + later
    leave = rest_of_day(at, WARSAW)
    assert (leave.start, leave.first) == (at, leave.last)
    assert timedelta() < leave.end - at <= timedelta(hours=25)
    assert Budget(1).taken(leave).left(leave.first.year) == 0
