"""Quiet hours at night: no reminder comes then, and two that would come together are merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings, strategies as st

from pbem.matches.clock import Clock
from pbem.matches.off_time import ALWAYS, Schedule
from pbem.matches.reminders import USUAL, Reminders, Rest, falls_in
from pbem.matches.time_control import FLAG, DeadlineKind, Due
from pbem.matches.time_controls import read_control
from pbem.matches.zones import Nights
from tests.matches.naive_time import MINUTE
from tests.matches.schedules import hard_moment, minutes_of_nights
from tests.matches.zone_files import HARD, ODD
from tests.support.examples import examples

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
WISHES = "50% 1d 8h 7h 1h"


def clock(days: int, rest: Rest | None, schedule: Schedule = ALWAYS, at: datetime = NOON) -> Clock:
    """Return the clock of a player who wants many reminders."""
    reminders = replace(Reminders.read(WISHES), rest=rest)
    return Clock(read_control(f"days={days}")).start(1, at, schedule=schedule, reminders=reminders)


def falls(some: Clock) -> dict[str, float]:
    """Return what falls due, in hours from noon."""
    return {str(due.kind): (due.due_at - NOON) / HOUR for due in some.dues}


def test_reminder_waits_for_the_morning() -> None:
    begun = clock(2, Rest("UTC"), at=NOON - HOUR)  # time runs out at eleven in the morning
    assert falls(begun) == {"1d": 23, "7h": 44, "1h": 46, "flag": 47}


def test_reminder_comes_in_the_evening_if_time_runs_out_before_morning() -> None:
    begun = clock(2, Rest("UTC"), at=NOON - 8 * HOUR)  # at four in the morning
    assert falls(begun) == {"1d": 20, "8h": 32, "1h": 34, "flag": 40}


def test_only_the_later_of_two_close_reminders_is_sent() -> None:
    """Half the time is gone before eight in the morning, and a day is left at noon."""
    usual = replace(USUAL, rest=Rest("UTC"))
    turn = Clock(read_control("total=3")).start(1, NOON).stop(NOON + 15 * HOUR)
    begun = turn.start(1, NOON + 15 * HOUR, reminders=usual)
    assert falls(begun) == {"1d": 48, "flag": 72}, "50% would come at 44"


def test_earlier_reminder_does_not_come_back_once_the_later_was_sent() -> None:
    begun = clock(2, Rest("UTC"), at=NOON - HOUR)
    sent = begun.see_to(DeadlineKind("1d")).see_to(DeadlineKind("7h"))
    assert falls(sent) == {"1h": 46, "flag": 47}
    moved = sent.rescheduled(ALWAYS, NOON + 45 * HOUR)
    assert falls(moved) == {"1h": 46, "flag": 47}


def test_reminder_does_not_come_with_the_email_that_started_the_turn() -> None:
    """The turn starts at night, and its time runs out in the same night."""
    short = Clock(read_control("total=1")).start(1, NOON).stop(NOON + 18 * HOUR)
    reminders = replace(Reminders.read("50% 1h"), rest=Rest("UTC"))
    begun = short.start(1, NOON + 11 * HOUR, reminders=reminders)
    assert falls(begun) == {"flag": 17}
    assert falls(begun.credit(HOUR, after=NOON + 12 * HOUR)) == {"flag": 18}, "it is still night"


def test_reminder_does_not_come_once_time_ran_out() -> None:
    """A turn that started in the night in which it ended. Later, the service is down."""
    short = Clock(read_control("total=1")).start(1, NOON).stop(NOON + 18 * HOUR)
    reminders = replace(Reminders.read("50% 1h"), rest=Rest("UTC"))
    late = short.start(1, NOON + 11 * HOUR, reminders=reminders).see_to(FLAG)
    assert falls(late.credit(HOUR, after=NOON + 3 * DAY)) == {}


def test_reminder_that_waits_for_the_morning_follows_a_changed_zone() -> None:
    waits = clock(2, Rest("UTC"), at=NOON - 9 * HOUR)  # half the time is gone at three
    night = NOON + 16 * HOUR
    moved = waits.reminded(replace(waits.reminders, rest=Rest("Asia/Tokyo")), night)
    assert falls(moved)["1d"] == 15, "it is day there, so that it is due at once"


def nights(zone: str, night: tuple[int, int], moment: datetime) -> bool:
    """Return whether local time is in the night."""
    wall = moment.astimezone(ZoneInfo(zone))
    begin, end = night
    minutes = wall.hour * 60 + wall.minute
    return begin <= minutes < end if begin < end else minutes >= begin or minutes < end


@settings(max_examples=examples(100), deadline=None)
@given(st.data())
def test_reminders_come_by_day_and_not_close_together(data: st.DataObject) -> None:
    zone = data.draw(st.sampled_from(sorted(set(HARD) - ODD)))
    night = data.draw(minutes_of_nights)
    rest = Rest(zone, _nights(night))
    start = hard_moment(zone) - MINUTE * data.draw(st.integers(0, 3000))
    schedule = data.draw(st.sampled_from((ALWAYS, Schedule(zone, weekends=True))))
    days = data.draw(st.integers(1, 4))
    dues = clock(days, rest, schedule, start).dues
    flag_at = dict(dues)[FLAG]

    wanted = {}
    for kind, after in falls_in(timedelta(days=days), Reminders.read(WISHES)):
        wanted[kind] = due_at = schedule.when(start, after)
        if kind != FLAG and nights(zone, night, due_at):
            evening, morning = _night_around(zone, night, due_at)
            wanted[kind] = morning if morning < flag_at else evening
    # If a turn starts in the night in which its time runs out, there is no reminder.
    wanted = {kind: due_at for kind, due_at in wanted.items() if due_at > start}
    assert dict(dues) == dict(_apart(wanted))
    assert _most_in_a_night(zone, night, dues) <= 1
    assert len(dues) > 1 or len(wanted) == 1, "a reminder comes before the end"


def _apart(wanted: dict[DeadlineKind, datetime]) -> Iterator[tuple[DeadlineKind, datetime]]:
    """Leave out each reminder that another follows within a quarter of the time then left."""
    flag_at = wanted[FLAG]
    yield FLAG, flag_at
    kept: list[datetime] = []
    latest_first = sorted(wanted.items(), key=lambda each: each[1])[::-1]
    for kind, due_at in latest_first:
        if kind != FLAG and not any(4 * (each - due_at) < flag_at - due_at for each in kept):
            kept.append(due_at)
            yield kind, due_at


def _nights(night: tuple[int, int]) -> Nights:
    begin, end = night
    return Nights(MINUTE * begin, MINUTE * end)


def _night_around(zone: str, night: tuple[int, int], moment: datetime) -> tuple[datetime, datetime]:
    """Return start and end of the night around a moment, minute by minute."""
    begin = end = moment.replace(second=0, microsecond=0)
    while nights(zone, night, begin - MINUTE):
        begin -= MINUTE
    while nights(zone, night, end):
        end += MINUTE
    return begin, end


def _most_in_a_night(zone: str, night: tuple[int, int], dues: tuple[Due, ...]) -> int:
    """Return the largest number of different reminder times in one night."""
    found = defaultdict(set)
    for kind, due_at in dues:
        if kind != FLAG and nights(zone, night, due_at):
            found[_night_around(zone, night, due_at)].add(due_at)
    return max(map(len, found.values()), default=0)
