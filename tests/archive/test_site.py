"""The files of the reading room: valid, small, harmless, and linked by relative addresses."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import html5lib
import pytest

from pbem.archive.files import ArchiveFile, read_record
from pbem.archive.site import pages
from pbem.archive.site.values import (
    CalendarPage,
    ClubPage,
    FeedEntry,
    MatchPage,
    MemberPage,
    Person,
)
from pbem.games import games
from pbem.matches.competitions import kinds
from pbem.matches.match import RecordedAction
from pbem.matches.record import verify
from tests.browser import club
from tests.docs.test_contracts import NAME, rows
from tests.matches.json_schema import errors
from tests.matches.playing import Contest, started
from tests.support.more_games import more_games
from tests.toys.pocket_games import FAMILY, NIM

ATOM = "{http://www.w3.org/2005/Atom}"
DATA = re.compile(r'<script type="application/json".*?</script>', re.DOTALL)
ALIKE = re.compile(r"00000[1-68].*boards|embed/.*00000[1-57-9]")
"""Large pages of which others of the same template are looked at."""
URL = "https://games.example/room/"


@cache
def room(url: str = "") -> dict[str, bytes]:
    """Return all files by name."""
    return {file.name: file.data for file in club.files(replace(club.SITE, url=url))}


def of_kind(ending: str, url: str = "") -> Iterator[tuple[str, str]]:
    """Return names and texts of the files with an ending."""
    return ((n, data.decode()) for n, data in room(url).items() if n.endswith(ending))


@cache
def trees() -> dict[str, Any]:
    """Return every page, parsed by a strict HTML parser that refuses invalid pages."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    pages = ((name, text) for name, text in of_kind(".html") if not ALIKE.search(name))
    return {name: parser.parse(text) for name, text in pages}


@pytest.mark.thorough
def test_every_page_is_valid_html_without_anything_inline() -> None:
    for name, tree in trees().items():
        assert tree.get("lang") == "en", name
        policies = [meta for meta in tree.iter("meta") if meta.get("http-equiv")]
        assert len(policies) == 1, name
        for element in tree.iter():
            assert not [a for a in element.attrib if str(a).startswith("on")], name
            assert "style" not in element.attrib, (name, element.tag)
            assert element.tag != "style", name
            if element.tag == "script" and not element.get("src"):
                assert element.get("type") == "application/json", name
        ids = [element.get("id") for element in tree.iter() if element.get("id")]
        assert len(ids) == len(set(ids)), name


@pytest.mark.thorough
def test_every_link_is_relative_and_has_a_target() -> None:
    for name, tree in trees().items():
        for element in tree.iter():
            for attribute in ("href", "src"):
                if to := element.get(attribute):
                    assert leads_somewhere(name, to), f"{name}: {to}"


def leads_somewhere(page: str, to: str) -> bool:
    """Return whether a link leads to another file of the site, or to the club's mailbox."""
    if to.startswith(f"mailto:{club.SITE.address}"):
        return True
    parts = urlsplit(to)
    if parts.scheme or parts.netloc or parts.path.startswith("/"):
        return False
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path)))
    return not parts.path or path in room()


@pytest.mark.thorough
def test_text_of_players_is_escaped() -> None:
    for name, tree in trees().items():
        assert not [each for each in tree.iter() if each.get("id") == "bad"], name
        assert not [each for each in tree.iter("img") if each.get("src") == "x"], name
        for script in tree.iter("script"):
            if script.get("type") == "application/json":
                json.loads(script.text)
    assert club.HOSTILE in "".join(trees()["members/5.html"].find(".//h1").itertext())
    for _name, script in of_kind(".js"):
        assert "</script" not in script


def test_no_page_is_heavy() -> None:
    for name, text in of_kind(".html"):
        assert len(DATA.sub("", text).encode()) < 100_000, name


@pytest.mark.thorough
def test_feeds_are_atom() -> None:
    for url in ("", URL):
        names = set()
        for name, text in of_kind(".atom", url):
            feed = ElementTree.fromstring(text.encode())
            names.add(name)
            entries = feed.findall(f"{ATOM}entry")
            for each in (feed, *entries):
                for needed in ("id", "title", "updated"):
                    assert len(each.findall(ATOM + needed)) == 1, (name, needed)
                assert urlsplit(each.findtext(f"{ATOM}id")).scheme == "tag"
                datetime.fromisoformat(each.findtext(f"{ATOM}updated") or "")
                for link in each.findall(f"{ATOM}link"):
                    assert url == "" or link.get("href", "").startswith(url)
            assert feed.find(f"{ATOM}author/{ATOM}name") is not None
            ids = [each.findtext(f"{ATOM}id") for each in entries]
            assert len(ids) == len(set(ids)), name
            stamps = [each.findtext(f"{ATOM}updated") or "" for each in entries]
            assert all(newer >= older for newer, older in pairwise(stamps)), name
        assert {"feed.atom", "members/1.atom", "matches/match-000002-lanko-68.atom"} <= names


def test_index_follows_its_schema_and_lists_every_match() -> None:
    for url in ("", URL):
        files = room(url)
        schema, index = json.loads(files["index.schema.json"]), json.loads(files["index.json"])
        assert errors(schema, index) == []
        matches: dict[int, Any] = {}
        for part in index["parts"]:
            listed = json.loads(files[part["file"]])
            assert errors(schema, listed) == []
            assert len(listed["matches"]) == part["matches"]
            matches |= {each["match"]: each for each in listed["matches"]}
        assert set(matches) == set(club.PLAYED)
        assert all(each["page"] in files and each["record"] in files for each in matches.values())
        assert errors(schema, {**index, "club": None}) != []


def test_site_address_adds_a_sitemap_and_pictures() -> None:
    assert not [name for name in room() if name.startswith("sitemap") or name.endswith(".png")]
    found = set()
    for name, text in of_kind(".xml", URL):
        tree = ElementTree.fromstring(text.encode())
        found |= {each.text for each in tree.iter() if each.tag.endswith("loc")}
        assert all(str(each).removeprefix(URL) in room(URL) for each in found), name
    assert f"{URL}matches/match-000003-lanko-103.html" in found
    page = room(URL)["matches/match-000003-lanko-103.html"].decode()
    picture = f"{URL}matches/match-000003-lanko-103.png"
    assert f'<meta property="og:image" content="{picture}">' in page
    assert room(URL)["matches/match-000003-lanko-103.png"].startswith(b"\x89PNG")
    assert f"{URL}embed/match-000003-lanko-103.html" in page


def kind_of(name: str) -> str:
    """Return a file's name without the parts that vary within its kind."""
    for game in games():
        name = name.replace(game.info.key, "GAME")
    known = "|".join(sorted(kinds(), key=len, reverse=True))
    return re.sub(rf"\b({known})-N", "KIND-N", re.sub(r"\d+", "N", name))


def test_every_kind_of_file_is_documented_in_the_contracts() -> None:
    told, last = set(), ""
    for cell, _ in rows("Files"):
        for name in NAME.findall(cell):
            last = f"{last.rpartition('.')[0]}{name}" if name.startswith(".") else name
            told.add(kind_of(last))
    of_a_member = {f"deadlines/N-SECRET.{form}" for form in ("ics", "atom")}
    of_all = {kind_of(name) for name in room(URL)}
    assert told == {*of_all, *of_a_member, "imported/N-N-N.html"}


def test_records_beside_the_pages_can_be_replayed() -> None:
    for number in club.PLAYED:
        for ending in (".txt", ".json"):
            name = f"matches/{club.file_of(number)}{ending}"
            record = read_record(ArchiveFile(name, room()[name]))
            assert verify(record) == [], name


def test_hidden_player_is_in_no_file_of_a_match() -> None:
    page = club.match_page(6)
    people = {**page.entry.people, 1: Person(1, "somebody", page=False)}
    hidden = replace(page, entry=replace(page.entry, people=people), record=None)
    files = {file.name: file.data.decode() for file in pages.match_files(club.SITE, hidden)}
    text = "".join(files.values())
    assert "Anna" not in text
    assert "members/1.html" not in text
    assert f"{club.file_of(6)}.txt" not in text, "there is no record to lead to"
    assert not [name for name in files if name.endswith((".txt", ".json"))]


def test_empty_club_has_pages_too() -> None:
    empty = [
        *pages.club_files(club.SITE, ClubPage((), 0, (), 0, (), ())),
        *pages.running_files(club.SITE, ()),
        *pages.member_files(club.SITE, MemberPage(club.PEOPLE[1], ())),
        *pages.member_list_files(club.SITE, ()),
        *pages.competition_list_files(club.SITE, ()),
    ]
    parser = html5lib.HTMLParser(strict=True)
    for file in empty:
        if file.name.endswith(".html"):
            parser.parse(file.data.decode())


def test_game_without_square_names_has_a_page() -> None:
    with more_games(nim=FAMILY):
        contest = Contest(started(NIM.info.key, 2)).moves("take 3", "take 2")
        page = MatchPage(FeedEntry(contest.match, club.PEOPLE), contest.actions)
        names = {file.name for file in pages.match_files(club.SITE, page)}
    assert "matches/match-000012-nim.html" in names


@pytest.mark.thorough
def test_long_match_makes_no_heavy_pages() -> None:
    contest = club.contest(9)
    game, position, actions = contest.match.game, contest.position, []
    options = {**contest.match.options.game, "repetition": 0, "quiet_limit": 0}
    match = replace(contest.match, options=replace(contest.match.options, game=options))
    position = game.initial(2, options)
    for number in range(1, 501):
        seat = game.to_act(position) or ""
        action = next(iter(game.legal_actions(position)))
        text, at = game.format(position, action), match.started_at
        after = game.play(position, action)
        actions.append(RecordedAction(number, position.turn, seat, text, after.passed, at))
        position = after
    files = pages.match_files(club.SITE, MatchPage(FeedEntry(match, club.PEOPLE), actions))
    assert max(len(file.data) for file in files if file.name.endswith(".html")) < 375_000


def test_one_more_match_costs_a_month_page_not_the_whole_archive() -> None:
    entries = club.ended() * 30
    files = pages.calendar_files(club.SITE, CalendarPage(2026, 11, entries))
    assert sum(len(file.data) for file in files) < 1500 * len(entries)


def test_long_list_of_another_club_has_a_page_for_each_month() -> None:
    one = club.imported_page(6).entry
    assert one.match.result is not None
    long_ago = one.match.result.ended_at.replace(year=2025, month=3)
    earlier = replace(one.match, result=replace(one.match.result, ended_at=long_ago))
    entries = [*[one] * 99, replace(one, match=earlier), replace(one, match=earlier)]
    first, *others = pages.imported_files(club.SITE, club.HOSTILE, entries)
    assert (first.data.count(b'class="title"'), first.name.count("-")) == (100, 0)
    assert [file.name.partition("-")[2] for file in others] == ["2026-11.html", "2025-03.html"]
    assert [file.data.count(b'class="title"') for file in others] == [99, 2]
    assert all(posixpath.basename(file.name) in first.data.decode() for file in others)
    assert len(pages.imported_files(club.SITE, club.HOSTILE, entries[:100])) == 1
    for file in (first, *others):
        html5lib.HTMLParser(strict=True).parse(file.data.decode())


def test_page_says_how_to_join_only_in_an_open_club() -> None:
    page, link = ClubPage((), 0, (), 0, (), ()), "mailto:club@plus.example?subject=join&body=join"
    for site, count in ((replace(club.SITE, join=link), 2), (club.SITE, 0)):
        [first] = [each for each in pages.club_files(site, page) if each.name == "index.html"]
        assert first.data.decode().count(link.replace("&", "&amp;")) == count
        assert "Join by email" in first.data.decode()
