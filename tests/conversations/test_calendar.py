"""`set calendar on`: deadlines as events, in emails and in a feed that only its reader knows."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from icalendar import Calendar

from pbem.archive.site.values import Site
from pbem.service.club import Room
from pbem.service.reading_room.publish import publish_room
from tests.conversations.house import House, Person, Received
from tests.conversations.test_challenges import asks
from tests.conversations.test_competitions import announced, directing, last_day
from tests.conversations.test_directors_mail import says
from tests.fakes.archive import FakeArchive

URL = "https://games.example/"


@pytest.fixture
def dora(house: House) -> Person:
    return directing(house)


@pytest.fixture
def pages(house: House) -> FakeArchive:
    """The reading room of the house."""
    store = FakeArchive()
    house.club = replace(house.club, room=Room(Site("pbem", house.address, URL), store))
    return store


def published(house: House) -> None:
    house.works()
    assert house.club.room is not None
    assert publish_room(house.club.storage, house.club.room).problems == []


def feeds(pages: FakeArchive) -> dict[str, bytes]:
    return {name: data for name, data in pages.files.items() if name.endswith(".ics")}


def events(data: bytes | str) -> list[Any]:
    return list(Calendar.from_ical(data).walk("VEVENT"))


def attached(mail: Received) -> list[Any]:
    """Return the events attached to an email."""
    files = [part for part in mail.message.walk() if part.get_content_type() == "text/calendar"]
    assert all(part.get_param("method") == "PUBLISH" for part in files)
    return [event for part in files for event in events(part.get_content())]


def turns_on(house: House, person: Person, value: str = "on") -> str:
    """Turn the calendar on. Return the address of the feed."""
    person.says(f"set calendar {value}")
    published(house)
    told = person.receives()[-1].text
    return next((word for word in told.split() if word.startswith(URL)), "")


def test_feed_follows_the_turns(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, days=5)
    house.sweeps()
    anna.receives(), bert.receives()
    published(house)
    assert not feeds(pages), "nobody has asked for one"

    address = turns_on(house, anna)
    [name] = feeds(pages)
    assert address == URL + name
    [first] = events(pages.files[name])
    flag_at = house.flag_at()
    assert flag_at is not None
    assert first.decoded("dtstart") == flag_at.replace(microsecond=0)
    assert str(first["summary"]) == "Your turn in match 1: Lanko-68"
    assert "Bert" not in pages.files[name].decode()

    house.clock.advance(days=1)  # an outage: the flag falls a day later
    house.sweeps()
    published(house)
    [moved] = events(pages.files[name])
    assert moved["uid"] == first["uid"]
    assert moved.decoded("dtstart") > first.decoded("dtstart")
    assert moved["sequence"] > first["sequence"]

    anna.says("[41-36]")
    published(house)
    [passed] = events(pages.files[name])
    assert (passed["uid"], passed["status"]) == (first["uid"], "CANCELLED")
    assert passed["sequence"] > moved["sequence"]
    same = pages.files[name]
    published(house)
    assert pages.files[name] == same


def test_deadline_comes_with_the_email_and_receipt_cancels_it(
    house: House, pages: FakeArchive
) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, days=5)
    house.match("lanko-68", anna, bert, days=0)
    anna.receives(), bert.receives()
    for person in (anna, bert):
        turns_on(house, person)
    anna.says("[41-36]", to=next(mail for mail in anna.read if "match 1" in mail.text))
    house.works()
    [receipt], [turn] = anna.receives(), bert.receives()
    [mine], [theirs] = attached(receipt), attached(turn)
    assert mine["status"] == "CANCELLED"
    assert theirs["status"] == "CONFIRMED"
    assert mine["uid"] != theirs["uid"]


def test_new_feed_address_ends_the_first_and_off_ends_all(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    first = turns_on(house, anna)
    second = turns_on(house, anna, "new")
    assert [URL + name for name in feeds(pages)] == [second] != [first]
    assert turns_on(house, anna, "off") == ""
    assert not feeds(pages)
    third = turns_on(house, anna)
    assert third not in (first, second)
    anna.says("settings")
    house.works()
    assert third in "".join(anna.receives()[-1].text.split())


def test_no_page_names_a_feed_and_erased_members_lose_theirs(
    house: House, pages: FakeArchive
) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    name = turns_on(house, anna).removeprefix(URL)
    secret = name.partition("-")[2].removesuffix(".ics")
    assert name in pages.files
    others = (data for each, data in pages.files.items() if each != name)
    assert not any(secret.encode() in data for data in others)
    anna.says("forget me")
    house.works()
    anna.receives()
    anna.says("confirm")
    published(house)
    assert not feeds(pages)


def test_agreed_pause_moves_the_event(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, days=5)
    house.sweeps()
    anna.receives()
    name = turns_on(house, anna).removeprefix(URL)
    [first] = events(pages.files[name])
    anna.says("pause? 2 weeks", to=anna.read[0])
    house.works()
    bert.receives()
    bert.says("pause")
    published(house)
    [event] = events(pages.files[name])
    assert event.decoded("dtstart") - first.decoded("dtstart") == timedelta(weeks=2)
    *_, moved = [each for mail in anna.receives() for each in attached(mail)]
    assert moved.decoded("dtstart") == event.decoded("dtstart")
    assert moved["uid"] == first["uid"]


def dated(mail: Received) -> dict[str, tuple[str, str]]:
    """Return what is attached: the summary up to its colon, the status and the day."""
    return {
        str(event["summary"]).split(":")[0]: (
            str(event["status"]),
            f"{event.decoded('dtstart'):%Y-%m-%d}",
        )
        for event in attached(mail)
    }


def shown_by(pages: FakeArchive) -> dict[str, str]:
    """Return the summaries and the status in the only feed."""
    [data] = feeds(pages).values()
    return {str(event["summary"]).split(":")[0]: str(event["status"]) for event in events(data)}


def test_competition_has_its_dates_in_emails_and_in_the_feed(
    house: House, pages: FakeArchive, dora: Person
) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "settings"), asks(house, bert, "settings")
    turns_on(house, anna)
    ends, last = last_day(house, 40), last_day(house, 11)
    announced(house, dora, f"open-house lanrick-1893 until={ends}")
    both = {
        "Entry to competition 1 ends": ("CONFIRMED", last),
        "Competition 1 closes": ("CONFIRMED", last_day(house, 41)),
    }
    [announcement] = anna.receives()
    assert dated(announcement) == both
    published(house)
    assert shown_by(pages) == {}, "she has not entered"
    anna.says("enter 1")
    published(house)
    [answer] = anna.receives()
    assert dated(answer) == both
    assert {event["uid"] for event in attached(answer)} == {
        event["uid"] for event in attached(announcement)
    }
    assert shown_by(pages) == dict.fromkeys(both, "CONFIRMED")

    anna.says("withdraw 1")
    published(house)
    [answer] = anna.receives()
    assert {status for status, _ in dated(answer).values()} == {"CANCELLED"}
    assert shown_by(pages) == dict.fromkeys(both, "CANCELLED")

    anna.says("enter 1")
    bert.says("enter 1")
    house.works()
    anna.receives()
    says(house, dora, "competition start 1")
    published(house)
    [begins] = anna.receives()
    assert dated(begins)["Entry to competition 1 ends"][0] == "CANCELLED", "it started early"
    early = {"Entry to competition 1 ends": "CANCELLED", "Competition 1 closes": "CONFIRMED"}
    assert early.items() <= shown_by(pages).items()

    says(house, dora, "competition off 1")
    house.clock.advance(minutes=1)
    says(house, dora, "confirm")
    published(house)
    [off] = anna.receives()
    assert {status for status, _ in dated(off).values()} == {"CANCELLED"}
    assert shown_by(pages)["Competition 1 closes"] == "CANCELLED"
