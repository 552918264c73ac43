"""Time controls that players agree on by email, in the words in which they write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.conversations.house import House, Person
from tests.conversations.test_challenges import answers, asks, told
from tests.conversations.test_directing import legal
from tests.fakes.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 12, 14, 12, tzinfo=UTC))  # a Monday


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def played_after(house: House, person: Person, days: float) -> str:
    """Return the answer to a turn played this many days after it began."""
    house.clock.advance(days=days)
    return answers(house, person, legal(house))


@pytest.mark.parametrize(
    ("written", "said", "first", "second", "of_bert"),
    (
        ("days=30", "30 days per turn", "30 d", "30 d", "30 d"),
        ("turns=2/50", "unused time carries over", "28 d", "76 d", "50 d"),
        ("turns=2/50 nocarry", "unused time is lost", "28 d", "50 d", "50 d"),
        ("bank=30 inc=1", "plus 1 day after each turn", "9 d", "8 d", "31 d"),
        ("bank=30 inc=1 cap=30", "after each turn, up to 30 days", "9 d", "8 d", "30 d"),
        ("total=90", "90 days for the match", "68 d", "66 d", "90 d"),
        ("total=90 double=20", "after 20 days in one turn", "66 d", "64 d", "55 d for this turn"),
        ("total=90 weekends=off", "Saturdays and Sundays do not", "74 d", "72 d", "90 d"),
        ("none", "no clock", "22 d", "24 d", "0 min"),
    ),
)
def test_agreed_time_control_is_charged(
    house: House,
    anna: Person,
    bert: Person,
    written: str,
    said: str,
    first: str,
    second: str,
    of_bert: str,
) -> None:
    """Anna's turns last 22 days and 2 days, in two seats that share her clock."""
    asks(house, anna, f"challenge bert lanko-68 {written} as=s")
    assert said in told(bert)
    answers(house, bert, "accept")
    assert f"you {first}, Bert" in played_after(house, anna, 22)
    played_after(house, bert, 0)
    assert house.state().to_act == "N"
    assert f"you {second}, Bert {of_bert}." in played_after(house, anna, 2)
