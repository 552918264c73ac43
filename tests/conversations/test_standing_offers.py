"""Standing tables open again each time a match starts from them."""

from __future__ import annotations

from pbem.service.members.forget import forget
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks, told

OPEN = "Table 1: Lanko-68"


def people(house: House, *names: str) -> list[Person]:
    return [house.player(name) for name in names]


def plays_through(house: House, person: Person, match: int) -> None:
    house.resigns(person, match=match)
    house.sweeps()
    person.receives()


def test_table_opens_again_after_each_match_under_the_same_number(house: House) -> None:
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    made = asks(house, anna, "offer lanko-68 days=3 always")
    assert "It opens again after each start, for one match at a time." in made
    assert 'For more at a time, add for example "always=3".' in made
    asks(house, bert, "take 1")
    assert "Match 1 has started from table 1" in told(anna)
    assert OPEN not in asks(house, clara, "offers")
    assert "table 1 is closed for now" in asks(house, clara, "take 1")
    assert "Closed for now." in asks(house, anna, "offers")
    plays_through(house, bert, 1)
    assert OPEN in asks(house, clara, "offers")
    asks(house, clara, "take 1")
    assert [set(house.names(match.id).values()) for match in house.matches()] == [
        {"Anna", "Bert"},
        {"Anna", "Clara"},
    ]
    assert "You have withdrawn table 1." in asks(house, anna, "withdraw 1")
    assert "offer 1 was withdrawn" in asks(house, bert, "take 1")


def test_as_many_matches_at_once_as_the_owner_allows(house: House) -> None:
    anna, *others = people(house, "Anna", "Bert", "Clara", "Dora")
    assert "for 2 matches at a time" in asks(house, anna, "offer lanko-68 always=2")
    asks(house, others[0], "take 1\ntake 1")
    assert "you still play match 1 from table 1" in asks(house, others[0], "take 1")
    asks(house, others[1], "take 1")
    assert "is closed for now" in asks(house, others[2], "take 1")
    assert len(house.matches()) == 2
    plays_through(house, others[0], 1)
    asks(house, others[0], "take 1")
    assert len(house.matches()) == 3


def test_seats_are_drawn_again_each_time(house: House) -> None:
    anna, *others = people(house, "Anna", *(f"Bert {number}" for number in "abcdefgh"))
    asks(house, anna, "offer lancelot always=9")
    for each in others:
        asks(house, each, "take 1")
    assert len({house.names(match.id)["red"] == "Anna" for match in house.matches()}) == 2


def test_table_is_closed_during_leave_and_has_all_its_days_after_it(house: House) -> None:
    anna, bert = people(house, "Anna", "Bert")
    asks(house, anna, "offer lanko-68 always expires=5d")
    asks(house, anna, "leave for 8 days")
    house.sweeps()
    assert "is closed for now" in asks(house, bert, "take 1")
    assert OPEN not in asks(house, bert, "offers")
    house.passes(days=7)
    assert anna.receives() == []  # it does not expire meanwhile
    house.passes(days=2)
    assert OPEN in asks(house, bert, "offers")
    house.passes(days=3)
    assert OPEN in asks(house, bert, "offers")  # it has all its days again


def test_table_expires_if_nobody_comes_for_all_its_days(house: House) -> None:
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    asks(house, anna, "offer lanko-68 always=3 expires=5d")
    house.passes(days=4)
    asks(house, bert, "take 1")
    house.passes(days=4)
    assert OPEN in asks(house, clara, "offers")
    house.passes(days=1.5)
    assert "table 1 has expired" in told(anna)
    assert "offer 1 has expired" in asks(house, clara, "take 1")


def test_table_ends_when_its_owner_leaves_the_club(house: House) -> None:
    anna, bert = people(house, "Anna", "Bert")
    asks(house, anna, "offer lanko-68 always=3")
    asks(house, bert, "take 1")
    with writing(house.club) as work:
        player = work.players.named("Anna")
        assert player is not None
        forget(work, player)
    assert "Nobody is looking" in asks(house, bert, "offers")
    assert "offer 1 was withdrawn" in asks(house, bert, "take 1")


def test_several_seats_fill_each_time_and_a_seat_can_be_given_up(house: House) -> None:
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    asks(house, anna, "offer lancelot players=3 always=2")
    asks(house, bert, "take 1")
    asks(house, clara, "take 1")
    plays_through(house, bert, 1)
    plays_through(house, clara, 1)
    assert "You have a seat at table 1" in asks(house, bert, "take 1")
    assert "You have left table 1" in asks(house, bert, "leave table 1")
    assert len(house.matches()) == 1


def test_conditions_hold_each_time(house: House) -> None:
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    asks(house, anna, "offer lanko-68 always=3 only=Bert")
    assert "table 1 is not available" in asks(house, clara, "take 1")
    asks(house, bert, "take 1")
    assert "table 1 is not available" in asks(house, clara, "take 1")
    assert "always must be a whole number from 1 to 20" in asks(
        house, anna, "offer lanko-68 always=many"
    )
    assert "always is not an option for challenges" in asks(
        house, anna, "challenge Bert lanko-68 always"
    )


def test_series_of_a_table_counts_until_its_last_game(house: House) -> None:
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    asks(house, anna, "offer lanko-68 series=2 always")
    asks(house, bert, "take 1")
    house.resigns(bert, match=1)
    house.sweeps()
    assert "is closed for now" in asks(house, clara, "take 1")
    house.resigns(bert, match=2)
    house.sweeps()
    asks(house, clara, "take 1")
    with reading(house.club) as work:
        assert [each.number for each in work.competitions.all()] == [1, 2]
