"""What does not count for a player, and when they are reminded, as they have chosen it by mail."""

from __future__ import annotations

from datetime import timedelta

from tests.conversations.house import House


def test_nights_do_not_count_from_the_choice_on(house: House) -> None:
    """Fourteen hours of a day count, so 42 of 48 go in three days, the last six around a night."""
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, days=2)
    house.sweeps()
    anna.receives()
    flag_at = house.flag_at()
    assert flag_at is not None
    night = (house.clock.now().hour + 2) % 24, (house.clock.now().hour + 12) % 24
    anna.says("set nights {:02}-{:02}".format(*night))
    house.works()
    [said] = anna.receives()
    assert "nights is {:02}-{:02} from now on".format(*night) in said.text
    later = timedelta(days=3, hours=6 + 10) - timedelta(days=2)
    assert house.flag_at() == flag_at + later


def test_reminders_are_those_that_were_chosen(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.until_noon()
    house.match("lanko-68", anna, bert, days=5)
    house.sweeps()
    anna.receives()
    anna.says("set reminders 2d")
    house.works()
    anna.receives()
    house.passes(days=2.9)
    assert not anna.receives(), "half of the time is gone"
    house.passes(days=0.2)
    assert [mail.kind for mail in anna.receives()] == ["a reminder"]
    house.passes(days=1.5)
    assert not anna.receives()
