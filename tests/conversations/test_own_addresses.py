"""Addresses that members add, remove and put first, by email."""

from __future__ import annotations

import pytest

from pbem.ports.inbound import InboundState
from tests.conversations.house import House, Person


def a_member(house: House, *more: str) -> Person:
    """Anna, who has an email of the club to answer."""
    anna = house.player("Anna", *more)
    anna.says("settings", recipient=house.address)
    house.works()
    anna.receives()
    return anna


def said(person: Person) -> str:
    """Return the last new email, on one line."""
    return " ".join(person.receives()[-1].text.split())


def addresses(house: House) -> tuple[str, ...]:
    with_all = house.club.storage.reading()
    with with_all as uow:
        return uow.players.get(1).addresses


def test_new_address_is_asked_and_counts_once_confirmed(house: House) -> None:
    anna, work = a_member(house), house.stranger("anna@work.example")
    anna.says("address add anna@work.example")
    house.works()
    assert "I have sent a question to anna@work.example" in said(anna)
    assert "Anna plays games by email" in said(work)
    assert addresses(house) == ("anna@mail.example",)
    assert "body=confirm" in work.latest.html
    work.says("confirm")
    house.works()
    assert addresses(house) == ("anna@mail.example", "anna@work.example")
    told = said(anna)
    assert "Anna, your addresses in pbem have changed. anna@work.example was added" in told
    assert "somebody else may be reading your email" in told
    assert "body=address%20undo%20anna%40work.example" in anna.latest.html
    assert "anna@work.example was added. I'll write here only if" in said(work)


def test_nobody_else_can_confirm_an_address(house: House) -> None:
    anna, work = a_member(house), house.stranger("anna@work.example")
    anna.says("address add anna@work.example")
    house.works()
    (question,) = work.receives()
    house.stranger("thief@mail.example").says("confirm", to=question)
    house.works()
    anna.says("confirm", to=question)
    house.works()
    assert addresses(house) == ("anna@mail.example",)


def test_confirmation_counts_once(house: House) -> None:
    anna, work = a_member(house), house.stranger("anna@work.example")
    anna.says("address add anna@work.example")
    house.works()
    (question,) = work.receives()
    work.says("confirm", to=question)
    work.says("confirm", to=question)
    house.works()
    assert addresses(house) == ("anna@mail.example", "anna@work.example")
    anna.receives()
    anna.says("address undo anna@work.example")
    house.works()
    work.says("confirm", to=question)
    house.works()
    assert addresses(house) == ("anna@mail.example",)


def test_unanswered_question_expires(house: House) -> None:
    anna, work = a_member(house), house.stranger("anna@work.example")
    anna.says("address add anna@work.example")
    house.works()
    work.receives()
    house.clock.advance(days=8)
    work.says("confirm")
    house.works()
    assert addresses(house) == ("anna@mail.example",)


def test_address_is_asked_once_a_week_and_three_at_a_time(house: House) -> None:
    anna = a_member(house)
    people = [house.stranger(f"victim{number}@mail.example") for number in range(5)]
    anna.says("\n".join(f"address add {person.address}" for person in people * 2))
    house.works()
    anna.says(f"address add {people[0].address}")
    house.works()
    assert "got my question within the last week" in said(anna)
    assert [len(person.receives()) for person in people] == [1, 1, 1, 0, 0]
    anna.says("addresses")
    house.works()
    assert "victim2@mail.example has not answered my question yet" in said(anna)


def test_sixth_address_is_refused_because_of_that_limit(house: House) -> None:
    anna = a_member(house, *(f"anna@{number}.example" for number in range(4)))
    anna.says("address add anna@work.example")
    house.works()
    told = said(anna)
    assert "you already have 5 addresses. Remove one first." in told
    assert "confirmed" not in told


def test_impossible_address_is_refused_with_a_reason(house: House) -> None:
    anna = a_member(house)
    house.player("Bert")
    for line, answer in (
        ("address add anna", "anna is not a person's email address"),
        ("address add ANNA@mail.example", "ANNA@mail.example is already your address"),
        ("address add bert@mail.example", "can't be added: somebody in the club uses it"),
        ("address add club@games.example", "is not a person's email address"),
        ("address remove bert@mail.example", "is not one of your addresses"),
        ("address first bert@mail.example", "is not one of your addresses"),
        (
            "address remove Anna@mail.example",
            "is your only address that accepts email",
        ),
    ):
        anna.says(line)
        house.works()
        answered = said(anna)
        assert answer in answered, line
        assert "Bert" not in answered
    assert addresses(house) == ("anna@mail.example",)


def test_every_address_is_notified_of_a_change_and_can_undo_it(house: House) -> None:
    anna = a_member(house, "anna@home.example")
    home = Person("Anna", "anna@home.example", house.post)
    anna.says("address first anna@home.example")
    house.works()
    assert addresses(house) == ("anna@home.example", "anna@mail.example")
    assert "From now on, your email goes to anna@home.example" in said(home)
    told = said(anna)
    assert "I now write to anna@home.example first" in told
    assert "director@games.example" in told
    anna.says("address remove anna@home.example")
    house.works()
    assert addresses(house) == ("anna@mail.example",)
    assert "The club no longer sends email to this address" in said(home)
    home.says("address first anna@home.example")
    house.works()
    assert addresses(house) == ("anna@mail.example",)


def test_unproven_email_changes_no_address(house: House) -> None:
    anna, thief = a_member(house, "anna@home.example"), house.stranger("thief@mail.example")
    thief.says("address add thief@mail.example", recipient=house.address, sender=anna.address)
    house.works()
    assert thief.receives() == []
    assert "did you send this?" in said(anna)
    thief.says("confirm", recipient=house.address, sender=anna.address)
    house.works()
    assert thief.receives() == []
    assert len(house.inbound(InboundState.PARKED)) == 1


@pytest.mark.parametrize(
    ("lines", "reason"),
    (
        ("address undo {}\naddress undo {}", "is not one of your addresses"),
        ("address remove {}\naddress undo {}", "is not one of your addresses"),
        (
            "address remove anna@mail.example\naddress remove {}",
            "is your only address that accepts email",
        ),
    ),
)
def test_line_that_conflicts_with_an_earlier_one_is_refused(
    house: House, lines: str, reason: str
) -> None:
    anna, work = a_member(house), house.stranger("anna@work.example")
    anna.says("address add anna@work.example", quoting=False)
    house.works()
    work.receives()
    work.says("confirm")
    house.works()
    anna.receives()
    anna.says(lines.format(work.address, work.address), quoting=False)
    house.works()
    anna.receives()
    if "is this what you want?" in anna.latest.text:
        anna.says("confirm")
        house.works()
        anna.receives()
    assert reason in " ".join(anna.latest.text.split())
    assert addresses(house) == ("anna@mail.example", "anna@work.example")
    assert house.inbound(InboundState.SHUNTED) == []
