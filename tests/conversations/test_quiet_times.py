"""Time off and reminders as players choose them by email."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.conversations.house import House
from tests.fakes.clock import FakeClock


def test_nights_are_not_charged_from_the_choice_on(house: House) -> None:
    """Fourteen hours of a day count, so 42 of 48 pass in three days, the last six over a night."""
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


def exactly(at: datetime) -> object:
    """Return the time to the second."""
    return pytest.approx(at, abs=timedelta(seconds=1))


def test_nights_follow_local_time_through_clock_and_zone_changes(
    house: House, clock: FakeClock
) -> None:
    """Clocks go back in Warsaw on 25 October. After that, Anna is in New York."""
    before = datetime(2026, 10, 24, 12, tzinfo=UTC)  # 14:00 in Warsaw
    clock.advance(seconds=(before - clock.now()).total_seconds())
    anna, bert = house.player("Anna", time_zone="Europe/Warsaw"), house.player("Bert")
    anna.says("set nights 22-08", recipient=house.address)
    house.works()
    anna.receives()
    anna.says("confirm")
    house.works()
    house.match("lanko-68", anna, bert, days=1)
    # Eight hours on Saturday, fourteen on Sunday, and two on Monday, in winter time.
    assert house.flag_at() == exactly(datetime(2026, 10, 26, 9, tzinfo=UTC))
    house.clock.advance(days=1)
    anna.receives()
    anna.says("set zone New York")
    house.works()
    # Thirteen hours were used. It is eight in the morning again.
    assert house.flag_at() == exactly(datetime(2026, 10, 25, 23, tzinfo=UTC))


def test_reminders_come_as_chosen(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.until_noon()
    house.match("lanko-68", anna, bert, days=5)
    house.sweeps()
    anna.receives()
    anna.says("set reminders 2d")
    house.works()
    anna.receives()
    house.passes(days=2.9)
    assert not anna.receives(), "half of the time has passed"
    house.passes(days=0.2)
    assert [mail.kind for mail in anna.receives()] == ["a reminder"]
    house.passes(days=1.5)
    assert not anna.receives()
