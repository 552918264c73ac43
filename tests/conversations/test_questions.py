"""Questions before something is done, and what their answers may do."""

from __future__ import annotations

import pytest

from tests.conversations.house import HOST, ON_BOTH, House, Person, Received

pytestmark = ON_BOTH

MOVE = "[41-36]"


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def turn(house: House, anna: Person) -> Received:
    house.match("lanko-68", anna, house.player("Bert"))
    [turn] = anna.receives()
    return turn


def below(turn: Received, text: str) -> str:
    """Return a text below a quote of the email that it answers."""
    quoted = "\n".join(f"> {line}" for line in turn.text.split("\n"))
    return f"{quoted}\n\n{text}"


def test_resignation_at_the_top_counts_at_once(house: House, anna: Person, turn: Received) -> None:
    anna.says("resign", to=turn)
    house.works()
    assert house.state().result is not None


def test_resignation_below_a_quote_is_asked_about(
    house: House, anna: Person, turn: Received
) -> None:
    anna.says(below(turn, f"{MOVE}\nresign"), to=turn, quoting=False)
    house.works()
    [question] = anna.receives()
    assert question.kind == "is this what you want?"
    assert (house.state().result, house.moves()) == (None, []), "the whole email waits"
    told = " ".join(question.text.split())
    assert "In your email about match 1 I read | [41-36] | resign" in told
    assert "this can't be taken back and there was other text" in told
    anna.says("confirm", to=question)
    house.works()
    assert (house.state().result is not None, house.moves()) == (True, [MOVE])


def test_move_below_a_quote_counts_at_once(house: House, anna: Person, turn: Received) -> None:
    anna.says(below(turn, MOVE), to=turn, quoting=False)
    house.works()
    assert house.moves() == [MOVE]


def test_draw_is_accepted_at_once_only_at_the_top(house: House, anna: Person) -> None:
    bert = house.player("Bert")
    house.match("lancelot", anna, bert)
    anna.says("draw?", to=anna.receives()[-1])
    house.works()
    offer = bert.receives()[-1]
    for word in ("draw", "draw?"):
        bert.says(below(offer, word), to=offer, quoting=False)
        house.works()
        [question] = bert.receives()
        assert question.kind == "is this what you want?"
        assert house.state().result is None
    bert.says("draw", to=offer)
    house.works()
    [answer] = bert.receives()
    assert "You answered an older email" in answer.text or house.state().result is not None


def test_denying_a_question_does_nothing_else(house: House, anna: Person, turn: Received) -> None:
    """This holds even if a line by someone else gets into the text that is read."""
    anna.says("resign", recipient=f"club@{HOST}", references=False, quoting=False)
    house.works()
    [question] = anna.receives()
    for text in ("No, that was not me.\nresign", MOVE, "show", "draw?"):
        anna.says(text, to=question)
        house.works()
        [answer] = anna.receives()
        assert "Only the word confirm counts there" in " ".join(answer.text.split())
        assert (house.state().result, house.moves()) == (None, [])
    anna.says("No, that was not me.\nresign", to=question, references=False)
    house.works()
    assert house.state().result is None, "the quote also shows which email is answered"
    anna.receives()
    anna.says(MOVE, to=turn)
    house.works()
    assert house.moves() == [MOVE], "the turn email still accepts moves"


def test_expired_question_accepts_no_other_answer(
    house: House, anna: Person, turn: Received
) -> None:
    anna.says(MOVE, recipient=f"club@{HOST}", references=False, quoting=False)
    house.works()
    [question] = anna.receives()
    house.passes(days=8)
    anna.receives()
    anna.says("resign", to=question)
    house.works()
    [answer] = anna.receives()
    assert "That question is settled or has expired." in " ".join(answer.text.split())
    assert house.state().result is None


def test_one_question_about_a_match_is_open_at_a_time(
    house: House, anna: Person, turn: Received
) -> None:
    eve = house.stranger("eve@evil.example")
    for number in range(61):
        head = f"From: {anna.address}\r\nSubject: [pbem 1]\r\nMessage-ID: <{number}@evil.example>"
        eve.sends(f"{head}\r\n\r\nresign\r\n".encode())
    house.works()
    [question] = anna.receives()
    assert question.kind == "did you send this?"
    assert "I'll ignore more emails like this about the match" in " ".join(question.text.split())
    anna.says(MOVE, to=turn)
    house.works()
    assert house.moves() == [MOVE]


def test_questions_a_day_are_limited(house: House, anna: Person) -> None:
    for number in range(8):
        house.match("lanko-68", anna, house.player(f"Bert{number}"))
    anna.receives()
    eve = house.stranger("eve@evil.example")
    for number in range(1, 9):
        name, subject = f"<{number}@evil.example>", f"[pbem {number}]"
        head = f"From: {anna.address}\r\nSubject: {subject}\r\nMessage-ID: {name}\r\n"
        eve.sends(f"{head}\r\nresign\r\n".encode())
        house.works()
        house.clock.advance(minutes=21)
    assert [mail.kind for mail in anna.receives()] == ["did you send this?"] * 5
