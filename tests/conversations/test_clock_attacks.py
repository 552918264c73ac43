"""Attacks on the clocks: a player's own, other people's, and the emails about them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.service.work import reading
from pbem.settings import calendar
from tests.conversations.house import House, Person
from tests.conversations.test_changing_hands import match_for_substitutes, substitute, told
from tests.conversations.test_leave import asks, is_away
from tests.fakes.clock import FakeClock

DAY = timedelta(days=1)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 3, 2, 8, tzinfo=UTC))  # a Monday


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.mark.parametrize(
    ("by_day", "by_night"),
    (
        ("set nights 08-20", "set nights 20-08"),
        ("set nights 08-20\nset zone UTC", "set zone UTC+12"),
    ),
)
def test_moving_nights_with_the_clock_saves_no_time(
    house: House, anna: Person, bert: Person, by_day: str, by_night: str
) -> None:
    house.match("lanko-68", anna, bert, days=3)
    answers = []
    for _ in range(10):
        answers.append(asks(house, anna, by_day))
        house.passes(days=0.5)
        answers.append(asks(house, anna, by_night))
        house.passes(days=0.5)
    assert "you can set them again on 2026-03-" in " ".join(answers)
    flag_at = house.flag_at()
    assert flag_at is None or flag_at < house.clock.now()


def test_traveller_can_change_zone_and_drop_nights_any_time(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    for text in ("set zone Europe/Warsaw", "set nights 22-08", "set zone America/New_York"):
        assert "from now on" in asks(house, anna, text)
    assert "3 times in 7 days at most" in asks(house, anna, "set nights 21-09")
    assert "from now on" in asks(house, anna, "set nights none")
    house.passes(days=7.1)
    assert "from now on" in asks(house, anna, "set nights 21-09\nset zone Asia/Tokyo")


def test_date_spanning_two_zones_is_not_a_second_leave(house: House, bert: Person) -> None:
    anna = house.player("Anna", time_zone="UTC+14")
    house.match("lanko-68", anna, bert)
    days = range(1, 30, 2)
    for number in days:
        house.clock.advance(hours=3)
        asks(house, anna, f"leave 2026-05-{number:02}")
    assert "15 left in 2026" in asks(house, anna, "leave")
    asks(house, anna, "set zone UTC-12")
    for number in days:
        house.clock.advance(hours=3)
        asks(house, anna, f"leave 2026-05-{number:02}")
    assert "1 left in 2026" in asks(house, anna, "leave")
    assert "you need 2 more of your days for 2026, but have only 1 left" in asks(
        house, anna, "leave 2 days"
    )


@pytest.mark.parametrize("zone", ("UTC+14", "UTC-12"))
@pytest.mark.parametrize(
    "text",
    (
        "leave 9999-12-31",
        "leave 2026-04-01 9999-12-31",
        "leave 2 days from 9999-12-31",
        "leave until 31.12.9999",
        "leave 0001-01-01 9999-12-31",
        "leave 0000-01-01",
        "back 0001-01-01",
    ),
)
def test_impossible_dates_are_refused(house: House, bert: Person, zone: str, text: str) -> None:
    anna = house.player("Anna", time_zone=zone)
    house.match("lanko-68", anna, bert)
    assert "the calendar has no such day" in asks(house, anna, text)


def test_taking_and_cancelling_leave_repeatedly_floods_nobody(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    bert.receives()
    weekly = "\n".join(f"leave 2026-05-{number:02}" for number in range(1, 31, 2))
    assert "at most 10 times a day" in asks(house, anna, weekly)
    assert not bert.receives()
    for _ in range(8):
        asks(house, anna, "leave until tomorrow")
        asks(house, anna, "back")
    assert len(bert.receives()) == 10


def test_disabled_calendar_address_does_not_come_back(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    secrets = []
    for value in ("on", "off", "on"):
        asks(house, anna, f"set calendar {value}")
        secrets.append(secret_of(house, anna))
    assert secrets[1] == ""
    assert len({*secrets}) == 3


def test_friend_of_late_player_cannot_wait_for_ever(
    house: House, anna: Person, bert: Person
) -> None:
    clara = house.player("Clara")
    house.match("lancelot", anna, bert, clara, days=1, chosen="flag=claim")
    for days in (40, 14.1):  # the delay before each request adds no time
        house.passes(days=days)
        assert "14 d" in asks(house, bert, "wait 14 days")
    house.passes(days=14.1)
    answer = asks(house, bert, "wait 14 days")
    assert "has already been given 28 days" in answer
    clara.receives()
    clara.says("claim")
    house.works()
    assert "Anna ran out of time and has lost. The others continue." in told(clara)


def test_single_opponent_may_wait_without_limit(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, days=1, chosen="flag=claim")
    for days in (1.1, 14.1, 14.1, 14.1):
        house.passes(days=days)
        assert "14 d" in asks(house, bert, "wait 14 days")


def test_rejected_substitute_cannot_ask_again_for_14_days(
    house: House, anna: Person, bert: Person
) -> None:
    dora = house.player("Dora")
    substitute(house, dora)
    match_for_substitutes(house, anna, bert)
    house.passes(days=5.5)
    asks(house, dora, "takeover 1 S")
    asks(house, bert, "takeover no")
    bert.receives()
    assert "won't be asked again for 14 days" in asks(house, dora, "takeover 1 S")
    assert not bert.receives()
    house.passes(days=14.1)
    assert "whether you may take over" in asks(house, dora, "takeover 1 S")


@pytest.mark.parametrize("first", ("", "no pause"))
def test_agreeing_to_a_pause_does_not_accept_a_longer_one(
    house: House, anna: Person, bert: Person, first: str
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, bert, "pause? 36h")
    anna.receives()
    before = house.flag_at()
    for text in (first, "pause? 52 weeks"):
        bert.says(text or "show")
        house.works()
    anna.says("pause")  # Bert's newer emails are on their way
    house.works()
    assert house.flag_at() == before
    answer = told(anna)
    assert "I don't know which one you are answering" in answer
    assert 'Reply "pause 364d" to agree' in answer
    assert "The clocks are paused until" in asks(house, anna, "pause 364d")


def test_autoresponder_with_changing_text_floods_nobody(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "set absence leave")
    bert.receives()
    for number in range(5, 20):
        is_away(house, anna, f"Away until {number} March.")
    assert len(bert.receives()) == 10


@pytest.mark.parametrize(
    "text", ("vacate 1 bert", "pause 1 2w", "pause club", "resume club", "leave bert until Friday")
)
def test_non_director_decides_nothing_about_time(
    house: House, anna: Person, bert: Person, text: str
) -> None:
    house.match("lanko-68", anna, bert, chosen="substitutes=on")
    before = house.state()
    asks(house, anna, text)
    assert house.state() == before
    assert not bert.receives()[1:]


def test_autoleave_enabled_after_flag_fall_does_not_save_it(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=1, chosen="flag=loss")
    house.sweeps()
    house.passes(days=0.994)
    flag_at = house.flag_at()
    assert flag_at is not None
    late = flag_at + timedelta(seconds=20) - house.clock.now()
    house.clock.advance(seconds=late.total_seconds())
    anna.receives()
    anna.says("set autoleave on")
    house.sweeps()
    house.clock.advance(minutes=1)
    house.sweeps()
    assert house.state().result is not None


@pytest.mark.parametrize("shown", (False, True))
def test_automatic_reply_with_exposed_token_takes_no_leave(
    house: House, anna: Person, bert: Person, shown: bool
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "set absence leave")
    if shown:
        copy = ("Cc", bert.address)
        anna.says("show", headers=[copy])
        house.works()
    before = house.flag_at()
    bert.says(
        "I am away until 20 March.",
        to=anna.latest,
        sender=anna.address,
        references=False,
        quoting=False,
        headers=[("Auto-Submitted", "auto-replied")],
    )
    house.works()
    assert (house.flag_at() == before) is shown


def secret_of(house: House, person: Person) -> str:
    assert person.player is not None
    with reading(house.club) as work:
        return calendar.FILE.secret_of(work.players.get(person.player.id))
