"""What emails say of the course of a competition: the places so far, and when it may end."""

from __future__ import annotations

import random

from pbem.matches.announcement import Phase
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks
from tests.conversations.test_competitions import (
    announced,
    closes,
    decides,
    directing,
    enter,
    people,
    phase,
)
from tests.conversations.test_directors_mail import plain
from tests.conversations.test_reliability import plays

PACE = "At the players' usual pace, it will probably end"


def known(house: House, anna: Person, bert: Person, *lengths: int) -> None:
    """Let two members play matches of these lengths in turns, one turn a day."""
    for turns in lengths:
        match = house.match("lanrick-1893", anna, bert).id
        house.sweeps()
        plays(house, *(anna, bert, anna, bert)[:turns], days=1, match=match)
        house.resigns(anna, match=match)


def test_forecast_and_places_are_in_emails(house: House) -> None:
    dora = directing(house)
    everybody = people(house, "Anna", "Bert", "Clara")
    anna, bert, _ = everybody
    known(house, anna, bert, *(4,) * 7)
    for person in everybody:
        person.receives()
    announced(house, dora, "tournament lanrick-1893 double days=30")
    enter(house, 1, everybody)
    assert PACE not in asks(house, anna, "competition 1"), "it has not started"
    closes(house)
    assert PACE not in "".join(plain(each) for each in anna.receives()), "seven are too few"

    known(house, anna, bert, 4)
    assert f"{PACE} about" in asks(house, anna, "competition 1"), "all matches were equally long"
    known(house, anna, bert, 2, 2, 2)
    shown = asks(house, anna, "competition 1")
    assert f"{PACE} between" in shown
    assert "Places after each round" not in shown, "there is no course yet"
    rng = random.Random(4)
    for person in everybody:
        person.receives()
    for _ in range(2):
        decides(house, rng)
    house.works()
    begins = [plain(each) for person in everybody for each in person.receives()]
    assert sum(PACE in each for each in begins) == 4, "each email that starts a match has it"
    shown = asks(house, anna, "competition 1")
    assert "Places after each round: 1 2" in shown
    while phase(house) is Phase.RUNNING:
        decides(house, rng)
    assert PACE not in asks(house, anna, "competition 1"), "it is over"
