"""Emails that a member causes to others are limited per person and day."""

from __future__ import annotations

import pytest

from tests.conversations.house import ON_BOTH, House, Person
from tests.conversations.test_challenges import asks

MOVE = "[41-36]"
REFUSED = "one email too many."


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", time_zone="Europe/Warsaw")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def sends(house: House, person: Person, *texts: str) -> list[str]:
    """Return the answers to emails that are read together."""
    for text in texts:
        person.says(text, quoting=False)
        house.works()
        person.receives()
    return [" ".join(mail.text.split()) for mail in person.read[-len(texts) :]]


@ON_BOTH
def test_withdrawn_challenges_reach_a_member_three_times_a_day(
    house: House, anna: Person, bert: Person
) -> None:
    asks(house, anna, "challenge Bert lancelot")
    again = "withdraw {}\nchallenge Bert lancelot"
    told = sends(house, anna, *map(again.format, (1, 2, 2, 2, 2)))
    assert len(bert.receives()) == 3
    assert "This email would have sent Bert one email too many." in told[-1]
    assert "(Warsaw)" in told[-1]
    assert "Nothing has changed." in told[-1]
    bert.says("offers", to=bert.read[0], quoting=False)
    house.works()
    assert "Challenge 2" in bert.receives()[-1].text, "nothing of the refused email has happened"
    house.clock.advance(days=1)
    sends(house, anna, "withdraw 2")
    assert len(bert.receives()) == 1


@ON_BOTH
@pytest.mark.parametrize(
    "loop",
    (
        ("pause? 2 days", "no pause"),
        ("pause? 2 days", "pause? 3 days", "pause? 4 days"),
    ),
)
def test_offers_in_a_match_reach_the_opponent_three_times_a_day(
    house: House, anna: Person, bert: Person, loop: tuple[str, ...]
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives(), bert.receives()
    told = sends(house, anna, *loop * 5)
    assert len(bert.receives()) == 3
    assert REFUSED in told[-1]
    sends(house, anna, MOVE)
    assert house.moves() == [MOVE]
    assert len(bert.receives()) == 1, "moves are not limited"


def test_more_time_can_be_given_three_times_a_day(house: House, anna: Person, bert: Person) -> None:
    """Each `wait` sends the late player an email, and another one when that time is over."""
    house.match("lanko-68", bert, anna, days=2, chosen="flag=claim")
    for _ in range(4):
        house.skips(days=0.9)
    anna.receives(), bert.receives()
    for _ in range(20):
        sends(house, anna, "wait 1h")
        house.skips(days=1.1 / 24)
    assert len(bert.receives()) == 6
    assert any(REFUSED in " ".join(mail.text.split()) for mail in anna.read)


def test_counters_share_the_limit(house: House, anna: Person, bert: Person) -> None:
    asks(house, bert, "challenge Anna lancelot")
    anna.receives(), bert.receives()
    told = sends(house, anna, *(f"counter 1 days={days}" for days in range(3, 9)))
    assert len(bert.receives()) == 3
    assert REFUSED in told[-1]


def test_requested_answers_do_not_count(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives(), bert.receives()
    for _ in range(3):
        sends(house, anna, "pause? 2 days")
        bert.receives()
        sends(house, bert, "no pause")
        anna.receives()
    told = sends(house, bert, "pause? 5 days", "pause? 6 days", "pause? 7 days")
    assert all(REFUSED not in each for each in told), "Anna has used up nothing of Bert's"
    assert REFUSED in sends(house, anna, "pause? 3 days")[0]


def test_total_is_twenty_emails_a_day(house: House, anna: Person) -> None:
    names = "Bert", "Carl", "Dora", "Emil", "Fred", "Gina", "Hugo", "Ida"
    people = [house.player(name) for name in names]
    asks(house, anna, "settings")
    for number, name in enumerate((*names, *names), 1):
        sends(house, anna, f"challenge {name} lancelot", f"withdraw {number}")
    assert sum(len(person.receives()) for person in people) == 20
