"""Lists by mail: games, members, matches, a match by its number, and its record."""

from __future__ import annotations

import pytest

from tests.conversations.house import House, Person, Received
from tests.conversations.tapping import links_of


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def asks(house: House, person: Person, text: str) -> Received:
    """A mail to the club that answers none, and its one answer."""
    person.receives()
    person.says(text, recipient=house.address, references=False, quoting=False, subject="hello")
    house.works()
    [answer] = person.receives()
    assert all(len(line) <= 72 for line in answer.text.splitlines())
    return answer


def flat(mail: Received) -> str:
    return " ".join(mail.text.split())


def bodies(mail: Received) -> list[str]:
    return [link.body.strip() for link in links_of(mail)]


def test_games_tells_what_can_be_played(house: House, anna: Person) -> None:
    told = asks(house, anna, "games")
    assert "lancelot Lancelot, for 2, 3, 4 or 5 players" in flat(told)
    assert "excalibur=off" in told.text
    assert "bot-random and bot-greedy" in flat(told)
    assert "rules lanko-68" in bodies(told)
    assert "<table" in told.html


def test_members_names_those_who_are_not_hidden_and_no_address(
    house: House, anna: Person, bert: Person
) -> None:
    house.player("Clara")
    asks(house, anna, "members")
    with_proof(house, bert, "set page hidden")
    told = asks(house, anna, "members")
    assert "Anna" in told.text
    assert "Clara" in told.text
    assert "Bert" not in told.text
    assert "@" not in told.text.replace(house.address, "")
    assert "Bert" in asks(house, bert, "members").text
    assert "Clara" not in asks(house, anna, "members a").text


def with_proof(house: House, person: Person, text: str) -> None:
    """In answer to a mail of the club."""
    asks(house, person, "help")
    person.says(text)
    house.works()
    person.receives()


def test_matches_are_listed_by_who_is_to_act_and_what_time_is_left(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert, days=9)
    house.match("lanrick-1893", bert, anna)
    house.match("lanko-88", anna, bert, days=2)
    told = asks(house, anna, "matches")
    yours, others = told.text.split("Others are to act:")
    assert yours.index("match 3") < yours.index("match 1")
    assert "2 days" in yours
    assert "match 2" in others
    assert "Bert is to act" in others
    assert bodies(told)[:3] == ["match 3", "match 1", "match 2"]
    assert "not playing any match" in asks(house, house.player("Clara"), "matches").text


def test_ended_matches_are_listed_when_they_are_asked_for(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("resign")
    house.works()
    assert "match 1" not in asks(house, anna, "matches").text
    told = asks(house, anna, "matches all")
    assert "Bert won" in told.text
    assert bodies(told)[:2] == ["match 1", "record 1"]


def test_many_matches_are_not_all_listed_and_that_is_said(
    house: House, anna: Person, bert: Person
) -> None:
    for _ in range(53):
        house.match("lanko-68", anna, bert)
    told = asks(house, anna, "matches")
    assert "There are 3 more of these." in told.text
