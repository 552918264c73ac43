"""Fewer emails: the reader gets what needs an answer, and loses nothing."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from pbem.service.members.own_addresses import accept, address_fails
from pbem.service.work import writing
from tests.conversations.house import House, Person, Received


@pytest.fixture
def table(house: House) -> tuple[Person, Person, Person]:
    """Three players in a match of Lancelot who have read its first emails."""
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lancelot", anna, bert, clara)
    for person in (anna, bert, clara):
        [begun] = person.receives()
        assert "match 1" in begun.text, "everyone is notified of the start"
    assert "For an email every turn, send" in flat(clara.latest)
    return anna, bert, clara


def says(house: House, person: Person, text: str) -> None:
    person.says(text)
    house.works()


def plays(house: House, person: Person, note: str = "") -> None:
    """Send the move that their email gives as an example."""
    [example] = re.findall(r"for example:\n\n    (.+)", person.latest.text)
    says(house, person, f"{example}\n\n{note}".strip())


def stop_address(mail: Received) -> str:
    [address] = re.findall(r"<mailto:([^?>]+)", str(mail.message["List-Unsubscribe"]))
    return str(address)


def stops(house: House, person: Person, address: str, **changes: str) -> list[Received]:
    """Send an automatic, empty email, as programs do."""
    person.receives()
    message = EmailMessage()
    message["From"] = changes.get("sender", person.address)
    message["To"] = address
    message["Subject"] = changes.get("subject", "unsubscribe")
    message["Message-ID"] = changes.get("message_id", f"<{len(person.read)}@mail.example>")
    message.set_content(changes.get("text", ""))
    person.sends(message.as_bytes(), address)
    house.works()
    return person.receives()


def test_only_player_to_move_gets_email_with_earlier_news(
    house: House, table: tuple[Person, Person, Person]
) -> None:
    anna, bert, clara = table
    plays(house, anna, "Hello, both of you!")
    [receipt] = anna.receives()
    assert "Thank you, Anna" in receipt.text
    assert clara.receives() == []
    [turn] = bert.receives()
    assert "Anna writes:\n\n| Hello, both of you!" in turn.text
    plays(house, bert, "And to you.")
    [turn] = clara.receives()
    assert "Anna wrote in turn 1:" in turn.text
    assert turn.text.index("| Hello, both of you!") < turn.text.index("| And to you.")
    assert "Since your last turn" in turn.text
    for move in house.moves():
        assert move in turn.text
    bert.receives()
    plays(house, clara)
    [turn] = anna.receives()
    assert "Bert wrote in turn" in turn.text
    assert "Hello" not in turn.text, "their own words are not news"


def test_news_is_sent_only_once(house: House, table: tuple[Person, Person, Person]) -> None:
    anna, bert, clara = table
    plays(house, anna, "Hello!")
    says(house, clara, "show")
    [shown] = clara.receives()
    assert "| Hello!" in shown.text
    bert.receives()
    plays(house, bert)
    [turn] = clara.receives()
    assert "Hello!" not in turn.text


def test_undelivered_news_keeps_waiting(house: House, table: tuple[Person, Person, Person]) -> None:
    anna, bert, clara = table
    assert clara.player is not None
    plays(house, anna, "Hello!")
    with writing(house.club) as work:
        address_fails(work, clara.player, clara.address, "550")
    bert.receives()
    plays(house, bert)
    assert clara.receives() == []
    with writing(house.club) as work:
        accept(work, work.players.get(clara.player.id), clara.address)
    house.works()
    assert "| Hello!" in clara.receives()[-1].text


def test_email_that_needs_an_answer_is_sent_and_answerable(
    house: House, table: tuple[Person, Person, Person]
) -> None:
    anna, bert, clara = table
    plays(house, anna)
    for person in (anna, bert):
        person.receives()
    says(house, bert, "draw?")
    for person in (anna, clara):
        [offer] = person.receives()
        assert "Bert offers a draw" in offer.text
    says(house, clara, "draw")
    says(house, anna, "draw")
    for person in (anna, bert, clara):
        over = person.receives()[-1].text
        assert "you drew match 1" in " ".join(over.split()), "everyone is notified of the end"


def test_end_of_an_offer_is_news_too(house: House, table: tuple[Person, Person, Person]) -> None:
    anna, bert, clara = table
    says(house, bert, "draw?")
    for person in table:
        person.receives()
    says(house, anna, re.findall(r"for example:\n\n    (.+)", anna.read[0].text)[0])
    [told] = clara.receives()
    assert "offers a draw" not in told.text, "the offer lapsed with her move"


def test_skipped_player_can_answer_their_newest_email(
    house: House, table: tuple[Person, Person, Person]
) -> None:
    anna, bert, clara = table
    plays(house, anna)
    assert clara.receives() == []
    says(house, clara, "draw?")
    [receipt] = clara.receives()
    assert "Your draw offer stands" in receipt.text
    bert.receives()
    says(house, bert, "no draw")
    assert "Bert declines the draw" in clara.receives()[-1].text
    house.resigns(clara)
    assert "Thank you, Clara. Done: resign" in clara.receives()[-1].text


def test_email_choice_applies_to_all_matches_or_one_thread(
    house: House, table: tuple[Person, Person, Person]
) -> None:
    _, _, clara = table
    for text, told, reached in (
        ("mails all", "You get an email about every turn of match 1", True),
        (
            "mails 1 turn",
            "From now on, you get emails about match 1 only when it is your turn",
            False,
        ),
        ("set mails all", "mails is all from now on", False),
        ("mails #1 Usual", "You get an email about every turn of match 1", True),
    ):
        clara.receives()
        says(house, clara, text)
        assert told in flat(clara.receives()[-1])
        before = len(clara.read)
        passes_round(house, table)
        clara.receives()
        others = [mail for mail in clara.read[before:] if "nothing for you" in mail.text]
        assert bool(others) == reached, text


def test_settings_lists_what_was_chosen_for_a_match(
    house: House, table: tuple[Person, Person, Person]
) -> None:
    anna = table[0]
    says(house, anna, "mails 1 all")
    anna.receives()
    says(house, anna, "settings")
    listed = flat(anna.receives()[-1])
    assert "mails 1 all which emails about match 1 you get" in listed


def passes_round(house: House, table: tuple[Person, Person, Person]) -> None:
    """Let everyone make one move."""
    for person in table:
        if not person.read or "for example:" not in person.latest.text:
            person.receives()
        plays(house, person)
        for other in table[:2]:
            other.receives()


def test_emails_of_others_matches_cannot_be_chosen(house: House) -> None:
    anna, bert, clara = (house.player(name) for name in ("Anna", "Bert", "Clara"))
    house.match("lanko-68", anna, bert)
    house.match("lanko-68", anna, clara)
    for number in (1, 99):
        clara.receives()
        says(house, clara, f"mails {number} turn")
        assert f"you have no match {number}" in flat(clara.receives()[-1])


def test_one_tap_reduces_emails_and_does_not_leave_the_match(
    house: House, table: tuple[Person, Person, Person]
) -> None:
    anna, bert, clara = table
    says(house, clara, "mails all")
    clara.receives()
    plays(house, anna)
    [unasked] = clara.receives()
    address = stop_address(unasked)
    assert address != unasked.reply_to
    [told] = stops(house, clara, address)
    assert "From now on, you get emails about match 1 only when it is your turn" in flat(told)
    [told] = stops(house, clara, address)
    assert "You already get emails about match 1 only when it is your turn" in flat(told)
    bert.receives()
    plays(house, bert)
    assert "your turn" in clara.receives()[-1].text, "the match continues with them"


def flat(mail: Received) -> str:
    return " ".join(mail.text.split())


@pytest.mark.parametrize(
    ("subject", "text"),
    (
        ("", ""),
        ("unsubscribe", "This message was automatically generated by Gmail."),
        ("Unsubscribe", "resign"),
        ("Automatic reply: unsubscribe", "I do not want this any more.\n\n-- \nClara"),
    ),
)
def test_unsubscribing_needs_no_words_and_ignores_them(
    house: House, table: tuple[Person, Person, Person], subject: str, text: str
) -> None:
    clara = table[2]
    address = stop_address(clara.read[0])
    [told] = stops(house, clara, address, subject=subject, text=text)
    assert "about match 1" in told.text
    assert house.state().resigned == frozenset()
    assert house.state().actions == 0


def test_unsubscribe_address_works_only_for_its_member(
    house: House, table: tuple[Person, Person, Person]
) -> None:
    anna, _, clara = table
    says(house, clara, "mails all")
    address = stop_address(clara.read[0])
    stops(house, anna, address)
    eve = house.stranger("eve@mail.example")
    [told] = stops(house, eve, address)
    assert "I don't know your address" in flat(told)
    assert "Clara" not in told.text
    plays(house, anna)
    assert clara.receives()[-1].kind == "", "every turn is still emailed"
    says(house, clara, "show")
    assert "List-Unsubscribe" not in clara.receives()[-1].message, "she asked for this email"


def test_waiting_notes_are_sent_before_there_are_too_many(
    house: House, table: tuple[Person, Person, Person]
) -> None:
    anna, bert, clara = table
    house.resigns(clara)
    clara.receives()
    for number in range(12):
        for person in (anna, bert):
            person.receives()
            plays(house, person, f"Note {number}.")
    [told] = clara.receives()
    assert all(f"| Note {number}." in told.text for number in range(10))
