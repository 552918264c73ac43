"""Questions before something is done, and what their answers may do."""

from __future__ import annotations

import pytest

from tests.conversations.house import HOST, House, Person, Received
from tests.conversations.tapping import links_of, taps

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


def resigning(house: House, person: Person) -> Received:
    """Send `resign`. Return the question, the only email that anybody gets."""
    for each in house.people:
        each.receives()
    person.says("resign")
    house.works()
    [question] = person.receives()
    assert question.kind == "is this what you want?"
    assert not any(each.receives() for each in house.people)
    assert (house.state().result, house.moves()) == (None, [])
    return question


def test_resignation_shows_the_winner_and_waits_for_confirm(
    house: House, anna: Person, turn: Received
) -> None:
    question = resigning(house, anna)
    assert "Resign match 1? Bert wins." in question.text
    anna.says("confirm", to=question)
    house.works()
    [over] = anna.receives()
    assert "Done: resign" in over.text
    assert "Resign match 1?" not in over.text
    result = house.state().result
    assert result is not None
    assert (result.termination, result.winners) == ("resignation", ("W", "E"))


def test_resignation_in_a_pair_names_the_partner(house: House, anna: Person) -> None:
    house.match("lanko-68", anna, house.player("Bert"), house.player("Clara"))
    question = resigning(house, anna)
    assert "Resign match 1? The match ends once Clara also resigns." in question.text
    anna.says("confirm", to=question)
    house.works()
    assert "Done: resign" in anna.receives()[-1].text
    assert house.state().resigned == {1}


def test_resignation_among_three_lets_the_others_continue(house: House, anna: Person) -> None:
    house.match("lancelot", anna, house.player("Bert"), house.player("Clara"))
    question = resigning(house, anna)
    assert "Resign match 1? You lose, and the others continue." in question.text
    anna.says("confirm", to=question)
    house.works()
    assert "Done: resign" in anna.receives()[-1].text
    assert (house.state().result, house.moves()) == (None, ["resign"])


def test_two_taps_resign(house: House, anna: Person, turn: Received) -> None:
    for label in ("Resign", "Confirm"):
        assert house.state().result is None
        [link] = [each for each in links_of(anna.latest) if each.label == label]
        taps(anna, link)
        house.works()
        anna.receives()
    assert house.state().result is not None


@pytest.mark.parametrize(("days", "counts"), ((6, True), (8, False)))
def test_resignation_can_be_confirmed_after_a_move_until_its_question_expires(
    house: House, anna: Person, turn: Received, days: int, counts: bool
) -> None:
    question = resigning(house, anna)
    anna.says(MOVE, to=turn)
    house.works()
    assert (house.state().result, house.moves()) == (None, [MOVE])
    house.skips(days=days)
    anna.says("confirm", to=question)
    house.works()
    assert (house.state().result is not None) == counts


def test_final_change_below_a_quote_is_asked_about(
    house: House, anna: Person, turn: Received
) -> None:
    bert = house.people[-1]
    bert.receives()
    bert.says("[+++]")
    house.works()
    [turn] = anna.receives()
    anna.says(below(turn, f"{MOVE}\n[+++]"), to=turn, quoting=False)
    house.works()
    [question] = anna.receives()
    assert question.kind == "is this what you want?"
    assert (house.state().result, house.moves()) == (None, ["[W+++]"]), "the whole email waits"
    told = " ".join(question.text.split())
    assert "In your email about match 1, I read: | [41-36] | [+++]" in told
    assert "this can't be taken back and there was other text" in told
    anna.says("confirm", to=question)
    house.works()
    result = house.state().result
    assert result is not None
    assert result.termination == "agreed"
    assert house.moves()[1:] == ["[41-36 +++]"]


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
    [answer] = anna.receives()
    told = " ".join(answer.text.split())
    assert "Only the word confirm counts there" in told, "the quote shows which email is answered"
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
