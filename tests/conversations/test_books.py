"""Books of matches by email."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.archive.press import available
from pbem.archive.site.values import Site
from pbem.commands import match as match_commands
from pbem.service.club import Public, Room
from tests.conversations.house import House, Person, Received
from tests.conversations.test_lists import asks, with_proof
from tests.fakes.archive import FakeArchive

HOSTILE = '#eval("1+1") *b* <script>alert(1)</script> $x$ @ref'


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


def files(mail: Received) -> dict[str, bytes]:
    found = {}
    for each in mail.message.iter_attachments():
        raw = each.get_payload(decode=True)
        assert isinstance(raw, bytes)
        found[str(each.get_filename())] = raw
    return found


def test_player_gets_the_book_of_a_match(house: House, anna: Person, bert: Person) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("[41-36]")
    house.works()
    told = asks(house, anna, "record 1 book")
    assert "It is attached, up to the current turn: match-000001-lanko-68.book.html" in told.text
    sent = files(told)
    book = sent["match-000001-lanko-68.book.html"].decode()
    assert "<b>[41-36]</b>" in book
    assert "Anna" in book
    assert "Bert" in book
    assert book.count('class="board"') == 2, "the start, and after the turn"
    assert ("match-000001-lanko-68.book.pdf" in sent) == available()
    assert all(data.startswith(b"%PDF") for name, data in sent.items() if name.endswith("pdf"))


def test_book_of_the_match_of_the_email_needs_no_number(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("record book")
    house.works()
    assert "The book of match 1" in anna.receives()[-1].text


def test_book_has_public_notes_only_and_shows_them_as_text(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    with_proof(house, bert, "set notes public")
    anna.receives()
    anna.says("[41-36]\nA secret of mine.")
    house.works()
    bert.receives()
    bert.says(f"[10-19]\nHello. {HOSTILE}")
    house.works()
    house.resigns(anna)
    sent = files(asks(house, anna, "record 1 book"))
    book = sent["match-000001-lanko-68.book.html"].decode()
    assert "A secret of mine" not in book
    assert "Hello." in book
    assert "<script>" not in book
    assert "resign" in book


def test_outsider_gets_the_book_of_a_public_match_only(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lanko-68", anna, bert)
    clara = house.player("Clara")
    assert "you have no match 1" in " ".join(asks(house, clara, "record 1 book").text.split())
    room = Room(Site("pbem", house.address), FakeArchive(), Public.LIVE, delay=1)
    house.club = replace(house.club, room=room)
    anna.receives()
    anna.says("[41-36]")
    house.works()
    with_proof(house, bert, "set page hidden")
    book = files(asks(house, clara, "record 1 book"))["match-000001-lanko-68.book.html"].decode()
    assert "[41-36]" not in book, "one turn is held back"
    assert "Bert" not in book
    assert "a member" in book


def test_blind_match_names_only_seats(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", anna, bert, chosen="names=hidden")
    sent = files(asks(house, anna, "record 1 book"))
    assert "Bert" not in sent["match-000001-lancelot.book.html"].decode()


def test_book_too_large_for_an_email_is_refused(
    house: House, anna: Person, bert: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_commands, "MOST_BYTES", 1000)
    house.match("lanko-68", anna, bert)
    told = asks(house, anna, "record 1 book")
    assert "the book of match 1 is too large for an email" in " ".join(told.text.split())
    assert files(told) == {}
