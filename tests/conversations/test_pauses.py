"""Pauses: as players agree on them, and as a director decides."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.conversations.house import House, Person
from tests.conversations.test_directing import plain, plays, record
from tests.conversations.test_directing_clocks import left


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
    """Somebody asks for a pause, and the others agree."""
    plays(house, asks, f"pause? {span}")
    for each in others:
        plays(house, each, "pause")


def test_players_agree_on_a_pause(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.passes(days=1)
    plays(house, bert, "pause? 2 weeks")
    asked = anna.receives()[-1]
    print(asked.text)
    assert "Bert asks for a pause of 2 weeks, in which no time counts." in asked.text
    assert "pause" in asked.html
    anna.says("pause")
    house.works()
    print(anna.receives()[-1].text)
    print(bert.receives()[-1].text)
    assert 0
