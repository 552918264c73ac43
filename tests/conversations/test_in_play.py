"""Emails during a match, and small slips that must do no harm."""

from __future__ import annotations

import re

import pytest

from tests.conversations.house import House, Person


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def clara(house: House) -> Person:
    return house.player("Clara")


def flat(text: str) -> str:
    return " ".join(text.split())


def asks(house: House, person: Person, text: str) -> str:
    """Send an email and return its one answer, on one line."""
    person.receives()
    person.says(text)
    house.works()
    [answer] = person.receives()
    return flat(answer.text)


def news(person: Person) -> str:
    """Return the newest email."""
    person.receives()
    return flat(person.latest.text)


# --------------------------------------------------------------------- draws and resignations


def test_resigned_player_is_not_asked_for_a_draw(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara)
    house.resigns(clara)
    assert "Done: resign Clara resigns. The others continue." in news(clara).replace(
        "Turn 1 of match 1: Anna (Red) to move. ", ""
    )
    assert "Bert has not answered yet" in asks(house, anna, "draw?")
    assert "The remaining players have been asked. Bert has not answered yet." in news(clara)
    assert "There is nothing for you to do now" in news(clara)
    for word in ("no draw", "draw", "draw?"):
        assert "Draws and pauses are up to those still playing" in asks(house, clara, word)
    asks(house, bert, "draw")
    result = house.state().result
    assert result is not None
    assert (result.termination, result.winners) == ("draw", ("red", "blue"))


def test_resigning_withdraws_the_players_own_offer(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara)
    asks(house, clara, "draw?")
    house.resigns(clara)
    assert not house.state().offers


def test_open_offer_is_in_every_email_with_the_line_to_answer_it(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lancelot", anna, bert, clara)
    answer = 'Reply "draw" to accept it, or "no draw" to decline it. Moving also declines it.'
    asks(house, anna, "draw?")
    for person in (bert, clara):
        assert "You can answer the draw offer" in news(person)
        assert f"Anna offers a draw. {answer}" in news(person)
        assert "there is nothing for you to do" not in news(person)
    for word in ("show", "history", "hello"):
        assert answer in asks(house, bert, word)
    assert "Your draw offer stands. Bert and Clara have not answered yet." in asks(
        house, anna, "show"
    )
    assert "You have accepted it. Clara has not answered yet." in asks(house, bert, "draw")
    assert "Bert accepts the draw." in news(clara)
    assert answer in news(clara)


def test_email_about_an_ended_match_says_so(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.resigns(anna)
    answer = asks(house, bert, "Thank you for the game.")
    assert "The match is over. Bert wins: the other side resigned. You can still" in answer
    assert "is to act" not in answer


def test_repeated_command_runs_once(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    assert "Done: draw? show " in asks(house, anna, "draw?\nshow\ndraw?\nshow")


def test_wish_to_resign_is_shown_in_every_email(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lanko-68", anna, bert, clara)
    house.resigns(anna)
    assert "You can resign with Anna" in news(clara)
    joined = "Anna wants to resign. The match ends if you also resign before Anna moves again."
    assert joined in asks(house, clara, "show")
    assert "The match ends if Clara also resigns" in asks(house, bert, "history")
    assert "You want to resign. The match ends if Clara also resigns before you move" in asks(
        house, anna, "show"
    )
    asks(house, anna, "[41-36]")
    assert "want to resign" not in news(clara)


def test_standing_declaration_is_shown_in_every_email(
    house: House, anna: Person, bert: Person, clara: Person
) -> None:
    house.match("lanko-68", anna, bert, clara)
    asks(house, anna, "[41-36 +++]")
    stands = "Ready to end the game here (+++): Anna."
    assert stands in news(bert)
    assert stands in news(clara)
    assert stands in asks(house, clara, "show")
    assert stands.replace("Anna", "Anna, Clara") in asks(house, clara, "+++")
    assert "Ready to end the game" not in asks(house, anna, "history")


# ------------------------------------------------------------------------------- the board


def test_board_does_not_turn_for_a_player_of_two_seats(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    for person, move in ((anna, "[41-36]"), (bert, "[10-19]"), (anna, "[B-13]"), (bert, "show")):
        text = asks(house, person, move)
        below = "S and N. S" if person is anna else "W and E. W"
        assert f"You play {below} is at the bottom." in text
    for person, label in ((anna, "45P"), (bert, "9p")):
        for mail in person.read:
            rows = re.findall(r"^ {10,}(?: *\S+){5}$", mail.text, re.MULTILINE)
            assert label in rows[-1].split(), mail.text


# ----------------------------------------------------------------------------- ends of turns


@pytest.mark.parametrize("end", (".", " .", "\n.", "\n\n.\n", " . .", "\nshow\n."))
def test_stop_after_an_automatically_ended_turn_is_harmless(
    house: House, anna: Person, bert: Person, end: str
) -> None:
    house.match("lanrick-1893", anna, bert)
    asks(house, anna, f"@d5{end}")
    # Two squares are all of the first turn.
    asks(house, bert, f"a4-a5 h8-g8{end}")
    assert house.moves() == ["@d5", "a4-a5", "h8-g8"]


def test_stop_after_a_placed_man_is_harmless(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1881", anna, bert)
    asks(house, anna, "a4 .")
    assert house.moves() == ["a4"]


def test_stop_without_an_action_is_refused(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert)
    asks(house, anna, "@d5")
    assert "before you make a step" in asks(house, bert, ".")
    assert "it is not your turn" in asks(house, anna, ".")


def test_one_square_too_many_is_explained(house: House, anna: Person, bert: Person) -> None:
    house.match("lanrick-1893", anna, bert)
    asks(house, anna, "@d5")
    answer = asks(house, bert, "a4-a5 h8-g8 b8-b7")
    assert "you have used all your squares, so it is yellow's turn. Nothing has" in answer
    assert "Did you mean: a4-a5 h8-g8" in answer
    assert "turn, not" not in answer
    answer = asks(house, bert, "a4-a5 h8-h6")
    assert "that is 2 squares, and you have 1 left" in answer
    assert "a4-a5 h8-h7" in answer, "the suggestion can be sent unchanged"
    assert house.moves() == ["@d5"]
    asks(house, bert, "a4-a5 h8-h7")
    assert house.moves() == ["@d5", "a4-a5", "h8-h7"]


# ------------------------------------------------------------------------------ spellings


def test_spelling_variants_are_played_as_meant(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "41 → 36\n\nGood luck!")
    asks(house, bert, "10->19")
    assert house.moves() == ["[41-36]", "[10-19]"]


def test_move_in_a_sentence_is_suggested_as_playable_text(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    answer = asks(house, anna, "I moved from 41 to 36, and you may go 10-19.")
    assert "Did you mean: [41-36] If so, please send it" in answer
    assert house.moves() == []
    assert "Did you mean" not in asks(house, bert, "I play 10-19, thanks.")


@pytest.mark.parametrize("line", ("-- ", "__________"))
def test_move_below_a_signature_is_explained(
    house: House, anna: Person, bert: Person, line: str
) -> None:
    house.match("lanko-68", anna, bert)
    answer = asks(house, anna, f"Hello,\n\n{line}\n41-36\nAnna")
    assert f'I read nothing below the line "{line.strip()}", because signatures go there' in answer
    assert "signatures" not in asks(house, anna, f"Hello,\n\n{line}\nAnna\ntel. 555-1234")


# ------------------------------------------------------------------------------ first emails


def test_first_emails_give_the_terms(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", anna, bert, days=3, draws=False, excalibur=1, target=4)
    for person in (anna, bert):
        text = news(person)
        assert 'For the rules, send "rules". 3 days per turn draw offers off diagonals off' in text
        assert "excalibur on (play with Excalibur and the king's force) target 4" in text
    asks(house, bert, "*G7")
    assert "These are its terms" not in news(anna)


def test_few_legal_moves_are_listed_and_many_are_not(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanrick-1893", anna, bert)
    assert "There are 4 legal moves: @f3 @e4 @d5 @c6" in news(anna)
    asks(house, anna, "@d5")
    assert re.search(r"There are \d\d legal moves", news(bert))


def test_help_never_says_always(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    assert "always" not in asks(house, anna, "help")
