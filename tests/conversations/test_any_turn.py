"""`show 17`, `history 10-20`, `since` and `position`: a match at any of its turns."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest

from pbem.archive.site.values import Site
from pbem.cli.engine import serve
from pbem.service.club import Public, Room
from tests.conversations.house import House, Person, Received
from tests.conversations.tapping import links_of, taps
from tests.fakes.archive import FakeArchive

URL = "https://pbem.example/"
TURNS = ("[41-36]", "[10-19]", "[5-12]", "[15-22]")


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def played(house: House, anna: Person, bert: Person) -> None:
    """Four turns of a match of Lanko."""
    house.match("lanko-68", anna, bert)
    for text, person in zip(TURNS, (anna, bert, anna, bert), strict=True):
        person.receives()
        person.says(text)
        house.works()
    assert house.moves() == list(TURNS)


def opens_room(house: House, public: Public = Public.LIVE, delay: int = 0) -> None:
    site = Site("pbem", house.address, URL)
    house.club = replace(house.club, room=Room(site, FakeArchive(), public, delay))


def asks(house: House, person: Person, text: str) -> Received:
    """Send an email and return its one answer."""
    person.receives()
    person.says(text)
    house.works()
    [answer] = person.receives()
    return answer


@pytest.mark.usefixtures("played")
def test_show_with_a_turn_sends_the_board_after_it(house: House, anna: Person) -> None:
    text = asks(house, anna, "show 2").text
    assert text.startswith("Match 1, Lanko-68, after turn 2 of 4\n\n  2 W  [10-19]\n")
    assert "Anna (N, White) moved next." in text
    assert "19p<" in text
    assert "5P " in text
    assert "at its start" in asks(house, anna, "show 0").text
    assert "now, after turn 4" in asks(house, anna, "show 4").text
    assert "nobody has played turn 5 yet. The last turn was 4." in asks(house, anna, "show 5").text


@pytest.mark.usefixtures("played")
def test_show_steps_through_the_match_by_taps_and_offers_no_move(
    house: House, anna: Person
) -> None:
    mail = asks(house, anna, "show 2")
    labels = [link.label for link in links_of(mail)]
    assert labels == ["After turn 1", "After turn 3", "Try a line", "Show the board"]
    taps(anna, links_of(mail)[2])
    house.works()
    assert "as it was after turn 2" in anna.receives()[-1].text


@pytest.mark.usefixtures("played")
def test_show_as_somebody_turns_the_board(house: House, anna: Person) -> None:
    own, berts = (asks(house, anna, text).text for text in ("show 2", "show 2 as bert"))
    assert "47S   48P\n" in own
    assert "47S   48P\n" not in berts
    assert asks(house, anna, "show 2 as W").text == berts
    assert "now, after turn 4" in asks(house, anna, "show as E").text
    refused = asks(house, anna, "show 2 as clara").text
    assert 'nobody called "clara" plays in this match' in refused
    assert "Anna and Bert" in refused


@pytest.mark.usefixtures("played")
def test_history_of_some_turns(house: House, anna: Person) -> None:
    some = asks(house, anna, "history 2-3").text
    assert some.startswith("Turns 2 to 3 of match 1\n\n  2 W  [10-19]    3 N  [5-12]\n")
    assert "1 S" not in some
    assert "4 E" not in some
    assert asks(house, anna, "history 3-2").text == some
    assert "3 N  [5-12]    4 E  [15-22]" in asks(house, anna, "history 3-").text
    assert "Turn 3 of match 1\n\n  3 N  [5-12]\n" in asks(house, anna, "history 3").text
    assert "none\n" in asks(house, anna, "history 9").text


@pytest.mark.usefixtures("played")
def test_since_repeats_the_turns_since_the_readers_last(
    house: House, anna: Person, bert: Person
) -> None:
    text = asks(house, anna, "since").text
    assert "what happened since your last turn\n\n  4 E  [15-22]\n" in text
    assert "nothing has happened since your last turn" in asks(house, bert, "since").text


@pytest.mark.usefixtures("played")
def test_position_is_read_by_the_engine(house: House, anna: Person) -> None:
    mail = asks(house, anna, "position 2")
    [file] = [part for part in mail.message.iter_attachments() if part.get_filename()]
    assert file.get_filename() == "match-000001-lanko-68-turn-2.position.txt"
    position = str(file.get_content()).strip()
    assert " ".join(position.split()) in " ".join(mail.text.split())
    played = ["new lanko-68 players=2", *(f"do {text}" for text in TURNS[:2]), "position"]
    for requests in (played, [played[0], f"position {position}"]):
        answers = StringIO()
        serve(StringIO("\n".join(requests)), answers)
        assert json.loads(answers.getvalue().splitlines()[-1])["position"] == position


@pytest.mark.usefixtures("played")
def test_answer_links_to_a_turn_in_the_reading_room_if_it_is_public_there(
    house: House, anna: Person
) -> None:
    page = f"{URL}matches/match-000001-lanko-68.html#turn-"
    texts = {"show 2": 2, "history 2-3": 2, "since": 4, "position 3": 3}
    assert not any(URL in asks(house, anna, text).text for text in texts)
    opens_room(house)
    for text, turn in texts.items():
        assert f"{page}{turn}\n" in asks(house, anna, text).text
    opens_room(house, delay=2)
    assert f"{page}2\n" in asks(house, anna, "show 2").text
    assert URL not in asks(house, anna, "show 3").text
    opens_room(house, Public.ENDED)
    assert URL not in asks(house, anna, "show 2").text
    house.resigns(anna)
    assert f"{page}2\n" in asks(house, anna, "show 2").text
