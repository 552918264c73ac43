"""Calendar events: one for each turn, which changes only when the turn does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, strategies as st
from icalendar import Calendar

from pbem.mail.outgoing.calendar import Deadline, attached, feed

NOW = datetime(2026, 11, 22, 12, 0, 5, 700, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def turn(number: int, due_in: timedelta | None = DAY, *, fallen: bool = False) -> Deadline:
    due_at = None if due_in is None else NOW + due_in
    return Deadline(f"turn-{number}@club.example", "Your turn, in one; or", NOW, due_at, fallen)


def events(data: bytes | str) -> dict[str, Any]:
    return {str(event["uid"]): event for event in Calendar.from_ical(data).walk("VEVENT")}


def said(event: Any) -> tuple[object, str]:
    """Return what a calendar shows of an event."""
    return event.decoded("dtstart"), str(event["status"])


def test_attached_calendar_is_published_and_invites_nobody() -> None:
    text = attached([turn(1), turn(2, None)], "club@club.example", NOW + HOUR)
    assert "METHOD:PUBLISH\r\n" in text
    assert "ATTENDEE" not in text
    assert "ALARM" not in text
    first, second = events(text).values()
    assert (first["status"], second["status"]) == ("CONFIRMED", "CANCELLED")
    assert first["sequence"] == 60


def test_unreadable_feed_is_replaced() -> None:
    assert len(events(feed("pbem", [turn(1)], b"BEGIN:VCALENDAR\r\nnonsense", NOW))) == 1


def test_cancelled_event_stays_for_a_month_and_can_come_back() -> None:
    begun = feed("pbem", [turn(1), turn(2)], None, NOW)
    passed = feed("pbem", [turn(2, None)], begun, NOW + HOUR)
    assert {event["status"] for event in events(passed).values()} == {"CANCELLED"}
    again = feed("pbem", [turn(2)], passed, NOW + DAY)
    assert said(events(again)["turn-2@club.example"]) == said(events(begun)["turn-2@club.example"])
    later = feed("pbem", [turn(2)], again, NOW + 32 * DAY)
    assert list(events(later)) == ["turn-2@club.example"]


def test_expired_clock_changes_nothing() -> None:
    begun = feed("pbem", [turn(1)], None, NOW)
    assert feed("pbem", [turn(1, None, fallen=True)], begun, NOW + 2 * DAY) == begun


turns = st.dictionaries(
    st.integers(1, 3), st.none() | st.sampled_from((DAY, 2 * DAY, DAY + HOUR)), max_size=3
)


@given(st.lists(st.tuples(turns, st.integers(0, 100)), min_size=2, max_size=6))
def test_sequence_rises_only_when_the_event_changes(
    steps: list[tuple[dict[int, timedelta | None], int]],
) -> None:
    now, data = NOW, b""
    before: dict[str, Any] = {}
    for running, hours in steps:
        now += HOUR * hours
        data = feed("pbem", [turn(*each) for each in running.items()], data, now)
        after = events(data)
        for uid, event in after.items():
            if uid in before:
                changed = said(event) != said(before[uid])
                assert (event["sequence"] > before[uid]["sequence"]) == changed
                assert (event["dtstamp"].dt > before[uid]["dtstamp"].dt) <= changed
        due = {f"turn-{number}@club.example" for number, time in running.items() if time}
        assert {uid for uid, event in after.items() if event["status"] == "CONFIRMED"} == due
        before = after
