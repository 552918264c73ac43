"""Commands for strangers and commands that are shown first: their questions and results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from jinja2 import FileSystemLoader

from pbem import commands
from pbem.mail.outgoing.render import Renderer
from pbem.resources import folder
from pbem.service.work import reading
from tests.conversations.house import House, Person
from tests.conversations.test_toys import TOYS


@pytest.fixture(autouse=True)
def toys(house: House) -> Iterator[None]:
    """The commands `knock` and `burn`."""
    roots = (TOYS / "templates", folder("templates") / "mail")
    house.club = replace(house.club, templates=lambda: Renderer(FileSystemLoader(roots)))
    commands.__path__.append(str(TOYS / "commands"))
    commands.all_commands.cache_clear()
    yield
    commands.__path__.remove(str(TOYS / "commands"))
    commands.all_commands.cache_clear()


@pytest.fixture
def eve(house: House) -> Person:
    return house.stranger("eve@mail.example")


def says(house: House, person: Person, text: str) -> list[str]:
    """Send a text. Return the answers, one line each."""
    person.says(text)
    house.works()
    return [" ".join(mail.text.split()) for mail in person.receives()]


def members(house: House) -> list[str]:
    with reading(house.club) as work:
        return [player.name for player in work.players.all()]


def chosen(house: House) -> str | None:
    with reading(house.club) as work:
        return work.players.get(1).settings.get("page")


def test_only_the_asked_strangers_confirm_counts(house: House, eve: Person) -> None:
    [asked] = says(house, eve, "knock Eve")
    assert "Hello, did you send this? An email from your address reached pbem" in asked
    assert (members(house), "knock Eve" in asked) == ([], True)
    forger = house.stranger("mallory@evil.example")
    for text in ("knock Eve", "confirm"):
        forger.says(text, recipient=house.address, sender=eve.address)
    house.works()
    question, unknown = eve.receives()
    assert "did you send this?" in question.text
    assert "I don't know your address" in " ".join(unknown.text.split())
    assert members(house) == []
    eve.says("confirm", question)
    house.works()
    [done] = [" ".join(mail.text.split()) for mail in eve.receives()]
    assert "To your health, Eve!" in done
    assert members(house) == ["Eve"]
    [again] = says(house, eve, "confirm")
    assert "Nothing has changed." in again
    assert members(house) == ["Eve"]


def test_strangers_reply_to_the_club_needs_no_question(house: House, eve: Person) -> None:
    assert len(says(house, eve, "hello, who are you?")) == 1
    [done] = says(house, eve, "knock Eve")
    assert "To your health, Eve!" in done
    assert members(house) == ["Eve"]


def test_question_to_a_stranger_expires(house: House, eve: Person) -> None:
    says(house, eve, "knock Eve")
    house.passes(days=8)
    says(house, eve, "confirm")
    assert members(house) == []


def test_thirty_strangers_an_hour_are_answered(house: House) -> None:
    strangers = [house.stranger(f"eve{number}@mail.example") for number in range(33)]
    for number, each in enumerate(strangers):
        each.says(f"knock Eve{number}")
    house.works()
    assert sum(len(each.receives()) for each in strangers) == 30


def test_change_shown_first_is_done_on_confirm(house: House) -> None:
    anna = house.player("Anna")
    [asked] = says(house, anna, "burn")
    assert "Anna, did you send this?" in asked, "this answers no email of the club"
    [done] = says(house, anna, "confirm")
    assert ("To your health, fire!" in done, chosen(house)) == (True, "hidden")


def test_proven_change_is_shown_first_and_done_on_confirm(house: House) -> None:
    anna = house.player("Anna")
    says(house, anna, "settings")
    [asked] = says(house, anna, "burn")
    assert "Anna, is this what you want?" in asked
    assert ("To your health, fire!" in asked, chosen(house)) == (True, None)
    assert anna.latest.message["Subject"] == "Is this what you want?"
    [done] = says(house, anna, "confirm")
    assert ("To your health, fire!" in done, chosen(house)) == (True, "hidden")


@pytest.mark.parametrize(("days", "asks"), ((90, "is this what you want?"), (92, "did you send")))
def test_club_email_proves_a_membership_for_ninety_days(house: House, days: int, asks: str) -> None:
    anna = house.player("Anna")
    says(house, anna, "settings")
    house.clock.advance(days=days)
    [asked] = says(house, anna, "burn")
    assert f"Anna, {asks}" in asked
