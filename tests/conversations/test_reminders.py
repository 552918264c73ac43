"""Reminders by email: one for everything due on a day, and none at night."""

from __future__ import annotations

import re

import pytest

from tests.conversations.house import House, Person

ZONE = "Asia/Tokyo"


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", time_zone=ZONE)


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def reminders(person: Person) -> list[str]:
    """Return someone's new reminders."""
    return [
        mail.text
        for mail in person.receives()
        if mail.kind == "a reminder" or "waiting for you" in str(mail.message["Subject"])
    ]


def morning_in_tokyo(house: House) -> None:
    """Move the clock to nine in the morning in Tokyo."""
    house.until_noon()
    house.clock.advance(hours=12)


def test_one_reminder_covers_all_matches_of_a_day(house: House, anna: Person, bert: Person) -> None:
    morning_in_tokyo(house)
    for _ in range(3):
        house.match("lanko-68", anna, bert, days=4)
        house.passes(days=1 / 12)
    house.match("lanko-68", bert, anna, days=4)
    anna.receives(), bert.receives()
    house.passes(days=2)
    [told] = reminders(anna)
    assert "Anna, time is running out in 3 matches where it is your turn." in told
    assert [f"match {number}" in told for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert "turn 1: you have 2 days left." in told
    assert "turn 1: you have 2 days and 3 hours left." in told

    anna.says("match 2\nmatch 3")
    house.works()
    [boards] = anna.receives()
    assert "[pbem] 3 matches are waiting for you" in str(boards.message["Subject"])
    assert boards.text.count("Lanko-68") >= 2
    house.passes(days=0.9)
    assert len(reminders(anna)) == 1, "a day before the flags fall"


def chooses(house: House, person: Person, wishes: str) -> None:
    person.receives()
    person.says(f"set reminders {wishes}")
    house.works()
    person.receives()


def test_two_distant_reminders_come_on_one_day(house: House, anna: Person, bert: Person) -> None:
    morning_in_tokyo(house)
    house.match("lanko-68", anna, bert, days=1)
    house.sweeps()
    chooses(house, anna, "20h 14h")
    house.passes(days=0.5)
    first, second = reminders(anna)
    assert "you have 19 hours left for turn 1" in first
    assert "you have 13 hours left for turn 1" in second


@pytest.mark.parametrize(
    ("days", "wishes", "left"),
    (
        (4, "50% 46h", "1 day and 21 hours"),
        (3, "50% 1d", "1 day"),
        (3, "46h 44h", "1 day and 19 hours"),
    ),
)
def test_close_reminders_are_merged_into_one(
    house: House, anna: Person, bert: Person, days: int, wishes: str, left: str
) -> None:
    morning_in_tokyo(house)
    house.clock.advance(hours=4)
    house.match("lanko-68", anna, bert, days=days)
    house.sweeps()
    chooses(house, anna, wishes)
    house.passes(days=days - 0.1)
    [told] = reminders(anna)
    assert f"you have {left} left for turn 1" in told


def test_reminder_shows_only_the_hours_until_flag_fall(
    house: House, anna: Person, bert: Person
) -> None:
    """In real hours, even if hours cost double or the nights are free."""
    morning_in_tokyo(house)
    house.match("lanko-68", anna, bert, time="days=6 double=4")
    house.sweeps()
    anna.receives()
    anna.says("set reminders 30h\nset nights 22-08")
    house.works()
    house.passes(days=8)
    [told] = reminders(anna)
    assert "you have 2 days and" in told
    assert "Please answer by" in told
    assert "Time off: nights 22-08." in told
    figures = re.findall(r"\d+ (?:d|h|days?|hours?)\b", told)
    assert len(figures) == 2, "days and hours, once"


def test_no_reminder_comes_at_night(house: House, anna: Person, bert: Person) -> None:
    """Half of the time has passed at one and at two in the night."""
    morning_in_tokyo(house)
    house.clock.advance(hours=4)
    house.match("lanko-68", anna, bert, days=3)
    house.sweeps()
    chooses(house, anna, "50%")
    house.passes(days=1 / 24)
    house.match("lanko-68", anna, bert, days=3)
    anna.receives()
    house.passes(days=42 / 24 - 0.01)
    assert not reminders(anna), "it is not yet eight in the morning"
    house.passes(days=0.05)
    [told] = reminders(anna)
    assert "in 2 matches" in told
    assert "you have 1 day and 4 hours left" in told


def test_reminder_does_not_join_shortly_after_another_of_the_same_turn(
    house: House, anna: Person, bert: Person
) -> None:
    """Match 1 is due at ten and at six in the evening, match 2 at half past eleven."""
    morning_in_tokyo(house)
    house.match("lanko-68", anna, bert, days=1)
    house.sweeps()
    chooses(house, anna, "23h 16h")
    house.clock.advance(minutes=9)
    house.passes(days=2 / 24)
    first = reminders(anna)
    assert len(first) == 1, "23 hours are left"
    house.match("lanko-68", anna, bert, days=1)
    anna.receives()
    house.passes(days=1.5 / 24)
    [alone] = reminders(anna)
    assert "turn 1 of match 2" in alone
    house.passes(days=5 / 24)
    assert any("match 1" in each for each in reminders(anna)), "16 hours are left"
