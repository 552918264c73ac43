"""An email over a limit gets one answer that names the limit, and changes nothing."""

from __future__ import annotations

import pytest

from tests.conversations.house import House, Person


@pytest.fixture
def anna(house: House) -> Person:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    return anna


@pytest.mark.parametrize(
    ("text", "told"),
    (
        ("[41-36]\n" + "show\n" * 50, "it makes more than 50 requests"),
        ("[41-36]\n" + "Well played, really.\n" * 1000, "you wrote more than 20000 characters"),
        ("[41-36]\n" + ">\n> x\n" * 5001, "its text has more than 10000 lines"),
    ),
)
def test_answer_names_the_exceeded_limit(house: House, anna: Person, text: str, told: str) -> None:
    anna.says(text, quoting=False)
    house.works()
    [answer] = anna.receives()

    assert told in " ".join(answer.text.split())
    assert "Please send just the move or command" in answer.text
    assert house.moves() == []


def test_email_with_very_many_fields_is_answered_too(house: House, anna: Person) -> None:
    many = [(f"X-Field-{n}", "y") for n in range(1100)]
    anna.says("[41-36]", headers=many)
    house.works()
    [answer] = anna.receives()

    assert "its header is larger than 256 KiB or has more than 1000 fields" in " ".join(
        answer.text.split()
    )
    assert house.moves() == []
