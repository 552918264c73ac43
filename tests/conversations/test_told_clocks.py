"""Clocks in emails: everyone's time, time off, and a club's holidays."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.adapters.club_holidays import read_holidays
from pbem.service.clocks.schedule import freshen
from tests.conversations.house import House, Person
from tests.conversations.test_directing import legal, plain, plays, record
from tests.fakes.clock import FakeClock

DAY = 86_400
"""Seconds in a day."""
MONDAY = datetime(2026, 12, 14, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(MONDAY)


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", time_zone="Europe/Warsaw")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def on_holidays(house: House, *written: str) -> None:
    house.club = replace(house.club, holidays=read_holidays(written))


def test_everyones_time_is_shown(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, time="bank=30 inc=1 cap=45")
    house.passes(days=3.5)
    plays(house, anna, "[41-36]")
    receipt = plain(anna)
    assert receipt.index("Bert has until") < receipt.index("* * *")
    assert receipt.index("* * *") < receipt.index("Time left: you 27 d 12 h, Bert 30 d.")
    assert "Time left: you 30 d, Anna 27 d 12 h." in plain(bert)
    house.passes(days=2)
    bert.receives()
    bert.says("show")
    house.works()
    assert "Time left: you 28 d, Anna 27 d 12 h." in plain(bert)


def test_show_gives_each_player_the_deadline_in_their_zone(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    for person in (anna, bert):
        person.receives()
        person.says("show")
    house.works()
    own, others = plain(anna), plain(bert)
    assert "Please answer by Saturday 19 December, 13:00 (Warsaw): 5 days left." in own
    assert own.count("Saturday") == 1
    assert "Anna has until Saturday 19 December, 12:00 (UTC)." in others


def test_time_used_is_shown_without_a_time_limit(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, time="none")
    house.passes(days=1.5)
    plays(house, anna, "[41-36]")
    assert "Time used: you 1 d 12 h, Bert 0 min." in plain(anna)


def test_record_holds_time_used_and_left(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, time="bank=30 inc=1 cap=45")
    house.clock.advance(days=2)
    plays(house, anna, "[41-36]")
    house.clock.advance(days=3)
    house.resigns(bert)
    assert "Time used: you 3 d, Anna 2 d." in plain(bert)
    found = record(house)
    assert dict(found.used) == pytest.approx({1: 2 * DAY, 2: 3 * DAY}, abs=1)
    assert found.left[1] == pytest.approx(29 * DAY, abs=1)


def test_time_off_is_shown(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, time="days=5 weekends=off")
    plays(house, anna, "set nights 22-08")
    plays(house, anna, "show")
    assert "Time off: nights 22-08, weekends." in plain(anna)
    house.clock.advance(hours=10)
    plays(house, anna, "show")
    assert "until Tuesday 15 December, 08:00 (Warsaw): it is night for you." in plain(anna)
    plays(house, bert, "show")
    told = plain(bert)
    assert "until Tuesday 15 December, 07:00 (UTC): it is night for Anna." in told
    assert "Time off for Anna: nights 22-08, weekends." in told
    house.clock.advance(days=4.5)
    plays(house, anna, "show")
    assert "until Monday 21 December, 08:00 (Warsaw): it is the weekend." in plain(anna)


def test_holidays_follow_each_players_time_zone(house: House, anna: Person, bert: Person) -> None:
    on_holidays(house, "2026-12-16", "PL", "2026-12-27/2026-12-31")
    house.match("lanko-68", anna, bert, days=2)
    assert house.flag_at() == pytest.approx(MONDAY + timedelta(days=3), abs=timedelta(minutes=1))
    assert "Time off: 16 December." in plain(anna)
    house.clock.advance(days=1.5)
    plays(house, anna, "show")
    assert (
        "The clocks are paused until Thursday 17 December, 00:00 (Warsaw): it is a holiday"
        in plain(anna)
    )
    house.clock.advance(days=8)
    plays(house, anna, "[41-36]")
    told = plain(bert)
    assert "The clocks are paused until Saturday 2 January, 00:00 (UTC): it is a holiday." in told
    assert "Time off: 24 December to 1 January." in told


def test_changed_holidays_apply_to_turns_in_progress(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    before = house.flag_at()
    assert before is not None
    assert freshen(house.club) == 0
    on_holidays(house, "2026-12-15", "2026-12-14")
    house.clock.advance(hours=6)
    assert freshen(house.club) == 1
    later = house.flag_at()
    assert later is not None
    assert timedelta(days=1) < later - before < timedelta(days=2), "used time stays used"
    assert freshen(house.club) == 0
    on_holidays(house)
    freshen(house.club)
    assert house.flag_at() == pytest.approx(before, abs=timedelta(seconds=1))


def test_holidays_do_not_count_for_players_far_over_time(
    house: House, anna: Person, bert: Person
) -> None:
    on_holidays(house, "2027-04-15")
    house.match("lanko-68", anna, bert, time="total=2")
    house.clock.advance(days=120)
    plays(house, anna, "[41-36]")
    plays(house, bert, legal(house))
    assert anna.player is not None
    before = house.state().clock.left(anna.player.id, house.clock.now())
    house.clock.advance(days=5)
    after = house.state().clock.left(anna.player.id, house.clock.now())
    assert before is not None
    assert after is not None
    assert before - after == pytest.approx(timedelta(days=4), abs=timedelta(minutes=1))
