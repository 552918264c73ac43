"""The clock by email: deadlines, reminders, flag falls, outages."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.conversations.house import House, Person


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", time_zone="Europe/Warsaw")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def test_turn_email_gives_deadline_in_the_players_zone(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=5)
    [mail] = anna.receives()
    assert "Please answer by " in mail.text
    assert "(Warsaw): 5 days left." in mail.text


def test_distant_deadline_includes_the_year(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, days=400)
    [mail] = anna.receives()
    due = house.clock.now() + timedelta(days=400)
    assert f"{due:%B %Y}, " in mail.text


def test_reminders_come_at_half_time_and_a_day_before(
    house: House, anna: Person, bert: Person
) -> None:
    house.until_noon()
    house.match("lanko-68", anna, bert, days=6)
    anna.receives(), bert.receives()
    house.sweeps()

    house.passes(days=2.9)
    assert anna.receives() == []
    house.passes(days=0.2)
    [half] = anna.receives()
    assert half.kind == "a reminder"
    assert "you have 3 days left for turn 1 of match 1" in half.text
    house.passes(days=1.8)
    assert anna.receives() == []
    house.passes(days=0.2)
    [last] = anna.receives()
    assert "you have 1 day left for turn 1 of match 1" in last.text
    assert bert.receives() == []


def test_flag_fall_is_reported_once_and_a_late_turn_counts(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    anna.receives()
    house.sweeps()
    house.passes(days=1.9)
    assert house.director.receives() == []
    house.passes(days=0.2)
    [report] = house.director.receives()
    assert "Anna has run out of time in match 1, turn 1" in report.text
    house.passes(days=3)
    assert house.director.receives() == []

    anna.receives()
    anna.says("[41-36]")
    house.works()
    assert house.moves() == ["[41-36]"]


def test_answer_in_time_stops_the_clock(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, days=2)
    anna.receives()
    house.sweeps()
    house.passes(days=0.5)
    anna.says("[41-36]")
    house.passes(days=1.6)
    assert house.director.receives() == []
    assert len(anna.receives()) == 1, "the receipt alone: no reminder"


def test_email_waiting_on_server_is_read_before_flag_is_judged(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    anna.receives()
    house.sweeps()
    house.passes(days=1.9)
    anna.receives()
    anna.says("[41-36]")
    house.clock.advance(hours=0.1)
    house.passes(days=0.2)
    assert house.director.receives() == []
    assert house.moves() == ["[41-36]"]


def test_no_flag_is_judged_while_mailbox_is_unreadable(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    house.sweeps()
    house.passes(days=2.5, mailbox_away=True)
    assert house.director.receives() == []
    house.passes(days=0.1)
    assert len(house.director.receives()) == 1


def test_flag_fall_before_a_late_email_is_reported(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    anna.receives()
    house.sweeps()
    house.passes(days=2.1, mailbox_away=True)
    late_mail(house, anna, "[41-36]")
    house.works()
    assert house.moves() == ["[41-36]"]
    [report] = house.director.receives()
    assert "Anna has run out of time in match 1, turn 1" in report.text
    house.sweeps()
    assert house.director.receives() == []


def test_email_read_right_after_an_outage_is_not_late(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=2)
    anna.receives()
    house.sweeps()
    house.clock.advance(days=3)
    late_mail(house, anna, "[41-36]")
    house.works()
    house.sweeps()
    assert house.moves() == ["[41-36]"]
    assert house.director.receives() == []


def late_mail(house: House, person: Person, text: str) -> None:
    """Return an email that the club's server receives now, by the house's clock."""
    headers = f"From: {person.address}\r\nTo: {person.latest.reply_to}\r\n"
    mail = f"{headers}Message-ID: <late@mail.example>\r\n\r\n{text}\r\n".encode()
    house.post.puts(house.address, mail, house.clock.now())


def test_outage_costs_nobody_time(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, days=2)
    house.sweeps()
    before = house.flag_at()
    house.clock.advance(days=3)
    house.sweeps()
    assert house.director.receives() == []
    after = house.flag_at()
    assert before is not None
    assert after is not None
    assert timedelta(days=3) <= after - before < timedelta(days=3, minutes=1)


def test_email_waiting_through_an_outage_is_charged_until_it_arrived(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, time="total=10")
    house.sweeps()
    house.passes(days=1)
    anna.receives()
    anna.says("[41-36]")
    house.passes(days=2, mailbox_away=True)
    house.clock.advance(days=1)
    house.works()
    assert house.moves() == ["[41-36]"]
    assert anna.player is not None
    used = house.state().clock.used(anna.player.id, house.clock.now())
    assert timedelta(days=0.9) < used < timedelta(days=1.1)


def test_match_without_days_has_no_clock(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, days=0)
    [mail] = anna.receives()
    assert "Please answer by" not in mail.text
    house.sweeps()
    house.passes(days=3)
    assert anna.receives() == []
    assert house.director.receives() == []
