"""Quiet times: how much time is charged to a player, to the second, in any zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games.api import OptionError
from pbem.matches.off_time import ALWAYS, Schedule, utc_offsets
from pbem.matches.zones import Nights
from tests.matches.naive_time import MINUTE
from tests.matches.schedules import hard_moment, rests, schedule_of
from tests.matches.zone_files import HARD, ODD, changes
from tests.support.examples import examples

NOTHING = timedelta()
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
WARSAW = Schedule("Europe/Warsaw")


def nights(text: str, zone: str = "Europe/Warsaw") -> Schedule:
    return Schedule(zone, nights=Nights.read(text))


def at(text: str, zone: str = "Europe/Warsaw") -> datetime:
    """Return a moment of local time."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def wall(moment: datetime, zone: str = "Europe/Warsaw") -> str:
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


# Quiet times


def test_all_time_is_charged_without_quiet_times() -> None:
    start = at("2026-11-20 23:00")
    assert ALWAYS.counted(start, start + DAY * 9) == DAY * 9
    assert ALWAYS.when(start, DAY * 9) == start + DAY * 9
    assert not ALWAYS.quiet_at(start)


def test_five_working_days_from_a_wednesday() -> None:
    weekdays = Schedule("Europe/Warsaw", weekends=True)
    start = at("2026-11-18 15:00")
    assert wall(weekdays.when(start, DAY * 5)) == "2026-11-25 15:00"
    assert weekdays.counted(start, at("2026-11-25 15:00")) == DAY * 5
    assert weekdays.quiet_at(at("2026-11-21 00:00"))
    assert not weekdays.quiet_at(at("2026-11-23 00:00"))


def test_time_used_up_when_a_quiet_time_starts_lasts_until_its_end() -> None:
    weekdays = Schedule("Europe/Warsaw", weekends=True)
    assert wall(weekdays.when(at("2026-11-21 09:00"), DAY * 5)) == "2026-11-30 00:00"
    assert wall(nights("22-08").when(at("2026-11-18 21:00"), HOUR)) == "2026-11-19 08:00"


def test_night_may_start_after_midnight() -> None:
    early = nights("01:30-7")
    assert early.counted(at("2026-11-18 00:00"), at("2026-11-19 00:00")) == HOUR * 18.5
    assert early.quiet_at(at("2026-11-18 06:59"))
    assert not early.quiet_at(at("2026-11-18 01:29"))


def test_holidays_are_days_on_the_players_calendar() -> None:
    home = WARSAW.on_holidays([date(2026, 12, 25), date(2026, 12, 26)])
    assert home.counted(at("2026-12-24 12:00"), at("2026-12-27 12:00")) == DAY
    assert home.quiet_at(at("2026-12-25 00:00"))
    assert home.on_holidays([date(2026, 12, 25)]) == home


def test_leave_overlapping_quiet_times_or_leave_counts_once() -> None:
    start, end = at("2026-11-20 12:00"), at("2026-11-24 12:00")
    away = Schedule("Europe/Warsaw", weekends=True).on_leave(start, end)
    assert away.counted(at("2026-11-19 12:00"), at("2026-11-25 12:00")) == DAY * 2
    longer = away.on_leave(end, end + DAY)
    assert longer == away.on_leave(end - HOUR, end + DAY) != away
    assert longer.back(end) == away
    assert away.back(start) == Schedule("Europe/Warsaw", weekends=True) == away.back(start - DAY)
    assert away.on_leave(end, end) == away


@pytest.mark.parametrize(
    ("start", "end", "hours"),
    (
        ("2026-03-28 12:00", "2026-03-29 12:00", 14),  # the night is an hour shorter
        ("2026-10-24 12:00", "2026-10-25 12:00", 14),  # and an hour longer
    ),
)
def test_day_keeps_its_length_if_clocks_change_at_night(start: str, end: str, hours: int) -> None:
    assert nights("22-08").counted(at(start), at(end)) == HOUR * hours


def test_day_skipped_by_the_date_line_is_not_quiet() -> None:
    apia = "Pacific/Apia"  # after Thursday 29 came Saturday 31
    off = Schedule(apia, weekends=True).on_holidays([date(2011, 12, 30)])
    start, end = at("2011-12-29 12:00", apia), at("2012-01-02 12:00", apia)
    assert end - start == DAY * 3
    assert off.counted(start, end) == DAY
    assert wall(off.when(start, HOUR * 12), apia) == "2012-01-02 00:00"


# As players write it


@pytest.mark.parametrize(
    ("text", "printed"),
    (
        ("22-08", "22-08"),
        ("22:30-7", "22:30-07"),
        ("24 - 6", "00-06"),
        ("0-00:30", "00-00:30"),
        ("10pm to 7.30 AM", "22-07:30"),
    ),
)
def test_nights_are_read_and_printed(text: str, printed: str) -> None:
    assert str(Nights.read(text)) == printed
    assert Nights.read(printed) == Nights.read(text)


@pytest.mark.parametrize(
    "text", ("", "22", "22-25", "22:60-8", "8-22", "8-8", "13pm-6am", "ten to six")
)
def test_invalid_night_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(OptionError, match="night"):
        Nights.read(text)


# Zones


def test_zone_may_be_a_utc_offset_and_an_unknown_zone_is_utc() -> None:
    start = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
    assert nights("22-08", "UTC+2").when(start, HOUR * 8) == start + HOUR * 18
    assert nights("22-08", "Mars/Olympus").when(start, HOUR * 10) == start + HOUR * 20


# Against a simpler implementation

hard_zones = st.sampled_from(sorted(HARD))
whole_minutes = st.integers(-3 * 1440, 3 * 1440)


@settings(max_examples=examples(50), deadline=None)
@given(st.data())
def test_charged_time_agrees_minute_by_minute(data: st.DataObject) -> None:
    zone = data.draw(hard_zones)
    moment = hard_moment(zone)
    rest = data.draw(rests(zone, moment))
    # Offsets with odd seconds need steps of seconds, over a shorter time.
    step = SECOND if zone in ODD else MINUTE
    since = moment + step * data.draw(whole_minutes)
    length = step * data.draw(st.integers(0, 3 * 1440))
    schedule = schedule_of(rest)
    assert schedule.counted(since, since + length) == rest.counted(since, since + length, step)
    amount = step * data.draw(st.integers(0, 2 * 1440))
    assert schedule.when(since, amount) == rest.when(since, amount, step)
    assert schedule.when(moment, NOTHING) == rest.when(moment, NOTHING, step)


@settings(max_examples=examples(100), deadline=None)
@given(st.data())
def test_counted_time_adds_up_over_years_in_both_directions(data: st.DataObject) -> None:
    zone = data.draw(hard_zones)
    start = hard_moment(zone) + SECOND * data.draw(st.integers(0, 86400))
    schedule = schedule_of(data.draw(rests(zone, start)))
    middle = start + SECOND * data.draw(st.integers(0, 86400 * 2000))
    end = middle + SECOND * data.draw(st.integers(0, 86400 * 2000))
    whole = schedule.counted(start, end)
    assert whole == schedule.counted(start, middle) + schedule.counted(middle, end)
    assert whole <= end - start
    then = schedule.when(start, whole)
    assert then >= end
    assert schedule.counted(start, then) == whole
    assert not schedule.quiet_at(then)
    assert schedule.counted(start, then + SECOND) > whole


@settings(max_examples=examples(20), deadline=None)
@given(st.sampled_from(sorted(available_timezones())))
def test_offsets_change_when_the_zone_files_say(zone: str) -> None:
    first, last = datetime(1965, 1, 1, tzinfo=UTC), datetime(2037, 1, 1, tzinfo=UTC)
    parts = list(utc_offsets(zone, first, last))
    seen = [
        (after.start, after.offset)
        for before, after in pairwise(parts)
        if before.offset != after.offset
    ]
    listed = [(moment, offset) for moment, offset in changes(zone) if first < moment < last]
    assert seen[: len(listed)] == listed
