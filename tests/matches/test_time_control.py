"""The simple time control (docs/contracts.md, "Clocks")."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pbem.matches.clock import Clock, outage
from pbem.matches.time_controls.days import Days

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def falls(days: int) -> list[tuple[str, timedelta]]:
    clock = Clock(Days(days)).start(1, START)
    return [(str(due.kind), due.due_at - START) for due in clock.dues]


def test_reminders_come_at_half_time_and_a_day_before_the_end() -> None:
    assert falls(5) == [
        ("50%", timedelta(days=2, hours=12)),
        ("1d", timedelta(days=4)),
        ("flag", timedelta(days=5)),
    ]


def test_turn_of_one_day_has_no_reminder_a_day_before() -> None:
    assert falls(1) == [("50%", timedelta(hours=12)), ("flag", timedelta(days=1))]


def test_two_reminders_at_one_moment_are_one() -> None:
    assert falls(2) == [("1d", timedelta(days=1)), ("flag", timedelta(days=2))]


def test_half_time_comes_first_in_a_turn_of_three_days() -> None:
    assert [kind for kind, _ in falls(3)] == ["50%", "1d", "flag"]


def test_nothing_falls_due_without_a_limit() -> None:
    assert falls(0) == []


def test_gap_of_more_than_ten_minutes_is_an_outage() -> None:
    assert outage(START, START + timedelta(minutes=10)) is None
    gap = timedelta(minutes=10, seconds=1)
    assert outage(START, START + gap) == gap


def test_first_heartbeat_ends_no_outage() -> None:
    assert outage(None, START) is None
