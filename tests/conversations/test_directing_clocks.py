"""A director's decisions about clocks. On fakes only, as days pass."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.service.direct import orders
from tests.conversations.house import House, Person
from tests.conversations.test_directing import decides, plays, record


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def left(house: House) -> timedelta:
    """Return the remaining time for the turn, to the second."""
    flag = house.flag_at()
    assert flag is not None
    return timedelta(seconds=round((flag - house.clock.now()).total_seconds()))


def test_time_is_added_to_the_second(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    before = house.flag_at()
    assert before is not None
    decides(house, lambda work: orders.extension(1, "3d", "Anna moves house"))
    assert house.flag_at() == before + timedelta(days=3)
    assert "has given Anna more time for this turn: 3d." in " ".join(
        bert.receives()[-1].text.split()
    )
    plays(house, anna, "[41-36]")
    assert left(house) == timedelta(days=5)  # it was for that turn
    record(house)


def test_time_added_after_flag_fall_counts_from_now(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    house.passes(days=6)
    decides(house, lambda work: orders.extension(1, "2d", ""))
    assert left(house) == timedelta(days=2)
    house.director.receives()
    house.passes(days=3)
    assert len(house.director.receives()) == 1  # the flag falls again
    record(house)


def test_paused_match_resumes_with_the_same_time(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.passes(days=1)
    decides(house, lambda work: orders.pausing(1, "The club is on holiday"))
    house.passes(days=10)
    assert house.flag_at() is None
    plays(house, anna, "[41-36]")
    house.passes(days=10)
    assert house.flag_at() is None  # whoever's turn it is
    decides(house, lambda work: orders.resumption(1, ""))
    assert left(house) == timedelta(days=5)
    record(house)


def test_replacement_plays_with_their_own_nights_and_reminders(
    house: House, anna: Person, bert: Person
) -> None:
    clara = house.player("Clara")
    house.match("lanko-68", anna, bert)
    clara.says("set nights 22-08\nset reminders none", recipient=house.address)
    house.works()
    clara.receives()
    clara.says("confirm")
    house.works()
    decides(house, lambda work: orders.substitution(work, 1, "Anna", "Clara", ""))
    assert left(house) > timedelta(days=8), "fourteen hours of each day count"
    clara.receives()
    house.passes(days=9)
    [late] = clara.receives()  # and no reminder before it
    assert "you have run out of time" in late.text
    assert "Clara has run out of time in match 1" in house.director.receives()[-1].text
