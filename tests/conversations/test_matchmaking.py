"""Matchmaking: members wait for anybody, and the club brings together those who fit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.service.members.forget import forget
from pbem.service.offers.matchmaking import pair_all
from pbem.service.work import writing
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks, told

WANTS = "play anybody lanko-68 days=3"


@pytest.fixture
def people(house: House) -> Sequence[Person]:
    return [house.player(name) for name in ("Anna", "Bert", "Clara")]


def pairs(house: House) -> list[set[str]]:
    """Bring members together. Return who plays whom in every match."""
    pair_all(house.club)
    house.works()
    return [set(house.names(match.id).values()) for match in house.matches()]


def test_two_who_fit_start_a_match(house: House, people: Sequence[Person]) -> None:
    anna, bert, clara = people
    said = asks(house, anna, WANTS)
    assert "I'm looking for somebody who would like Lanko-68 on the same terms, until" in said
    assert "No search for this game has ended yet" in said
    assert pairs(house) == []
    assert "Nobody is looking" in asks(house, bert, "offers"), "a search is nobody else's business"
    assert "there is no offer 1" in asks(house, bert, "take 1")
    house.passes(days=0.25)
    said = asks(house, bert, "play anyone lanko-68 days=3 for=3w")
    assert "1 on these terms, 0 on other terms" in said
    assert pairs(house) == [{"Anna", "Bert"}]
    assert "Match 1 has started with a member who waited for the same." in told(anna)
    assert house.state().options.days == 3
    asks(house, clara, WANTS)
    assert pairs(house) == [{"Anna", "Bert"}]


def test_answer_says_how_long_it_usually_takes(house: House, people: Sequence[Person]) -> None:
    anna, bert, clara = people
    asks(house, anna, WANTS)
    house.passes(days=0.25)
    asks(house, bert, WANTS)
    pairs(house)
    said = asks(house, clara, "play anybody lanko-68 days=7")
    assert "In half of the last 2 searches for this game it took 7 hours or less." in said
    assert "No search for this game" in asks(house, clara, "play anybody lancelot")


@pytest.mark.parametrize(
    "other",
    (
        "play anybody lanko-68 days=5",
        "play anybody lanko-88 days=3",
        "play anybody lanko-68 days=3 players=4",
        "play anybody lanko-68 days=3 unrated",
        "play anybody lanko-68 days=3 new=no",
    ),
)
def test_other_terms_and_conditions_do_not_fit(
    house: House, people: Sequence[Person], other: str
) -> None:
    asks(house, people[0], WANTS)
    asks(house, people[1], other)
    assert pairs(house) == []


def test_seats_are_as_wished(house: House, people: Sequence[Person]) -> None:
    wants = "play anybody lanrick-1893"
    asks(house, people[0], f"{wants} as=black")
    asks(house, people[1], f"{wants} as=black")
    assert pairs(house) == []
    asks(house, people[2], f"{wants} as=yellow")
    assert pairs(house) == [{"Anna", "Clara"}]
    assert house.names() == {"yellow": "Clara", "black": "Anna"}


def test_members_who_block_each_other_or_are_away_are_not_chosen(
    house: House, people: Sequence[Person]
) -> None:
    anna, _, clara = people
    asks(house, anna, "block bert")
    asks(house, clara, "leave for 3 days")
    for each in people:
        asks(house, each, WANTS)
    assert pairs(house) == []
    asks(house, clara, "back")
    assert pairs(house) == [{"Anna", "Clara"}]


def test_far_zones_wait_for_a_better_match_for_a_quarter_of_the_time(house: House) -> None:
    anna = house.player("Anna", time_zone="Europe/Warsaw")
    bert = house.player("Bert", time_zone="Pacific/Auckland")
    asks(house, anna, f"{WANTS} for=8d")
    asks(house, bert, WANTS)
    assert pairs(house) == []
    house.skips(days=2)  # a quarter of Anna's time
    assert pairs(house) == [{"Anna", "Bert"}]


def test_three_play_three_sided(house: House, people: Sequence[Person]) -> None:
    for number, each in enumerate(people):
        assert pairs(house) == [], number
        asks(house, each, "play anybody lancelot players=3")
    assert pairs(house) == [{"Anna", "Bert", "Clara"}]


def test_search_ends_after_its_time_or_when_its_owner_says_so(
    house: House, people: Sequence[Person]
) -> None:
    anna, bert, _ = people
    asks(house, anna, f"{WANTS} for=2d")
    assert "Search 1: Lanko-68, 3 days per turn" in asks(house, anna, "offers")
    assert "offer 1 is a search" in asks(house, anna, "counter 1 days=5")
    house.skips(days=2.1)
    assert "Nobody who fits came in time, so the match will not start." in told(anna)
    asks(house, bert, WANTS)
    assert "You have withdrawn search 2." in asks(house, bert, "withdraw 2")
    asks(house, anna, WANTS)
    assert pairs(house) == []


def test_search_of_a_former_member_starts_nothing(house: House, people: Sequence[Person]) -> None:
    anna, bert, _ = people
    asks(house, anna, WANTS)
    with writing(house.club) as work:
        player = work.players.named("Anna")
        assert player is not None
        forget(work, player)
    asks(house, bert, WANTS)
    assert pairs(house) == []


@pytest.mark.parametrize("line", (f"{WANTS} for=1h", f"{WANTS} bert", f"{WANTS} only=bert"))
def test_impossible_search_is_refused(house: House, people: Sequence[Person], line: str) -> None:
    asks(house, people[0], line)
    assert "Nobody is looking" in asks(house, people[0], "offers")
