"""Commands by email."""

from __future__ import annotations

import re

import pytest

from tests.conversations.house import House, Person
from tests.conversations.tapping import links_of


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def asks(house: House, person: Person, text: str) -> str:
    """Send an email and return its one answer."""
    person.receives()
    person.says(text)
    house.works()
    [answer] = person.receives()
    return answer.text


def test_show_sends_the_board(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    assert re.search(r"\b41P", asks(house, bert, "show"))


def test_history_sends_all_turns(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    assert "none yet" in asks(house, bert, "history")
    asks(house, anna, "[41-36]")
    bert.receives()
    asks(house, bert, "[10-19]")
    assert re.search(r"1 S  \[41-36\] +2 W  \[10-19\]", asks(house, anna, "History."))


def test_legal_lists_every_move(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    listed = re.findall(r"\[[^\]]+\]", asks(house, anna, "> legal\nlegal"))
    # By hand from the map: the pawns 41 42 O 43 44 step forward, and diagonally forward to
    # the vacant 35-38 and N. 41 and 44 pass the barriers only on the inner diagonal.
    assert set(listed) == {
        "[41-36]", "[42-36]", "[42-35]", "[42-N]", "[O-N]", "[O-36]", "[O-37]",
        "[43-37]", "[43-N]", "[43-38]", "[44-37]",
    }  # fmt: skip


def test_help_names_every_command(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    text = asks(house, anna, "HELP")
    for word in ("show", "history", "legal", "resign", "draw?", "draw", "help", "rules"):
        assert re.search(rf"^  {re.escape(word)} ", text, re.MULTILINE)


def test_help_starts_with_current_commands_and_explains_one(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    first, second, *_ = under_headings(asks(house, anna, "help"))
    assert first == ["legal", "draw?", "resign"]
    assert {"cancel no", "cancel yes", "claim", "draw", "no draw", "no pause"} <= {*second}
    asks(house, bert, "draw?")
    first, *_ = under_headings(asks(house, anna, "help"))
    assert first == ["draw", "no draw", "legal", "resign"]
    told = " ".join(asks(house, anna, "help record").split())
    assert "record [NUMBER] [BOOK] get the record of a match as files" in told
    assert "How to write it" in told


def under_headings(text: str) -> list[list[str]]:
    """Return the commands of help without arguments, by group."""
    groups = re.findall(r"^(?:  .*\n)+", text, re.MULTILINE)
    return [re.findall(r"^  ([a-z ?]*[a-z?])  +\S", each, re.MULTILINE) for each in groups]


def test_rules_are_sent_in_full(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    text = asks(house, anna, "rules")
    assert "standby" in text
    assert text == asks(house, bert, "rules lanko-103")
    assert "rules lanko-88" in asks(house, anna, "rules chess")


def test_help_and_rules_need_no_match(house: House, anna: Person) -> None:
    anna.says("help")
    house.works()
    assert "How to play by email" in anna.receives()[-1].text
    anna.says("show")
    house.works()
    assert "not playing any match" in anna.receives()[-1].text


def test_help_without_a_match_lists_match_commands_last(house: House, anna: Person) -> None:
    anna.says("help")
    house.works()
    mail = anna.receives()[-1]
    finding, playing = (
        mail.text.index(each) for each in ("challenge NAME", "In reply to an email about a match")
    )
    assert finding < playing < mail.text.index("resign")
    assert "a move counts" not in mail.text
    tapped = [link.body for link in links_of(mail)]
    assert "offers\r\n" in tapped
    assert "draw?\r\n" not in tapped


def test_answer_says_re_once(house: House, anna: Person) -> None:
    for subject in ("hello", "Re: hello", "RE: Re: hello"):
        anna.says("offers", subject=subject)
        house.works()
        assert anna.receives()[-1].message["Subject"] == "Re: hello"


@pytest.mark.parametrize(
    ("command", "subject"),
    (
        ("help", "Commands"),
        ("rules lancelot", "Rules of Lancelot"),
        ("settings", "Your settings"),
        ("games", "Games"),
    ),
)
def test_answer_to_look_up_later_has_its_own_subject(
    house: House, anna: Person, command: str, subject: str
) -> None:
    anna.says(command)
    house.works()
    assert anna.receives()[-1].message["Subject"] == f"[pbem] {subject}"


def test_player_of_two_matches_is_asked_which(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    house.match("lanko-88", anna, bert)
    anna.receives()
    anna.says("show", recipient=house.address, references=False, quoting=False, subject="hello")
    house.works()
    [answer] = anna.receives()
    assert "match 1, Lanko-68" in answer.text
    assert "match 2, Lanko-88" in answer.text
    anna.says("show", recipient=house.address, references=False, subject="[pbem 2]")
    house.works()
    assert "Match 2, Lanko-88" in anna.receives()[-1].text


def test_resignation_in_a_pair_needs_both_and_a_move_cancels_it(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lanko-68", bert, anna, clara)
    house.resigns(bert)
    assert "want to resign" in bert.receives()[-1].text
    assert house.state().result is None
    assert "Bert wants to resign" in " ".join(clara.receives()[-1].text.split())
    asks(house, bert, "[41-36]")
    house.resigns(clara)
    assert house.state().result is None, "Bert's move took his resignation back"
    house.resigns(bert)
    result = house.state().result
    assert result is not None
    assert result.winners == ("W", "E")


def test_draw_is_offered_and_accepted(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    assert "there is no draw offer" in asks(house, bert, "draw")
    asks(house, anna, "draw?")
    [offer] = bert.receives()
    assert "Anna offers a draw" in offer.text
    asks(house, bert, "draw")
    result = house.state().result
    assert result is not None
    assert (result.termination, result.winners) == ("draw", ())


def test_move_of_the_asked_player_ends_the_offer(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "[41-36]\ndraw?")
    assert house.moves() == ["[41-36]"]
    asks(house, bert, "[10-19]")
    assert "there is no draw offer" in asks(house, bert, "draw")


def test_no_draw_declines(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "draw?")
    asks(house, bert, "no draw")
    assert "Bert declines the draw" in anna.receives()[-1].text
    assert not house.state().offers


def test_draw_offers_can_be_off(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert, draws=False)
    assert "this match is played without draw offers" in asks(house, anna, "draw?")


def test_commands_and_moves_go_together(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    text = asks(house, anna, "[41-36]\nhistory")
    assert "Done: [41-36] history" in text
    assert "All turns of match 1" in text


def test_record_can_be_requested_after_the_end(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "[41-36]")
    house.resigns(bert)
    assert "is over" in asks(house, anna, "[42-36]")
    assert "[41-36]" in asks(house, anna, "history")
    assert sorted(path.suffix for path in house.records()) == [".json", ".txt"]


def test_match_emails_are_one_72_column_thread_with_html_alternative(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-103", anna, bert)
    asks(
        house,
        anna,
        "[33-29]\n\nA note that is much longer than a line of a mail should ever be, "
        "and that has to be folded on its way to the other players.",
    )
    asks(house, bert, "legal")
    asks(house, anna, "[99-1]")
    for person in (anna, bert):
        first, *later = person.read
        assert {mail.message["Subject"] for mail in person.read} == {
            "[pbem 1] Lanko-103: Anna, Bert"
        }
        for mail in later:
            assert first.message_id in str(mail.message["References"])
        for mail in person.read:
            lines = mail.text.splitlines()
            assert max(map(len, lines)) <= 72
            assert [line for line in lines if line != line.rstrip()] == []
            assert '<html lang="en">' in mail.html
            assert all(word in mail.html for word in re.findall(r"[A-Za-z]{3,}", mail.text)[:20])
