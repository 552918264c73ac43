"""Statistics of members, pairs and games, by email and on pages, and pairs that end at once."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pbem.archive.site.values import Site
from pbem.service.club import Room
from pbem.service.reading_room.publish import publish_room
from pbem.service.status import status_of
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import asks
from tests.fakes.archive import FakeArchive


@pytest.fixture
def people(house: House) -> list[Person]:
    """Anna loses to Bert with each colour and to Clara, and beats a bot."""
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    for pair in ((anna, bert), (bert, anna), (anna, clara)):
        match = house.match("lanrick-1893", *pair)
        house.resigns(anna, match=match.id)
    return [anna, bert, clara]


def test_statistics_by_email(house: House, people: list[Person]) -> None:
    anna, bert, _ = people
    said = asks(house, bert, "stats anna")
    assert "Matches of Anna" in said
    assert "3 matches: 0 won, 0 drawn, 3 lost." in said
    assert "Reliability: no turns with a clock in the last year, so new; left 3 matches." in said
    assert "Lanrick (1893) with 2 players, Yellow: 0 won, 0 drawn, 2 lost" in said
    assert "3: one side resigned" in said
    assert "Wins in a row: 0 now, 0 at most." in said
    assert "Reliability" not in asks(house, bert, "stats anna lanrick-1893")
    assert "2 matches: 2 won, 0 drawn, 0 lost." in asks(house, anna, "stats bert anna")
    assert "no finished matches" in asks(house, anna, "stats anna lanko-88")
    of_game = asks(house, anna, "stats lanrick-1893")
    assert "With 2 players: 3 matches, 0 drawn." in of_game
    assert "made 33% of the points. An equal share is 50%" in of_game
    assert "I know no member or game Zed" in asks(house, anna, "stats Zed")


def test_private_matches_are_only_for_their_players(house: House, people: list[Person]) -> None:
    anna, bert, clara = people
    asks(house, anna, "challenge bert lancelot private")
    asks(house, bert, "accept 1")
    house.resigns(bert, match=4)
    assert "1 match: 1 won, 0 drawn, 0 lost." in asks(house, anna, "stats anna bert lancelot")
    assert "no finished matches" in asks(house, clara, "stats anna bert lancelot")
    asks(house, bert, "set page hidden")
    assert "I know no member" in asks(house, clara, "stats bert")


def test_pages_have_plots_and_numbers(house: House, people: list[Person]) -> None:
    pages = FakeArchive()
    house.club = replace(house.club, room=Room(Site("pbem", house.address), pages))
    assert house.club.room is not None
    publish_room(house.club.storage, house.club.room)
    files = {name: pages.read(name) or b"" for name in pages.names("")}
    page = files["members/1.html"].decode()
    assert "Results by seat" in page
    assert '<rect class="lost"' in page
    assert "New: no turns with a clock" in page
    assert 'href="2.html">Bert</a>' in page
    (own,) = json.loads(files["members/1.json"])
    assert (own["lost"], own["endings"]) == (3, {"resignation": 3})
    won = json.loads(files["members/2.json"])[0]["games"]
    runs = {"wins_in_a_row": 2, "most_wins_in_a_row": 2, "most_without_loss": 2}
    assert won == [{"game": "lanrick-1893"} | runs]
    assert "an equal share is 50%" in files["games/lanrick-1893.html"].decode()
    (of_game,) = json.loads(files["games/lanrick-1893.json"])
    assert of_game["matches"] == 3


def test_pairs_that_often_end_at_once_are_shown_to_directors(
    house: House, people: list[Person]
) -> None:
    anna, bert, _ = people
    assert status_of(house.club, pairs=True).early_pairs == ()
    for _ in range(3):
        house.resigns(anna, match=house.match("lanrick-1893", anna, bert).id)
    (pair,) = status_of(house.club, pairs=True).early_pairs
    assert (pair.names, pair.matches, pair.won) == (("Anna", "Bert"), 5, (0, 5))
