"""Confirmations: each `confirm` makes the one email count that its question was about."""

from __future__ import annotations

from tests.conversations.house import HOST, ON_BOTH, House, Person, Received

pytestmark = ON_BOTH


def asked_about(house: House, person: Person, text: str) -> Received:
    """Return the question about an unproven change."""
    person.says(text, recipient=f"club@{HOST}", references=False, quoting=False)
    house.works()
    [question] = person.receives()
    assert question.kind == "did you send this?"
    return question


def two_questions(house: House) -> tuple[Person, Received, Received]:
    """Anna, to move, with questions about an unproven move and a resignation."""
    anna = house.player("Anna")
    house.match("lanko-68", anna, house.player("Bert"))
    [turn] = anna.receives()
    move = asked_about(house, anna, "[41-36]")
    anna.says("resign", to=turn)
    house.works()
    [resignation] = anna.receives()
    assert resignation.kind == "is this what you want?"
    return anna, move, resignation


def test_second_confirm_to_one_question_answers_no_other(house: House) -> None:
    anna, move, _ = two_questions(house)
    anna.says("confirm", to=move)
    house.works()
    assert house.moves() == ["[41-36]"]
    anna.receives()
    anna.says("Confirm.", to=move)
    house.works()
    [answer] = anna.receives()
    assert "nothing in match 1 is waiting" in answer.text
    assert house.state().result is None


def test_answered_question_is_found_though_thread_names_older_ones(house: House) -> None:
    anna, move, resignation = two_questions(house)
    first = str(resignation.message["References"]).split()[0]
    thread = f"{first} {move.message_id} {resignation.message_id}"
    anna.says("confirm", to=resignation, references=False, headers=[("References", thread)])
    house.works()
    assert house.moves() == []
    assert house.state().result is not None


def test_confirm_without_references_must_identify_its_question(house: House) -> None:
    anna, move, _ = two_questions(house)
    anna.says("confirm", to=move, references=False)
    house.works()
    [answer] = anna.receives()
    assert "more than one email is waiting" in answer.text
    assert (house.moves(), house.state().result) == ([], None)
