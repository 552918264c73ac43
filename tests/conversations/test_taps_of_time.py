"""Emails with questions about time: each is answered by a tap, also with few emails chosen."""

from __future__ import annotations

import pytest

from pbem.service.members.choosing import choose
from pbem.service.work import writing
from pbem.settings import substitute
from tests.conversations.house import House, Person
from tests.conversations.tapping import links_of, taps
from tests.conversations.test_challenges import asks
from tests.conversations.test_directing import legal, plain, plays
from tests.conversations.test_taps import said_by


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", mails="turn")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert", mails="turn")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara", mails="turn")


def follows(house: House, person: Person, said: str) -> str:
    """Tap the link of a line in the newest email. Return the answer, which needs no question."""
    person.receives()
    link = next(each for each in links_of(person.latest) if said_by(each) == said)
    taps(person, link)
    house.works()
    told = plain(person)
    assert "did you send this?" not in told
    return told


def is_substitute(house: House, person: Person) -> None:
    with writing(house.club) as work:
        assert person.player is not None
        choose(work, person.player.id, substitute.SETTING, substitute.ON)


def test_claim_and_wait(house: House, anna: Person, bert: Person, clara: Person) -> None:
    house.match("lancelot", anna, bert, clara, days=2, chosen="flag=claim")
    house.skips(days=2.1)
    assert "Bert gives Anna more time for this turn" in follows(house, bert, "wait 3 days")
    house.skips(days=3.1)
    assert "lost. The others continue" in follows(house, clara, "claim")


def test_late_move_is_reported_to_possible_claimants(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara, days=2, chosen="flag=claim")
    house.skips(days=2.1)
    clara.receives()
    plays(house, anna, legal(house))
    [told] = clara.receives()
    assert "There is nothing for you to do now" in " ".join(told.text.split())
    assert "claim" not in [said_by(each) for each in links_of(told)]


def test_pause(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "pause? 2 weeks")
    assert "all players agreed to a pause" in follows(house, bert, "pause")
    plays(house, anna, "pause? 3 weeks")
    assert "declines the pause" in follows(house, bert, "no pause")


def test_leave_and_back(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    plays(house, anna, "leave 7 days")
    assert "Anna takes leave" in plain(bert)
    assert "Your leave is over" in follows(house, anna, "back")


def test_autoleave_is_turned_off(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, days=1)
    plays(house, anna, "set autoleave on")
    house.skips(days=1.1)
    assert "and takes leave a day at a time until they move" in plain(bert)
    anna.receives()
    assert legal(house) in [said_by(each) for each in links_of(anna.latest)]
    assert "autoleave is off from now on" in follows(house, anna, "set autoleave off")


def test_one_of_several_matches_in_a_reminder(house: House, anna: Person, bert: Person) -> None:
    for _ in range(2):
        house.match("lanko-68", anna, bert, days=3)
    house.until_noon()
    house.skips(days=2)
    assert "Match 2, Lanko-68, turn 1" in follows(house, anna, "match 2")


def test_partner_and_substitute_take_over(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    dora = house.player("Dora")
    is_substitute(house, dora)
    house.match("lanko-68", anna, bert, clara, days=2, chosen="flag=loss")
    house.skips(days=2.1)
    assert "Clara takes over from Anna" in follows(house, clara, "takeover 1 S")
    house.match("lanko-68", anna, bert, days=2, chosen="flag=substitute")
    house.skips(days=2.1)
    assert "Dora takes over from Anna" in follows(house, dora, "takeover 2 S")


def test_table_agrees_and_player_returns_from_a_bot(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    is_substitute(house, clara)
    house.match("lanko-68", anna, bert, days=2, chosen="flag=bot substitutes=on")
    house.skips(days=2.1)
    asks(house, clara, "takeover 1 S")
    anna.receives()
    assert "Clara takes over" in follows(house, bert, "takeover yes")
    assert house.names()["S"] == "Clara"
    house.match("lanko-68", anna, bert, days=2, chosen="flag=bot")
    house.skips(days=2.1)
    assert "Anna (S, White) to move" in follows(house, anna, "show")
    assert house.names(2)["S"] == "Anna"
