"""Keepsakes: books and certificates say what they should, and nothing in them becomes markup."""

from __future__ import annotations

import io
import re

import html5lib
import pypdf
import pytest

from pbem.archive import press
from pbem.archive.site.book import book_files, book_of_competition, files_of
from pbem.archive.site.certificate import certificates
from pbem.archive.site.values import CompetitionPage, Person
from pbem.games import game_of
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.matches.overview import Overview
from pbem.service.post.attaching import certificate_of
from tests.browser import club
from tests.matches.all_kinds import KINDS, played

HOSTILE = '#eval("1+1") *b* $x$ <b>& @ref \\ [c] "q"'
NAMES = {n: f"{HOSTILE} {n}" if n % 2 else f"Anna {n}" for n in range(1, 30)}
PEOPLE = {n: Person(n, name, page=False) for n, name in NAMES.items()}


def words(pdf: bytes) -> str:
    """Return the text of a PDF without spaces, since lines may break anywhere."""
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    return re.sub(r"\s", "", "".join(page.extract_text() for page in pages))


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("number", (2, 4, 6))
def test_book_of_a_match_has_turns_notes_and_names(number: int) -> None:
    page = club.match_page(number)
    read, printed = (file.data for file in book_files(page, "Club #1"))
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(read.decode())
    assert not [each for each in tree.iter() if each.get("id") == "bad" or each.tag == "script"]
    said, text = squeezed("".join(tree.itertext())), words(printed)
    for player in page.entry.match.players:
        assert squeezed(club.NAMES[player]) in said
        assert squeezed(club.NAMES[player]) in text
    for note in page.notes:
        assert squeezed(note.text) in said
    assert squeezed(page.actions[0].text) in text
    assert sum("board" in (each.get("class") or "") for each in tree.iter("svg")) <= 41


def test_same_book_has_the_same_bytes() -> None:
    page = club.match_page(4)
    assert [*book_files(page, "Club")] == [*book_files(page, "Club")]


@pytest.mark.parametrize("kind", KINDS)
def test_book_of_every_kind_of_competition_has_its_table(kind: str) -> None:
    found = played(kind, 6, 7, 1)
    page = CompetitionPage(Overview(found.of, found.stored), (), PEOPLE, ())
    book = book_of_competition(page, [club.match_page(4)], "Club")
    read, printed = (file.data for file in files_of(book, "competitions/x"))
    text = words(printed)
    html5lib.HTMLParser(strict=True).parse(read.decode())
    for player in found.of.players:
        assert squeezed(NAMES[player]) in text, "hostile names are text"


@pytest.mark.parametrize("kind", ("swiss", "team-match", "set"))
def test_winners_get_a_certificate_with_their_name(kind: str) -> None:
    found = played(kind, 5, 3, 1)
    overview = Overview(found.of, found.stored)
    made = list(certificates(overview, NAMES, "Club #1", "x"))
    assert {player for player, _ in made} == set(overview.standing.winners)
    assert made == list(certificates(overview, NAMES, "Club #1", "x")), "the same bytes twice"
    for player, file in made:
        if file.name.endswith(".pdf"):
            assert squeezed(NAMES[player]) in words(file.data)
            assert squeezed(game_of(found.of.game_key).info.title) in words(file.data)
        else:
            assert file.data.startswith(b"<svg")


def test_only_winners_of_ended_competitions_get_one() -> None:
    running, over = played("swiss", 5, 3, 0.5), played("swiss", 5, 3, 1)
    assert list(certificates(Overview(running.of, running.stored), NAMES, "Club", "x")) == []
    [winner] = over.of.standing(over.stored).winners
    view = CompetitionView(over.of, over.stored, NAMES)
    [certificate] = certificate_of(view, winner, "Club")
    assert certificate.name == f"swiss-000001-lanrick-1893.certificate-{winner}.pdf"
    assert certificate.content_type == "application/pdf"
    other = next(player for player in over.of.players if player != winner)
    assert certificate_of(view, other, "Club") == ()


def test_without_typst_books_are_html_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "find_spec", lambda _: None)
    [file] = book_files(club.match_page(4), "Club")
    assert file.name.endswith(".book.html")
    over = played("swiss", 5, 3, 1)
    assert list(certificates(Overview(over.of, over.stored), NAMES, "Club", "x")) == []
