"""Time controls: how they are written, described and counted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.games.api import OptionError
from pbem.games.phrases import ENGLISH
from pbem.matches.clock import Clock
from pbem.matches.time_controls import control_of, examples, read_control, write_control
from pbem.matches.time_controls.days import Days

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
ANNA = 1
TWICE = "after 3 days in one turn, the clock runs twice as fast"

# Writing and describing


@pytest.mark.parametrize("text", examples())
def test_written_control_is_read_back(text: str) -> None:
    control = read_control(text)
    assert read_control(write_control(control)) == control


@pytest.mark.parametrize(
    ("text", "told"),
    (
        ("none", "no clock"),
        ("turns=10/50", "10 turns in 50 days; unused time carries over"),
        ("turns=1/1 nocarry", "1 turn in 1 day; unused time is lost"),
        (
            "bank=30 inc=1 cap=45",
            "30 days for the match, plus 1 day after each turn, up to 45 days",
        ),
        (
            "total=90 double=20",
            "90 days for the match; after 20 days in one turn, the clock runs twice as fast",
        ),
        (
            "weekends=off double=3 days=9",
            f"9 days per turn; {TWICE}; Saturdays and Sundays do not count",
        ),
    ),
)
def test_control_is_described_in_a_sentence(text: str, told: str) -> None:
    assert ENGLISH.text(read_control(text).agreed) == told


@pytest.mark.parametrize(
    ("text", "same"),
    (
        ("none", "days=0"),
        ("turns=10/50 carry", "turns=10/50"),
        ("double=20 total=90", "total=90 double=20"),
        ("days=5 weekends=on", "days=5"),
    ),
)
def test_equivalent_spellings_are_normalised(text: str, same: str) -> None:
    assert write_control(read_control(text)) == same


@pytest.mark.parametrize(
    ("text", "reason"),
    (
        ("", "single time control"),
        ("total=9 days=5", "single time control"),
        ("double=20", "single time control"),
        ("none days=5", "you can't combine"),
        ("days=5 inc=1", "single time control"),
        ("turns=10/50 carry nocarry", "you can't combine"),
        ("turns=10", "turns=10/50"),
        ("turns=0/50", "turns must be from 1 to 1000"),
        ("turns=10/9999", "days must be from 1 to 3650"),
        ("nocarry", "turns=10/50"),
        ("turns=10/50 nocarry=yes", "on its own"),
        ("bank=30", "bank=30 inc=1"),
        ("bank=30 inc=x", "a whole number"),
        ("bank=30 inc=1 cap=20", "at least the bank, 30"),
        ("total=0", "total must be from 1 to 3650"),
        ("none double=20", "a match with a clock"),
        ("days=5 weekends=never", "on or off"),
    ),
)
def test_impossible_control_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        read_control(text)


def test_single_switch_changes_the_control() -> None:
    assert write_control(control_of({"weekends": "off"}, Days(3))) == "days=3 weekends=off"
    agreed = read_control("total=90 double=20")
    assert write_control(control_of({"weekends": "on"}, agreed)) == "total=90 double=20"
    assert write_control(control_of({"days": "3"}, agreed)) == "days=3 double=20"
    assert write_control(control_of({"days": "3", "double": "off"}, agreed)) == "days=3"
    assert write_control(control_of({"none": ""}, agreed)) == "days=0"


# Counting


@pytest.mark.parametrize(
    ("text", "turns", "left"),
    (
        ("days=5", (1, 4, 6), (5, 5, 5)),
        ("total=9", (1, 4, 6), (8, 4, -2)),
        ("bank=3 inc=1", (1, 5, 1), (3, -1, -1)),
        ("bank=3 inc=2 cap=4", (0, 3, 0), (4, 3, 4)),
        ("turns=2/5", (1, 1, 9, 1), (4, 8, -1, 3)),
        ("turns=2/5 nocarry", (1, 1, 2, 4), (4, 5, 3, 4)),
        ("total=90 double=20", (23, 20), (64, 44)),
    ),
)
def test_time_left_after_each_turn(
    text: str, turns: tuple[int, ...], left: tuple[int, ...]
) -> None:
    clock, now, seen = Clock(read_control(text)), START, []
    for days in turns:
        clock = clock.start(ANNA, now).stop(now + DAY * days)
        now += DAY * days
        seen.append(clock.left(ANNA, now))
    assert seen == [DAY * days for days in left]
    assert clock.used(ANNA, now) == now - START


def test_time_runs_out_sooner_when_it_counts_twice() -> None:
    clock = Clock(read_control("total=90 double=20")).start(ANNA, START)
    assert clock.flag_at == START + DAY * 55
    assert clock.left(ANNA, START + DAY * 54) == DAY * 2


def test_time_left_is_capped_at_ten_years() -> None:
    clock = Clock(read_control("bank=3650 inc=3650"))
    for _ in range(9):
        clock = clock.start(ANNA, START)
    assert clock.added(ANNA, DAY * 99, START).left(ANNA, START) == DAY * 3650


def test_weekends_off_apply_in_the_players_zone_without_a_setting() -> None:
    saturday = START
    clock = Clock(read_control("days=5 weekends=off")).start(ANNA, saturday)
    assert clock.used(ANNA, saturday + DAY) == timedelta()
    assert clock.flag_at == datetime(2026, 11, 30, tzinfo=UTC)
