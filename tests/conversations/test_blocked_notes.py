"""A member who blocks somebody gets no more notes from them."""

from __future__ import annotations

import pytest

from tests.conversations.house import House, Person
from tests.conversations.test_directors_mail import director
from tests.conversations.test_partners_notes import flat, four, moves

RUDE = "You play like a fool."


@pytest.mark.parametrize("mails", ("usual", "all", "turn"))
def test_blocked_author_is_read_by_the_others_only(house: House, mails: str) -> None:
    anna, bert, clara, dora = four(house, mails=mails)
    bert.says("block anna")
    house.works()
    assert "you get no more notes from them" in flat(bert.receives())
    moves(house, anna, RUDE)
    told = flat(anna.receives())
    assert "block" not in told
    assert "passed your note on" in told
    for person in (bert, clara):
        person.receives()
        moves(house, person)
    for person in (bert, dora):
        person.receives()
    assert RUDE not in flat(bert.read)
    assert flat(dora.read).count(RUDE) == 1


def test_partner_never_gets_a_held_note_of_somebody_blocked(house: House) -> None:
    anna, bert, clara, dora = four(house)
    moves(house, anna, RUDE)
    clara.says("block anna")
    house.works()
    bert.receives()
    moves(house, bert)
    house.resigns(bert)
    house.resigns(dora)
    assert house.state().result is not None
    clara.receives()
    assert RUDE not in flat(clara.read)
    assert "wrote a note" not in flat(clara.read)


def test_blocked_note_beside_part_of_a_turn_sends_no_email(house: House) -> None:
    anna, bert = (house.player(name, mails="all") for name in ("Anna", "Bert"))
    house.match("lanrick-1893", anna, bert)
    for person, text in ((anna, "block bert"), (anna, "@d5"), (bert, f"d1-d2 ...\n\n{RUDE}")):
        anna.receives()
        bert.receives()
        person.says(text)
        house.works()
    assert house.moves()[-1] == "d1-d2"
    assert anna.receives() == []


def test_block_shows_nothing_in_a_blind_match(house: House) -> None:
    anna, bert = (house.player(name) for name in ("Anna", "Bert"))
    house.match("lanko-68", anna, bert, chosen="names=hidden")
    bert.receives()
    bert.says("block anna")
    house.works()
    anna.receives()
    moves(house, anna, RUDE)
    assert RUDE in flat(bert.receives())


def test_unblocked_author_is_read_again(house: House) -> None:
    anna, bert = (house.player(name) for name in ("Anna", "Bert"))
    house.match("lanko-68", anna, bert)
    for line in ("block anna", "unblock anna"):
        bert.receives()
        bert.says(line)
        house.works()
    anna.receives()
    moves(house, anna, RUDE)
    assert RUDE in flat(bert.receives())


def test_appeal_shows_directors_the_last_notes(house: House) -> None:
    anna, bert = (house.player(name) for name in ("Anna", "Bert"))
    dora = director(house, "Dora")
    house.match("lanko-68", anna, bert)
    people: list[Person] = [anna, bert]
    for person in people:
        person.receives()
    for number in range(6):
        moves(house, people[number % 2], f"Note {number}.\n\nMind this:\n\nA lie.")
        for person in people:
            person.receives()
    dora.receives()
    anna.says("appeal Bert is rude.")
    house.works()
    [report] = dora.receives()
    assert "The last notes in my emails to Anna about this match:\n" in report.text
    assert "| Bert writes:\n| Note 5.\n|\n| Mind this:\n|\n| A lie.\n" in report.text
    shown = [number for number in range(6) if f"| Note {number}." in report.text]
    assert shown == [1, 2, 3, 4, 5]
    assert report.text.index("Note 1") < report.text.index("Note 5")
