"""The club's emails in address books, filters and threads."""

from __future__ import annotations

from email.utils import parseaddr

import pytest

from tests.conversations.house import HOST, House, Person, Received

CLUB = f"club@{HOST}"


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def asks(house: House, person: Person, text: str) -> Received:
    person.receives()
    person.says(text)
    house.works()
    person.receives()
    return person.latest


def ids(mail: Received, field: str) -> list[str]:
    return str(mail.message[field] or "").split()


def test_every_email_has_the_one_address_and_says_what_it_wants(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "[41-20]")
    house.resigns(anna)
    anna.receives()
    bert.receives()
    eve = house.stranger("eve@mail.example")
    eve.says("hello")
    house.works()
    mails = [*anna.read, *bert.read, *eve.receives()]
    assert {parseaddr(str(mail.message["From"]))[1] for mail in mails} == {CLUB}
    assert [parseaddr(str(mail.message["From"]))[0] for mail in mails] == [
        *("Your turn, pbem", "Please look again, pbem"),
        *("Is this what you want? pbem", "The match is over, pbem"),
        *("pbem", "The match is over, pbem"),
        "pbem",
    ]
    assert all(mail.reply_to.startswith("club+1-1-") for mail in mails[:-1])


def test_filter_can_recognise_the_emails_of_a_match(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    house.match("lancelot", anna, bert)
    named = [str(mail.message["List-Id"]) for mail in anna.receives()]
    assert named == [f'"pbem match {number}" <match-{number}.club.{HOST}>' for number in (1, 2)]
    eve = house.stranger("eve@mail.example")
    eve.says("hello")
    house.works()
    assert eve.receives()[0].message["List-Id"] is None


def test_thread_stays_flat(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    [first] = anna.receives()
    assert ids(first, "References") == ids(first, "In-Reply-To") == []
    for _ in range(12):
        asks(house, anna, "show")
    sent = anna.says("[41-36]")
    house.works()
    [receipt] = anna.receives()
    assert ids(receipt, "References") == [first.message_id, str(sent["Message-ID"])]
    assert ids(receipt, "In-Reply-To") == [str(sent["Message-ID"])]
    asks(house, bert, "draw?")
    [news] = anna.receives()
    assert ids(news, "References") == ids(news, "In-Reply-To") == [first.message_id]


@pytest.mark.parametrize("only", ("In-Reply-To", "References"))
def test_reply_to_from_address_is_believed_by_its_references(
    house: House, anna: Person, bert: Person, only: str
) -> None:
    house.match("lanko-68", anna, bert)
    asks(house, anna, "show")
    thread = [*ids(anna.latest, "References"), anna.latest.message_id]
    value = anna.latest.message_id if only == "In-Reply-To" else " ".join(thread)
    anna.says("[41-36]", recipient=CLUB, references=False, headers=[(only, value)])
    house.works()
    assert house.moves() == ["[41-36]"]


def test_email_with_a_list_header_is_not_answered(house: House, anna: Person, bert: Person) -> None:
    """A header quoted in the text of a reply does not count."""
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("show\n\n> List-Id: " + str(anna.latest.message["List-Id"]))
    anna.says("show", headers=[("List-Id", str(anna.latest.message["List-Id"]))])
    house.works()
    assert len(anna.receives()) == 1
