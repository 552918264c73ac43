"""Players' choices by email, and the pages that the reading room then shows."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest

from pbem.archive.site.values import Site
from pbem.service.club import Room
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import adjudication, cancellation, reopening, undoing
from pbem.service.reading_room.publish import publish_room
from pbem.service.work import writing
from tests.conversations.house import House
from tests.conversations.test_challenges import asks
from tests.fakes.archive import FakeArchive


@pytest.fixture
def pages(house: House) -> FakeArchive:
    """The pages of the house."""
    store = FakeArchive()
    house.club = replace(house.club, room=Room(Site("pbem", house.address), store))
    return store


def published(house: House) -> None:
    house.works()
    assert house.club.room is not None
    assert publish_room(house.club.storage, house.club.room).problems == []


def naming(pages: FakeArchive, words: str) -> set[str]:
    """Return the pages that contain some words, except the help pages, which use example names."""
    texts = {name: unescape(data.decode(errors="ignore")) for name, data in pages.files.items()}
    return {name for name, text in texts.items() if words in text and not name.startswith("help/")}


def test_member_is_shown_as_they_choose(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    published(house)
    assert {"members/1.html", "members/index.html", "running.html"} <= naming(pages, "Anna")
    anna.receives()
    anna.says("set page hidden")
    published(house)
    assert "Set: page is hidden from now on." in anna.receives()[-1].text
    assert naming(pages, "Anna") == set()
    assert "members/1.html" not in pages.files
    anna.says("set page everything")
    house.works()
    said = " ".join(anna.receives()[-1].text.split())
    assert "everything is not a choice. Choose one of: full, name, hidden" in said


def test_ratings_are_shown_with_a_plot_to_those_who_want_it(
    house: House, pages: FakeArchive
) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    for _ in range(2):
        match = house.match("lancelot", anna, bert)
        house.clock.advance(days=31)
        house.resigns(bert, match=match.id)
    published(house)
    page = pages.files["members/1.html"].decode()
    assert "All games: 1640 ± 469, provisional" in page
    assert page.count("<polyline") == 2
    assert page.count('<td class="number">1579</td>') == 2
    game = pages.files["games/lancelot.html"].decode()
    assert game.index(">1640 ± ") < game.index(">1360 ± ")
    bert.receives()
    bert.says("set ratings off")
    published(house)
    game = pages.files["games/lancelot.html"].decode()
    assert ">1640 ± " in game
    assert ">1360 ± " not in game
    assert "All games" not in pages.files["members/2.html"].decode()


def test_public_notes_are_stored_and_shown_after_the_match(
    house: House, pages: FakeArchive
) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("set notes public")
    house.works()
    anna.receives()
    anna.says("42-36\n\nA <wonderful> blunder")
    house.works()
    bert.receives()
    bert.says("18-19\n\nThanks for the present")
    published(house)
    assert naming(pages, "blunder") | naming(pages, "the present") == set()
    house.resigns(anna)
    published(house)
    page = "matches/match-000001-lanko-68.html"
    assert page in naming(pages, "A <wonderful> blunder")
    assert naming(pages, "the present") == set()
    anna.receives()
    anna.says("set notes private")
    published(house)
    assert naming(pages, "blunder") == set()
    with house.club.storage.reading() as uow:
        assert [note.text for note in uow.notes.of(1)] == ["A <wonderful> blunder"]


def test_match_of_a_hidden_member_has_no_downloadable_record(
    house: House, pages: FakeArchive
) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("42-36")
    published(house)
    records = {f"matches/match-000001-lanko-68.{form}" for form in ("txt", "json")}
    assert records <= pages.files.keys()
    bert.receives()
    bert.says("set page hidden")
    published(house)
    assert not records & pages.files.keys()
    assert b"a member" in pages.files["matches/match-000001-lanko-68.html"]


def test_open_offers_are_on_the_first_page(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    asks(house, anna, "offer lancelot players=3")
    asks(house, anna, "offer lanrick-1881 only=bert")
    asks(house, anna, "offer lanko-88 private")
    published(house)
    page = unescape(pages.files["index.html"].decode())
    assert "Looking for opponents" in page
    assert f'mailto:{house.address}?subject=take%201&body=take%201"' in page
    assert "with Anna" in page
    assert "take%202" not in page
    assert "take%203" not in page
    asks(house, bert, "set page hidden")
    asks(house, bert, "take 1")
    published(house)
    page = unescape(pages.files["index.html"].decode())
    assert "with Anna and a member" in page
    asks(house, anna, "withdraw 1")
    published(house)
    assert naming(pages, "Looking for opponents") == set()


def test_cancelled_match_disappears_and_undo_is_explained(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    for _ in range(2):
        house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("[41-36]")
    published(house)
    page = "matches/match-000002-lanko-68.html"
    assert page in pages.files
    with writing(house.club) as work:
        decide(work, undoing(2, 1, ""), SHELL)
        decide(work, cancellation(1, "A mistake"), SHELL)
    published(house)
    assert page in naming(pages, "The director takes back this turn")
    assert not [name for name in pages.files if name.startswith("matches/match-000001")]


def test_reopened_match_is_shown_as_being_played_again(house: House, pages: FakeArchive) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lanko-68", anna, bert)
    anna.receives()
    anna.says("[41-36]")
    published(house)
    before = dict(pages.files)
    with writing(house.club) as work:
        decide(work, adjudication(1, "Anna", "Time is up"), SHELL)
    published(house)
    page, winner = "matches/match-000001-lanko-68.html", "Anna wins"
    lists = {"index.html", "members/1.html", "members/2.html", "games/lanko-68.html"}
    assert {page, *lists} <= naming(pages, winner)
    with writing(house.club) as work:
        decide(work, reopening(1, "I mixed up two matches"), SHELL)
    published(house)
    assert naming(pages, winner) == set()
    assert page in naming(pages, "The director reopens the match. It continues where it stopped.")
    assert "Turn 2: Bert, W (Black), to move" in pages.files[page].decode()
    again = {name for name in pages.files if before.get(name) == pages.files[name]}
    assert {"running.html", *lists} <= again
    assert pages.files.keys() == before.keys()


def test_ended_competition_has_a_book_and_certificates_of_those_who_are_shown(
    house: House, pages: FakeArchive
) -> None:
    people = anna, bert, clara = [house.player(name) for name in ("Anna", "Bert", "Clara")]
    house.tournament("lanrick-1893", *people)
    stem = "competitions/tournament-000001-lanrick-1893."
    published(house)
    assert pages.names(stem) == [f"{stem}html"]
    house.resigns(clara, match=1)
    house.resigns(bert, match=2)
    house.resigns(clara, match=3)
    published(house)
    assert "Anna wins the tournament." in pages.files[f"{stem}html"].decode()
    book = pages.files[f"{stem}book.html"].decode()
    assert "Anna wins" in book
    assert book.count("Resigned") + book.count("resigns") >= 3
    certificates = [f"{stem}certificate-1.pdf", f"{stem}certificate-1.svg"]
    assert set(certificates) <= set(pages.names(stem))
    anna.receives()
    anna.says("set page hidden")
    published(house)
    assert not set(certificates) & set(pages.names(stem))
    assert f"{stem}book.html" in pages.names(stem)
