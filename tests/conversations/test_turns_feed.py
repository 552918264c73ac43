"""`set feed on`: the matches that wait for a member, at an address that only they know."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pbem.archive.site.values import Site
from pbem.service.club import Public, Room
from pbem.service.reading_room.publish import publish_room
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.fakes.archive import FakeArchive

URL = "https://games.example/"
ATOM = "{http://www.w3.org/2005/Atom}"


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


def chooses(house: House, person: Person, value: str) -> str:
    """Set the feed. Return its address, empty if there is none."""
    person.says(f"set feed {value}")
    published(house)
    told = person.receives()[-1].text
    return next((word for word in told.split() if word.startswith(URL)), "")


def entries(pages: FakeArchive, address: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(pages.files[address.removeprefix(URL)])
    assert root.findtext(f"{ATOM}title") == "Your turns – pbem"
    return root.findall(f"{ATOM}entry")


def said(entry: ElementTree.Element) -> str:
    return f"{entry.findtext(f'{ATOM}title')}. {entry.findtext(f'{ATOM}content')}"


def link(entry: ElementTree.Element) -> str:
    found = entry.find(f"{ATOM}link")
    return "" if found is None else found.get("href", "")


def test_feed_has_the_matches_that_wait_and_names_nobody(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert, days=5)
    house.match("lancelot", anna, bert, chosen="names=hidden", days=0)
    private = house.match("lancelot", anna, bert)
    with writing(house.club) as work:
        work.matches.save(replace(work.match(private.id), public=Public.NEVER))
    anna.receives()
    address = chooses(house, anna, "on")
    by_text = {said(each): link(each) for each in entries(pages, address)}
    assert len(by_text) == 3
    [first] = (text for text in by_text if text.startswith("Your turn in match 1: Lanko-68."))
    assert "Turn 1. Please answer by " in first
    assert by_text[first] == f"{URL}matches/match-000001-lanko-68.html"
    [blind] = (text for text in by_text if "match 2" in text)
    assert "Your clock is not running." in blind
    [hidden] = (text for text in by_text if "match 3" in text)
    assert by_text[hidden] == ""
    data = pages.files[address.removeprefix(URL)].decode()
    assert "Anna" not in data
    assert "Bert" not in data
    anna.says("[41-36]", to=next(mail for mail in anna.read if "match 1" in mail.text))
    published(house)
    assert not any("match 1" in said(each) for each in entries(pages, address))


def test_only_its_reader_learns_the_address(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    first = chooses(house, anna, "on")
    name = first.removeprefix(URL)
    secret = name.partition("-")[2].removesuffix(".atom")
    assert [each for each, data in pages.files.items() if secret in data.decode("latin-1")] == [
        name
    ]
    second = chooses(house, anna, "new")
    feeds = [each for each in pages.files if each.startswith("deadlines/")]
    assert [URL + each for each in feeds] == [second] != [first]
    anna.says("settings")
    published(house)
    assert second in anna.receives()[-1].text
    assert chooses(house, anna, "off") == ""
    assert not any(each.startswith("deadlines/") for each in pages.files)


def test_feed_and_calendar_have_addresses_of_their_own(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    feed = chooses(house, anna, "on").removeprefix(URL)
    anna.says("set calendar on")
    published(house)
    [calendar] = (each for each in pages.files if each.endswith(".ics"))
    assert feed in pages.files
    assert calendar.removesuffix(".ics") != feed.removesuffix(".atom")
    chooses(house, anna, "off")
    assert [each for each in pages.files if each.startswith("deadlines/")] == [calendar]


def test_answer_says_if_there_is_no_reading_room(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("set feed on")
    house.works()
    assert "has no reading room with a public address" in " ".join(anna.receives()[-1].text.split())
