"""Reminders by mail: one for all that falls due on a day, and none in the night."""

from __future__ import annotations

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
    """What somebody was reminded by since they looked last."""
    return [
        mail.text
        for mail in person.receives()
        if mail.kind == "a reminder" or "wait for you" in str(mail.message["Subject"])
    ]


def morning_in_tokyo(house: House) -> None:
    """Nine o'clock."""
    house.until_noon()
    house.clock.advance(hours=12)


def test_one_mail_tells_of_all_matches_of_a_day(house: House, anna: Person, bert: Person) -> None:
    morning_in_tokyo(house)
    for _ in range(3):
        house.match("lanko-68", anna, bert, days=4)
        house.passes(days=1 / 12)
    house.match("lanko-68", bert, anna, days=4)
    anna.receives(), bert.receives()
    house.passes(days=2)
    [told] = reminders(anna)
    assert "Anna, it is your turn in 3 matches where time runs out." in told
    assert [f"match {number}" in told for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert "turn 1: you have 2 days left." in told
    assert "turn 1: you have 2 days and 4 hours left." in told

    anna.says("match 2\nmatch 3")
    house.works()
    [boards] = anna.receives()
    assert "[pbem] 3 matches wait for you" in str(boards.message["Subject"])
    assert boards.text.count("Lanko-68") >= 2
    house.passes(days=0.9)
    assert len(reminders(anna)) == 1, "a day before the flags fall"


def test_a_match_with_two_reminders_on_one_day_has_both(
    house: House, anna: Person, bert: Person
) -> None:
    morning_in_tokyo(house)
    house.match("lanko-68", anna, bert, days=4)
    house.sweeps()
    anna.receives()
    anna.says("set reminders 50% 46h")
    house.works()
    anna.receives()
    house.passes(days=2.5)
    first, second = reminders(anna)
    assert "you have 2 days left" in first
    assert "you have 1 day and 22 hours left" in second


def test_none_comes_in_the_night(house: House, anna: Person, bert: Person) -> None:
    """Half of the time is gone at one in the night, and at two."""
    morning_in_tokyo(house)
    house.clock.advance(hours=4)
    house.match("lanko-68", anna, bert, days=3)
    house.passes(days=1 / 24)
    house.match("lanko-68", anna, bert, days=3)
    anna.receives()
    house.passes(days=42 / 24 - 0.01)
    assert not reminders(anna), "it is eight in the morning soon"
    house.passes(days=0.05)
    [told] = reminders(anna)
    assert "in 2 matches" in told
    assert "you have 1 day and 5 hours left" in told
