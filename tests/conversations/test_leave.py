"""Leave by email: days off that are not charged."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.matches.clock import Clock, PauseReason
from pbem.service.direct import orders
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.returned import envelope_sender, newest
from tests.conversations.test_directing import decides

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def noon(house: House) -> datetime:
    """10 December, 13:00 in Warsaw, where Anna lives."""
    start = house.clock.now()
    noon = datetime(start.year + 1, 12, 10, 12, tzinfo=UTC)
    house.clock.advance(seconds=(noon - start).total_seconds())
    return noon


@pytest.fixture
def anna(house: House, noon: datetime) -> Person:
    del noon
    return house.player("Anna", time_zone="Europe/Warsaw")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def asks(house: House, person: Person, text: str) -> str:
    """Send an email and return its one answer, as a line."""
    person.receives()
    person.says(text)
    house.works()
    [answer] = person.receives()
    return " ".join(answer.text.split())


def hears(person: Person) -> list[str]:
    """Return new emails, as lines."""
    return [" ".join(each.text.split()) for each in person.receives()]


def test_leave_days_are_not_charged_and_opponents_are_notified(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    bert.receives()
    answer = asks(house, anna, "leave 7 days")
    year = noon.year
    assert f"You have leave from {day(noon)} to {day(noon + 6 * DAY)}." in answer
    assert f"Your clocks run again from {day(noon + 7 * DAY)}" in answer
    assert f"you have 23 left in {year}" in answer
    [told] = hears(bert)
    assert f"Anna takes leave from {day(noon)} to {day(noon + 6 * DAY)}." in told
    assert "in match 1" in told
    flag_at = house.flag_at()
    assert flag_at is not None
    midnight = noon.replace(hour=23) + 6 * DAY
    assert abs(flag_at - (midnight + 5 * DAY)) < HOUR / 60


def spoken(moment: datetime) -> str:
    return f"{moment:%A} {moment.day} {moment:%B}"


def day(moment: datetime) -> str:
    return f"{moment:%A} {moment.day} {moment:%B} {moment.year}"


def test_future_leave_counts_in_later_turns_and_over_new_year(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    answer = asks(house, bert, f"leave {noon.year}-12-20 {noon.year + 1}-01-03")
    assert f"18 left in {noon.year}" in answer
    assert f"27 left in {noon.year + 1}" in answer
    house.clock.advance(days=8)
    asks(house, anna, "[41-36]")
    flag_at = house.flag_at()
    assert flag_at is not None
    assert flag_at.date() == datetime(noon.year + 1, 1, 7, tzinfo=UTC).date()


def test_early_return_gives_back_unused_days(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    asks(house, anna, "leave 10 days")
    bert.receives()
    house.clock.advance(days=2)
    answer = asks(house, anna, "back")
    assert "Your leave is over. Your clocks are running." in answer
    assert f"you have 27 left in {noon.year}" in answer
    assert hears(bert)[0].startswith("Anna is back early from leave")
    assert "you are not on leave" in asks(house, anna, "back")


def test_leave_is_shortened_and_future_leave_cancelled_by_its_date(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert)
    year = noon.year
    asks(house, anna, "leave 10 days")
    asks(house, anna, "leave 24 December to 26 December")
    answer = asks(house, anna, "back 15 December")
    assert f"to {day(noon + 4 * DAY)}" in answer
    assert f"you have 22 left in {year}" in answer
    bert.receives()
    assert f"25 left in {year}" in asks(house, anna, f"back {year}-12-24")
    [told] = hears(bert)
    assert "Anna is not taking leave from" in told
    assert "you have no leave on" in asks(house, anna, f"back {year}-12-24")


def test_leave_cannot_overlap_or_exceed_the_allowance(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "leave until 31 December")
    bert.receives()
    assert f"8 left in {noon.year}" in asks(house, anna, "leave 12 December to 15 December")
    assert bert.receives() == [], "nothing has changed"
    refused = asks(house, anna, "leave 1 January to 10 February")
    assert f"you need 41 more of your days for {noon.year + 1}, but have only 30 left" in refused
    assert f"leave {noon.year + 1}-01-01 {noon.year + 1}-01-30" in refused


@pytest.mark.parametrize(
    ("line", "why"),
    (
        ("leave until 3/1/2099", "could mean two different dates"),
        ("leave until christmas", "as a date"),
        ("leave 1 December to 12 December", "leave for past days"),
        ("leave from 20 December", "but not the last"),
        ("leave 2099-01-01 2099-01-03", "twelve months"),
        ("leave 20 December 2020", "leave for past days"),
    ),
)
def test_impossible_leave_is_refused_with_a_reason(
    house: House, anna: Person, bert: Person, line: str, why: str
) -> None:
    house.match("lanko-68", anna, bert)
    bert.receives()
    assert why in asks(house, anna, line)
    assert bert.receives() == []


@pytest.mark.parametrize(
    "line",
    (
        "leave until 3/1/2099",
        "leave 1 December to 12 December",
        "leave 2099-01-01 2099-01-03",
        "leave 1 January to 10 February",
        "leave",
    ),
)
def test_line_suggested_in_an_answer_is_accepted(house: House, anna: Person, line: str) -> None:
    house.match("lanko-68", anna, house.player("Bert"))
    told = asks(house, anna, line)
    found = re.search(r"(?:instead|instance|for example): (leave (?:until )?[-\d ]+\d)", told)
    assert found is not None
    assert "You have leave from" in asks(house, anna, found[1])


def test_other_sentences_with_leave_are_notes(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    bert.receives()
    asks(house, anna, "[41-36]\nLeave me alone.\nleave 2 pieces behind")
    [told] = hears(bert)
    assert "| Leave me alone. | leave 2 pieces behind" in told


def test_leave_after_flag_fall_changes_nothing_and_says_so(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    house.sweeps()
    house.passes(days=2.1)
    assert "Anna has run out of time" in hears(house.director)[0]
    answer = asks(house, anna, "leave 7 days")
    assert "You had already run out of time in match 1. Leave does not change that." in answer


def test_leave_after_flag_fall_does_not_extend_the_grace(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, time="days=2 grace=1d")
    house.sweeps()
    house.passes(days=2.1)
    before = house.state().clock.over_at
    answer = asks(house, anna, "leave 7 days")
    assert "You had already run out of time in match 1" in answer
    assert house.state().clock.over_at == before


def test_leave_sent_in_time_counts_though_read_after_the_flag(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    house.sweeps()
    house.passes(days=1.99)
    anna.receives()
    anna.says("leave 7 days")
    house.clock.advance(minutes=30)
    house.passes(days=0.1)
    assert house.director.receives() == []
    flag_at = house.flag_at()
    assert flag_at is not None
    assert flag_at > house.clock.now() + 6 * DAY


def test_leave_out_of_turn_changes_no_clock_now(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    before = house.flag_at()
    asks(house, bert, "leave 7 days")
    assert house.flag_at() == before


def test_autoleave_takes_one_day_at_a_time_and_is_reported_once(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    """Two days for a turn and one of leave: the flag would fall on the 13th at noon."""
    house.match("lanko-68", anna, bert, days=2)
    asks(house, anna, "set autoleave on")
    asks(house, anna, f"leave {noon.year}-12-11")
    house.sweeps()
    bert.receives()
    house.passes(days=5.9)
    [told] = [each for each in hears(anna) if "you ran out of time in match 1" in each]
    assert f"Your leave ends on {spoken(noon + 4 * DAY)}, 00:00 (Warsaw)." in told
    assert (
        f"and so on until {day(noon.replace(year=noon.year + 1, month=1, day=30))} at the latest"
        in told
    )
    assert f"You have 28 days of leave left in {noon.year}." in told
    assert "set autoleave off" in told
    assert "Please answer by" not in told, "the end of the first day is not a deadline"
    assert ["takes leave a day at a time until they move" in each for each in hears(bert)] == [True]
    assert house.director.receives() == []
    assert f"you have 25 left in {noon.year}" in asks(house, anna, "leave")
    asks(house, anna, "[41-36]")
    assert house.director.receives() == []


def test_flag_falls_when_no_leave_is_left(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    """At the end of the only day of leave, which was taken at noon."""
    house.club = replace(house.club, policy=replace(house.club.policy, leave_days=1))
    house.match("lanko-68", anna, bert, days=2)
    asks(house, anna, "set autoleave on")
    house.sweeps()
    house.passes(days=2.4)
    assert house.director.receives() == []
    house.passes(days=0.1)
    assert "Anna has run out of time in match 1" in hears(house.director)[0]
    assert f"you have 0 left in {noon.year}" in asks(house, anna, "leave")


def test_late_email_with_autoleave_is_in_time(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, days=2)
    asks(house, anna, "set autoleave on")
    house.sweeps()
    house.passes(days=2 - 9 / 24 / 60)
    house.clock.advance(minutes=9.5)
    anna.receives()
    anna.says("[41-36]")
    house.works()
    heard = hears(anna)
    assert any("you ran out of time in match 1" in each for each in heard)
    assert house.moves() == ["[41-36]"]
    assert house.director.receives() == []


def test_automatic_leave_day_covers_all_matches_and_is_reported_once(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    asks(house, anna, "set autoleave on")
    house.sweeps()
    house.passes(days=0.2)
    house.match("lanko-68", anna, bert, days=2)
    house.passes(days=2.2)
    assert len([each for each in hears(anna) if "you ran out of time in match" in each]) == 1
    assert "29 left" in asks(house, anna, "leave")


def changes_clock(house: House, change: Callable[[Clock], Clock]) -> None:
    with writing(house.club) as work:
        match = work.matches.get(1)
        work.matches.save_clocks([replace(match, clock=change(match.clock))])


def test_leave_during_a_pause_counts_after_the_pause(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    """Three days of pause and seven of leave start together, so seven days do not count."""
    house.match("lanko-68", anna, bert, days=5)
    changes_clock(house, lambda clock: clock.pause(PauseReason.UNREACHABLE, noon))
    asks(house, anna, "leave 7 days")
    assert house.flag_at() is None
    house.clock.advance(days=3)
    changes_clock(house, lambda clock: clock.resume(PauseReason.UNREACHABLE, house.clock.now()))
    flag_at = house.flag_at()
    assert flag_at is not None
    assert abs(flag_at - (noon.replace(hour=23) + 6 * DAY + 5 * DAY)) < HOUR / 60


def test_leave_of_a_resigned_player_is_not_announced_in_that_match(
    house: House, anna: Person, bert: Person
) -> None:
    carl = house.player("Carl")
    house.match("lancelot", anna, bert, carl)
    house.resigns(anna)
    house.works()
    bert.receives()
    carl.receives()
    asks(house, anna, "leave 7 days")
    assert bert.receives() == carl.receives() == []


def test_unproven_leave_starts_at_its_confirmation(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    house.sweeps()
    anna.receives()
    anna.says("leave 7 days", recipient=house.address, references=False, quoting=False)
    house.works()
    [question] = anna.receives()
    house.passes(days=2.1)
    assert "Anna has run out of time" in hears(house.director)[0]
    anna.says("confirm", to=question)
    house.works()
    assert "You had already run out of time" in hears(anna)[-1]


def is_away(house: House, person: Person, text: str, subject: str = "Away") -> None:
    """Let an autoresponder answer the newest email to its person."""
    person.says(
        text,
        recipient=envelope_sender(house, newest(house, person)),
        headers=(("Auto-Submitted", "auto-replied (vacation)"),),
        quoting=False,
        subject=subject,
    )
    house.works()


def test_dated_out_of_office_reply_takes_leave_if_chosen(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "set absence leave")
    bert.receives()
    is_away(house, anna, "I am out of office from 8 December to 19 December.")
    [told] = hears(anna)
    assert f"You have leave from {day(noon)} to {day(noon + 9 * DAY)}." in told
    assert "Your mailbox says that you are away" in told
    assert "They are now on leave" in hears(house.director)[0]
    assert "Anna takes leave" in hears(bert)[0]
    is_away(house, anna, "I am out of office from 8 December to 19 December.")
    assert anna.receives() == []


def test_out_of_office_reply_takes_only_available_leave(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "set absence leave")
    is_away(house, anna, "Bin bis 20.1. verreist", "Abwesenheit")
    [told] = hears(anna)
    assert "You have leave" in told
    assert "There are not enough days" not in told
    asks(house, anna, "back")
    is_away(house, anna, f"Back on {noon.year + 1}-03-20")
    assert "You don't have enough days of leave for all of it" in hears(anna)[0]


def test_out_of_office_reply_needs_the_setting_and_a_date(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    before = house.flag_at()
    is_away(house, anna, "Away until 24 December.")
    asks(house, anna, "set absence leave")
    is_away(house, anna, "Away until Monday.")
    assert house.flag_at() == before
    assert anna.receives() == []
    assert all("No clock has changed" in each for each in hears(house.director))


def test_leave_counts_in_time_added_after_flag_fall(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    house.sweeps()
    house.passes(days=2.1)
    asks(house, anna, "leave 5 days")
    assert house.flag_at() is None, "they are out of time, with or without leave"
    decides(house, lambda work: orders.extension(1, "1d", ""))
    flag_at = house.flag_at()
    assert flag_at is not None
    assert noon + 7 * DAY < flag_at < noon + 8 * DAY


def test_leave_keeps_its_dates_after_clock_rollback(
    house: House, anna: Person, bert: Person, noon: datetime
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    house.passes(days=1)
    asks(house, anna, f"leave {(noon + 3 * DAY).date()} {(noon + 6 * DAY).date()}")
    house.passes(days=3)
    house.clock.advance(days=-3)
    house.sweeps()
    # Used: one day, plus what was not leave of the three. The same days off are in the future
    # again.
    used = timedelta(days=2, hours=11)
    now, flag_at = house.clock.now(), house.flag_at()
    assert flag_at is not None
    assert abs(flag_at - (now + 5 * DAY - used + 4 * DAY)) < HOUR
