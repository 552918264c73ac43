"""`names=hidden`: a blind match, in which nobody learns who plays until it ends."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pbem.archive.site.values import Site
from pbem.service.club import Room
from pbem.service.reading_room.publish import publish_room
from tests.conversations.house import House, Person, Received
from tests.fakes.archive import FakeArchive

LINES = (
    *("show", "since", "history", "preview", "show 1"),
    *("show 1 as blue", "matches", "match 1", "record 1", "legal", "help"),
)
URL = "https://pbem.example/"


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Annabella")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bertrand")


@pytest.fixture
def room(house: House) -> FakeArchive:
    store = FakeArchive()
    house.club = replace(house.club, room=Room(Site("pbem", house.address, URL), store))
    return store


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clarissa")


def whole(mail: Received) -> str:
    """Return everything in an email that its reader may see, headers too."""
    headers = "\n".join(f"{name}: {value}" for name, value in mail.message.items())
    return f"{headers}\n{mail.text}\n{mail.html}"


def named(mails: list[Received], *people: Person) -> list[str]:
    """Return the people whose names are in emails to somebody else."""
    return [each.name for each in people if any(each.name in whole(mail) for mail in mails)]


def asks(house: House, person: Person, text: str, to: Received | None = None) -> list[Received]:
    person.receives()
    person.says(text, to)
    house.works()
    return person.receives()


def test_players_see_seats_instead_of_names(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara, chosen="names=hidden")
    people = {"red": anna, "blue": bert, "yellow": clara}
    for person in people.values():
        person.receives()
    asks(house, anna, "F5\n\nHello from me")
    asks(house, bert, "G6")
    for line in ("draw?", "pause? 2 days"):
        asks(house, anna, line)
        asks(house, bert, f"no {line.split('?')[0]}")
    for line in LINES:
        for person in people.values():
            asks(house, person, line)
    house.sweeps()
    house.passes(days=4.5)
    for person in people.values():
        person.receives()
        others = [each for each in people.values() if each is not person]
        assert named(person.read, *others) == [], person.name
    assert "Yellow to move" in asks(house, anna, "show")[0].text
    assert any("Red" in mail.text and "| Hello from me" in mail.text for mail in bert.read)
    assert str(anna.read[0].message["Subject"]).endswith("Lancelot: Red, Blue, Yellow")


def test_names_are_shown_when_the_match_is_over(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", anna, bert, chosen="names=hidden")
    anna.receives()
    bert.receives()
    house.resigns(anna)
    [over] = bert.receives()
    assert "Annabella" in over.text
    assert bert.name in asks(house, anna, "show 0")[0].text
    assert "match-000001-lancelot.txt" in asks(house, anna, "record 1")[0].text


def test_leave_names_only_seats(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", anna, bert, chosen="names=hidden")
    asks(house, anna, "leave 3 days")
    mails = bert.receives()
    assert any("Red" in mail.text and "leave" in mail.text for mail in mails)
    assert named(mails, anna) == []


def test_readers_see_seats_instead_of_names(
    house: House, anna: Person, bert: Person, clara: Person, room: FakeArchive
) -> None:
    house.match("lancelot", anna, bert, chosen="names=hidden")
    asks(house, anna, "F5")
    assert house.club.room is not None
    publish_room(house.club.storage, house.club.room)
    files = {name: data.decode(errors="replace") for name, data in room.files.items()}
    assert "matches/match-000001-lancelot.html" in files
    for name, text in files.items():
        assert anna.name not in text, name
        assert bert.name not in text, name
    assert not any(name.startswith("members/1.") for name in files)
    mail = asks(house, clara, "match 1")[0]
    assert named([mail], anna, bert) == []
    assert "Blue" in mail.text
    house.resigns(bert)
    publish_room(house.club.storage, house.club.room)
    page = room.files["matches/match-000001-lancelot.html"].decode()
    assert anna.name in page
    assert "members/1.html" in room.files
    running = json.loads(room.files["index/running.json"])
    assert running["matches"] == []


def test_table_for_a_blind_match_names_nobody(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    for person in (anna, bert, clara):
        person.says("settings")
    house.works()
    asks(house, anna, "offer lancelot players=3 names=hidden")
    told = [
        *asks(house, bert, "offers"),
        *asks(house, bert, "take 1"),
        *asks(house, bert, "offers"),
    ]
    assert named(told, anna) == []
    assert "a member" in told[0].text
    asks(house, clara, "take 1")
    for person in (anna, bert, clara):
        person.receives()
    assert named(bert.read, anna, clara) == []


def test_blind_match_has_no_substitutes(house: House, anna: Person) -> None:
    [mail] = asks(house, anna, "offer lancelot names=hidden substitutes=on")
    assert "do not go together" in " ".join(mail.text.split())
