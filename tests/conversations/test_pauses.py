"""Pauses that players agree on. On fakes only, as days pass."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.matches.history import Kind
from tests.conversations.house import House, Person
from tests.conversations.test_directing import legal, plain, plays, record
from tests.fakes.clock import FakeClock

WEEK, DAY = timedelta(weeks=1), timedelta(days=1)


def left(house: House) -> timedelta:
    """Return the time until the flag falls, to the minute, as mailboxes know only whole seconds."""
    flag = house.flag_at()
    assert flag is not None
    return timedelta(minutes=round((flag - house.clock.now()) / timedelta(minutes=1)))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 11, 23, 12, tzinfo=UTC))


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", time_zone="Europe/Warsaw")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara")


def agree(house: House, asks: Person, *others: Person, span: str = "2 weeks") -> None:
    """Let one player ask for a pause and the others agree."""
    plays(house, asks, f"pause? {span}")
    for each in others:
        plays(house, each, "pause")


def test_agreed_pause_ends_automatically(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.passes(days=1)
    before = left(house)
    plays(house, bert, "pause? 2 weeks")
    assert "You asked for a pause of 2 weeks. Anna has not answered yet." in plain(bert)
    asked = plain(anna)
    assert "Bert asks for a pause of 2 weeks. The clocks would stop." in asked
    assert (
        'Reply "pause" to agree, or "no pause" to decline. It starts once everyone agrees.' in asked
    )
    assert "Agree to the pause" in anna.latest.html
    anna.says("pause")
    house.works()
    assert left(house) == before + 2 * WEEK
    for each in (anna, bert):
        told = plain(each)
        assert "Everyone has agreed to pause the match for 2 weeks." in told
        assert "The clocks are paused until" in told
        assert ": all players agreed to a pause." in told
    anna.receives()
    house.passes(days=14)
    assert not anna.receives(), "no reminder comes in a pause"
    assert left(house) == before
    house.passes(days=2)
    assert [mail.kind for mail in anna.receives()] == ["a reminder"]
    assert [entry.kind for entry in record(house).entries] == [Kind.BREAK_AGREED]


def test_pause_starts_when_the_last_player_agrees(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara)
    flag = house.flag_at()
    agree(house, bert, clara)
    assert house.flag_at() == flag
    assert "Clara agrees to the pause." in plain(bert)
    agree(house, anna, span="a week")  # other terms: the others are asked again
    assert "Anna asks for a pause of 1 week" in plain(bert)
    for each in (bert, clara):
        each.says("pause")
        house.works()
        each.receives()
    assert left(house) == 5 * DAY + WEEK
    record(house)


def test_pause_continues_from_turn_to_turn(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    agree(house, bert, anna)
    house.passes(days=2)
    plays(house, anna, "[41-36]")  # players can still move
    assert left(house) == 5 * DAY + 12 * DAY
    assert "The clocks are paused until" in plain(bert)
    house.passes(days=13)
    assert left(house) == 4 * DAY


def test_move_sent_with_the_answer_does_not_matter(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, bert, "pause? 36h")
    plays(house, anna, "[41-36]")  # leaves the question open, and may agree later
    plays(house, bert, "[10-19]")
    plays(house, anna, legal(house), "pause")
    assert left(house) == 5 * DAY + timedelta(hours=36)


def test_player_who_declines_says_so(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    flag = house.flag_at()
    agree(house, bert)
    plays(house, anna, "no pause")
    assert "Anna declines the pause." in plain(bert)
    plays(house, anna, "pause")
    told = plain(anna)
    assert "nobody has asked you for a pause" in told
    assert '"pause? 2 weeks"' in told
    agree(house, bert)
    plays(house, bert, "no pause")
    plays(house, anna, "pause")
    assert "nobody has asked you for a pause" in plain(anna)
    assert house.flag_at() == flag
    assert not record(house).entries


def test_pause_offer_expires_after_two_weeks(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, time="none")
    agree(house, bert, span="3 days")
    house.passes(days=14)
    plays(house, anna, "pause")
    assert "nobody has asked you for a pause" in plain(anna)


def test_pause_after_flag_fall_changes_nothing(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.passes(days=5.5)
    assert "out of time" in house.director.receives()[-1].text
    agree(house, anna, bert)
    assert house.flag_at() is None
    assert "Time left: you 0 min, Bert 5 d." in plain(anna)
    plays(house, anna, "[41-36]")
    assert left(house) == 5 * DAY + 2 * WEEK
    kinds = [entry.kind for entry in record(house).entries]
    assert kinds == [Kind.FLAG_FELL, Kind.BREAK_AGREED, Kind.ACTION]


def test_answer_received_before_flag_fall_counts_from_then(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "pause? 2 weeks")
    house.passes(days=4.9)
    bert.receives()
    bert.says("pause")
    house.passes(days=1, mailbox_away=True)
    house.sweeps()
    assert left(house) == timedelta(days=0.1) + 2 * WEEK - DAY
    assert not house.director.receives()


def test_longer_of_two_overlapping_pauses_counts(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    agree(house, bert, anna)
    house.passes(days=7)
    agree(house, anna, bert, span="10 days")
    assert left(house) == 5 * DAY + 10 * DAY
    agree(house, bert, anna, span="1d")
    assert left(house) == 5 * DAY + 10 * DAY


def test_pause_during_leave_counts_once(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "leave 2026-11-24 2026-11-30")
    assert left(house) == 12 * DAY
    agree(house, bert, anna, span="3 days")
    eleven = timedelta(hours=11)  # from noon in UTC to midnight in Warsaw
    assert left(house) == 12 * DAY + eleven


def test_pause_extends_the_grace_of_a_late_player(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, time="days=2 grace=1d")
    house.passes(days=2.5)
    agree(house, anna, bert, span="1 week")
    over = house.state().clock.over_at
    assert over is not None
    assert over - house.clock.now() == pytest.approx(timedelta(days=7.5), abs=timedelta(minutes=2))


def test_computer_opponents_need_not_agree(house: House, anna: Person) -> None:
    [bot] = house.bots("random")
    house.match("lanko-68", anna, bot)
    plays(house, anna, "pause 1 week")  # the mark is easily left out
    assert left(house) == 5 * DAY + WEEK
    assert "you 5 d" in plain(anna)


def test_pause_is_limited_to_a_year(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "pause? 60 weeks")
    assert "players can agree on a pause of up to a year" in plain(anna)
    plays(house, anna, "pause?")
    assert "how long, such as 2 weeks" in plain(anna)
