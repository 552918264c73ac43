"""Time left in emails: never more than remains, and less than one unit short."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from pbem.mail.outgoing.time_view import Length, due, length

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


def shown(time: Length) -> timedelta:
    return timedelta(days=time.days, hours=time.hours, minutes=time.minutes)


@given(st.integers(0, 400 * 24 * 3600).map(lambda seconds: SECOND * seconds))
def test_time_left_is_rounded_down_by_less_than_a_unit(left: timedelta) -> None:
    seen = length(left)
    unit = HOUR if left >= 6 * HOUR else MINUTE
    assert left - unit < shown(seen) <= left
    assert due(NOW + left, "Asia/Kathmandu", NOW).left == seen


@pytest.mark.parametrize(("seconds", "past"), ((-1, True), (0, False), (1, False)))
def test_moment_is_past_once_it_has_passed(seconds: int, past: bool) -> None:
    there = due(NOW + SECOND * seconds, "UTC", NOW)
    assert (there.past, shown(there.left)) == (past, timedelta())
