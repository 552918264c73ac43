"""A misspelt command gets a suggestion. An incomplete one is explained."""

from __future__ import annotations

import pytest

from tests.conversations.house import House, Person, Received
from tests.conversations.tapping import links_of
from tests.conversations.test_lists import flat


@pytest.fixture
def anna(house: House) -> Person:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    return anna


def answer(house: House, person: Person, text: str, to: str = "") -> Received:
    """Return the answer to an email about the match or to the club."""
    person.says(text, recipient=to, references=not to, quoting=not to, subject="hi" if to else "")
    house.works()
    [told] = person.receives()
    return told


def bodies(mail: Received) -> list[str]:
    return [link.body.strip() for link in links_of(mail)]


@pytest.mark.parametrize(
    ("text", "meant"),
    (
        ("Histroy", "history"),
        ("Hello!\n\nmatchs", "matches"),
        ("recrod 1", "record 1"),
        ("mails 1 trun", "mails 1 turn"),
        ("set zoen Europe/Warsaw", "set zone Europe/Warsaw"),
        ("settngs please tell me", ""),
        ("nodraw", "no draw"),
        ("set timezone Warsaw", "set zone Warsaw"),
        ("I resign", "resign"),
        ("What are the rules?", "rules"),
    ),
)
def test_misspelt_command_gets_a_suggestion_that_can_be_tapped(
    house: House, anna: Person, text: str, meant: str
) -> None:
    for to in ("", house.address):
        told = answer(house, anna, text, to)
        assert ("Did you mean" in told.text) == bool(meant)
        if meant:
            assert f"    {meant}\n" in told.text
            assert meant in bodies(told)


def test_several_likely_commands_are_all_listed(house: House, anna: Person) -> None:
    told = answer(house, anna, "drawe")
    assert "    draw?\n" in told.text
    assert "    draw\n" in told.text
    assert "the one you mean" in flat(told)


def test_incomplete_command_is_explained(house: House, anna: Person) -> None:
    told = flat(answer(house, anna, "match twelve"))
    assert "match NUMBER show any of your matches" in told
    assert "NUMBER the number of a match, such as 12" in told
    told = flat(answer(house, anna, "mails often"))
    assert "mails [MATCH] CHOICE" in told
    assert "CHOICE turn, all, digest or usual" in told


def test_note_in_an_email_that_does_something_gets_no_suggestion(
    house: House, anna: Person
) -> None:
    told = answer(house, anna, "[41-36]\n\nhistroy\nrecord time!")
    assert "Did you mean" not in told.text
    assert "| histroy" in told.text
    told = answer(house, anna, "How nice to hear from you, and well played.")
    assert "Did you mean" not in told.text


def test_director_commands_are_suggested_only_to_directors(house: House, anna: Person) -> None:
    eve = house.stranger("eve@mail.example")
    eve.says("matchs", recipient=house.address)
    house.works()
    assert "Did you mean" not in eve.receives()[-1].text
