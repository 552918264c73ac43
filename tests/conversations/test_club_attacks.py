"""Somebody attacks the club where its members join, meet, leave, and are directed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.service.club import Joining
from pbem.service.ports import InboundState
from pbem.service.work import reading, writing
from tests.conversations.house import HOST, House, Person, Received


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def mallory(house: House) -> Person:
    return house.player("Mallory")


def answer_to(house: House, person: Person, text: str, **how: str) -> Received:
    """What somebody is answered."""
    person.receives()
    person.says(text, **how)  # type: ignore[arg-type]
    house.works()
    return person.receives()[-1]


def plain(mail: Received) -> str:
    return " ".join(mail.text.split())


def names(house: House) -> list[str]:
    with reading(house.club) as work:
        return [player.name for player in work.players.all() if not player.former]


def direct(house: House, person: Person) -> None:
    assert person.player is not None
    with writing(house.club) as work:
        work.players.choose(person.player.id, "role", "director")


@pytest.mark.parametrize("beside", ("", "show"))
def test_an_old_mail_of_a_match_does_not_confirm_that_somebody_leaves(
    house: House, anna: Person, mallory: Person, beside: str
) -> None:
    house.match("lanko-68", anna, mallory, days=1000)
    [old] = anna.receives()
    house.clock.advance(days=200)
    for text in (f"forget me\n{beside}", "confirm", "confirm"):
        mallory.says(text, to=old, sender=anna.address, quoting=False, references=False)
        house.works()
    assert names(house) == ["Anna", "Mallory"]


@pytest.mark.parametrize("beside", ("", "show"))
def test_a_mail_of_a_match_does_not_confirm_what_a_director_decides(
    house: House, anna: Person, mallory: Person, beside: str
) -> None:
    direct(house, anna)
    house.match("lanko-68", anna, mallory)
    house.match("lanko-68", anna, mallory)
    old = anna.receives()[0]
    for text in (f"forfeit 2 anna\n{beside}", "confirm"):
        mallory.says(text, to=old, sender=anna.address, quoting=False, references=False)
        house.works()
    assert house.state(2).result is None


def test_a_mail_of_a_match_names_nobody_in_a_directors_name(
    house: House, anna: Person, mallory: Person
) -> None:
    direct(house, anna)
    house.match("lanko-68", anna, mallory)
    [old] = anna.receives()
    mallory.says("member rename Mallory Zoe", to=old, sender=anna.address, quoting=False)
    house.works()
    assert names(house) == ["Anna", "Mallory"]


def test_a_rematch_is_no_yes_to_somebody_else(house: House, anna: Person, mallory: Person) -> None:
    bert = house.player("Bert")
    house.match("lanko-68", anna, bert)
    answer_to(house, anna, "resign")
    answer_to(house, mallory, "challenge Anna lanko-68 days=5 draws=yes as=solo")
    anna.receives()
    anna.says("rematch", to=anna.read[0])
    house.works()
    assert len(house.matches()) == 1
    [asked] = [mail for mail in bert.receives() if "accept" in mail.text]
    assert "Anna" in asked.text


def test_a_look_alike_name_does_not_tell_of_who_hides(
    house: House, anna: Person, mallory: Person
) -> None:
    assert anna.player is not None
    with writing(house.club) as work:
        work.players.choose(anna.player.id, "page", "hidden")
    told = plain(answer_to(house, mallory, "set name Аnna"))
    assert "looks like" in told
    assert "Anna" not in told.replace("Аnna", "")


def test_who_leaves_in_a_mail_of_a_match_answers_the_question_itself(
    house: House, anna: Person, mallory: Person
) -> None:
    house.match("lanko-68", anna, mallory)
    answer_to(house, anna, "set name Zoe\nshow", recipient=house.address, references=False)
    answer_to(house, anna, "confirm", quoting=False, references=False)  # as a tap does it
    assert names(house) == ["Mallory", "Zoe"]
    assert "Zoe" in anna.latest.text


@pytest.mark.parametrize("line", ("forfeit 1 anna", "member rename Anna Zoe", "announce club Hi"))
def test_a_directors_address_that_no_member_has_decides_nothing(
    house: House, anna: Person, mallory: Person, line: str
) -> None:
    house.match("lanko-68", anna, mallory)
    house.director.receives()
    told = plain(answer_to(house, house.director, line, recipient=house.address))
    assert "shell" in told
    assert house.inbound(InboundState.SHUNTED) == []
