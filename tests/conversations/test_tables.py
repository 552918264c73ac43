"""Open tables: anyone may join, and the match starts when all seats are taken."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.service.members.forget import withdraw_all
from pbem.service.work import writing
from tests.conversations.house import House
from tests.conversations.test_challenges import answers, asks, told


def test_table_takes_members_one_by_one_and_starts_when_full(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    said = asks(house, anna, "offer lancelot players=3 excalibur=on expires=30d as=blue")
    lapses = house.clock.now() + timedelta(days=30)
    assert f"Table 1 is open until {lapses:%A} {lapses.day} {lapses:%B}" in said
    assert "2 seats free" in said
    listed = asks(house, bert, "offers")
    assert (
        "Table 1: Lancelot, 5 days per turn, excalibur on. Players: Anna. 2 seats free." in listed
    )
    assert "take 1" in listed
    assert ">Take a seat<" in bert.latest.html
    assert "another player has asked for that seat" in asks(house, bert, "take 1 as=blue")
    assert "1 seat free" in asks(house, bert, "take 1")
    assert "you already have a seat at table 1" in asks(house, bert, "take 1")
    assert "leave table 1" in asks(house, bert, "offers")
    assert anna.receives() == []
    clara.says("settings", recipient=house.address)
    house.works()
    clara.receives()
    clara.says("take 1 as=red")
    house.works()
    (match,) = house.matches()
    assert house.names() == {"red": "Clara", "blue": "Anna", "yellow": "Bert"}
    assert match.options.game["excalibur"] == 1
    (begins,) = clara.receives()
    assert "You play Red" in begins.text
    assert "has started from table 1" in told(anna)
    assert "offer 1 has already started. It is now match 1" in asks(house, bert, "take 1")


def test_seat_can_be_given_up_and_a_table_withdrawn(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "offer set lanko-68")
    asks(house, bert, "take 1")
    assert "offer 1 is your own" in asks(house, anna, "leave table 1")
    assert "You have left table 1." in asks(house, bert, "leave table 1")
    assert "you don't have a seat at table 1" in asks(house, bert, "leave table 1")
    asks(house, bert, "take 1")
    assert "You have withdrawn table 1." in asks(house, anna, "withdraw 1")
    assert "Anna has withdrawn table 1: a set of Lanko-68." in told(bert)
    assert "offer 1 was withdrawn" in asks(house, bert, "take 1")


def test_set_starts_at_a_full_table(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    asks(house, anna, "offer set lanko-68 days=2")
    for person in (bert, clara):
        asks(house, person, "take 1")
    (first,) = house.matches()
    assert (first.options.days, first.place is not None) == (2, True)


def test_table_expires_and_waiting_players_are_notified_once(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "offer lancelot players=3 expires=2d")
    asks(house, bert, "take 1")
    house.passes(days=2.1)
    for person in (anna, bert):
        (over,) = person.receives()
        assert "table 1 has expired" in over.text


def test_table_can_be_limited_to_some_players(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lanko-68", anna, clara)
    asks(house, anna, "offer lancelot only=Bert")
    asks(house, anna, "offer lancelot met=no")
    assert "take 1" in asks(house, bert, "offers")
    assert "Nobody is looking" in asks(house, clara, "offers")
    assert "table 1 is not available" in asks(house, clara, "take 1")
    assert "who have no match with Anna at the moment" in asks(house, clara, "take 2")
    asks(house, bert, "take 1")
    assert "who have no match with Anna at the moment" in asks(house, bert, "take 2")
    assert len(house.matches()) == 2


@pytest.mark.parametrize(
    ("line", "told"),
    (
        ("offer lanko-68 bert", "an open table is for anyone, and bert is neither"),
        ("offer lancelot players=9", "Lancelot is for 2 to 5 players, not 9"),
        ("offer lancelot players=many", "players must be a whole number from 1 to 99, not 'many'"),
        ("offer lancelot expires=never", "expires must be a whole number from 1 to 365"),
        ("offer lancelot met=perhaps", "met must be yes or no, not 'perhaps'"),
        ("offer lancelott", "offer lancelot"),
        ("take 1 as=red", "there is no offer 1"),
    ),
)
def test_impossible_table_is_explained(house: House, line: str, told: str) -> None:
    anna = house.player("Anna")
    assert told in asks(house, anna, line)


def test_line_without_an_offer_is_a_note(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    bert.receives()
    prose = ("Take care!", "Play well.", "Offer accepted.", "Challenge me later.", "Leave it be.")
    answers(house, anna, "\n".join(("42-36", *prose)))
    assert house.moves() == ["[42-36]"]
    written = bert.receives()[-1].text
    assert [line for line in prose if f"| {line}" in written] == list(prose)


def test_repeated_command_in_one_email_counts_once(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "offer lancelot players=3")
    assert "1 seat free" in asks(house, bert, "take 1\ntake 1")
    assert "You have withdrawn table 1." in asks(house, anna, "withdraw 1\n\nwithdraw 1")


def test_contradictory_lines_do_nothing(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "challenge bert lancelot")
    assert "makes another impossible" in asks(house, bert, "accept 1\n\ndecline 1")
    assert house.matches() == []
    asks(house, bert, "accept 1\naccept 1")
    assert len(house.matches()) == 1


def test_former_member_is_removed_from_all_offers(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    asks(house, anna, "challenge bert lancelot")
    asks(house, bert, "offer lancelot players=3")
    asks(house, clara, "offer lancelot players=3")
    asks(house, bert, "take 3")
    asks(house, clara, "block bert")
    with writing(house.club) as work:
        assert bert.player is not None
        withdraw_all(work, bert.player)
        assert [each.number for each in work.offers.standing()] == [3]
        assert work.blocks.around(bert.player.id) == frozenset()
    house.works()
    assert "Bert has declined challenge 1" in told(anna)
