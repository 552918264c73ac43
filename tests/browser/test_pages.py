"""Test the reading room in a browser: from a server or folder, on a phone, without JavaScript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from pbem.archive.site import addresses
from tests.browser import club
from tests.browser.accessibility import findings
from tests.browser.conftest import Visit

KINDS = (
    "index.html",
    "running.html",
    "search.html#player=anna",
    "calendar/index.html",
    "calendar/2026-11.html",
    "competitions/index.html",
    "competitions/set-000003-lanko-68.html",
    "competitions/tournament-000002-lanrick-1881.html",
    "competitions/series-000001-lanrick-1893.html",
    "competitions/tournament-000001-lanrick-1893.html",
    "competitions/tournament-000001-lanrick-1893.book.html",
    "competitions/swiss-000001-lanrick-1893.html",
    "competitions/knock-out-000001-lanrick-1893.html",
    "competitions/league-000001-lanrick-1893.html",
    "competitions/set-league-000001-lanko-68.html",
    "competitions/team-match-000001-lanrick-1893.html",
    "competitions/ladder-000001-lanrick-1893.html",
    "competitions/open-house-000001-lanrick-1893.html",
    "games/index.html",
    "games/lanko-103.html",
    "games/lancelot.html",
    addresses.imported_page(club.HOSTILE),
    "members/index.html",
    "help/players.html",
    "help/clocks.html",
    "help/commands.html",
    "members/5.html",
    "matches/match-000002-lanko-68.html",
    "matches/match-000004-lanrick-1881.html#turn-3",
    "matches/match-000006-lancelot.html",
    "matches/match-000009-lanko-88.html",
    "matches/match-000009-lanko-88.boards.html",
    "embed/match-000003-lanko-103.html",
)
"""A page of every kind, and more of kinds whose pages differ."""
WIDTHS = (320, 375, 1200)
PHONE: ViewportSize = {"width": 375, "height": 667}

MISFITS = """() => {
  const found = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`scrolls sideways: ${scrollWidth}`);
  for (const each of document.querySelectorAll("a, button, input, select, summary")) {
    const { width, height } = each.getBoundingClientRect();
    if (each.closest(".help, .rules") || !each.checkVisibility()) continue;
    if (Math.min(width, height) < 24) found.push(`hard to tap: ${each.outerHTML}`);
  }
  for (const each of document.images) {
    const square = Math.abs(each.width - each.height) < 1;
    if (!each.complete || !each.naturalWidth || !square) found.push(`cut off: ${each.src}`);
  }
  const labels = Array.from(document.querySelectorAll("nav"), ({ ariaLabel, attributes }) => (
    attributes["aria-labelledby"] ? "more than one" : ariaLabel
  ));
  if (new Set(labels).size < labels.length || !labels.every(Boolean)) found.push(`nav: ${labels}`);
  return found;
}"""
"""Return what is too wide, too small to tap, cut off or badly labelled. Running text is exempt."""

BOTTOMS = """["header.site", "#board", "#controls", "h1", "#turns-title"].map(
  (each) => document.querySelector(each).getBoundingClientRect().bottom,
)"""


@pytest.mark.timeout(300)
def test_pages_are_accessible_and_fit_every_screen(visit: Visit, served: str) -> None:
    page = visit(served)
    found: dict[str, list[str]] = {}
    for kind in KINDS:
        page.goto(served + kind)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 667})
            found[f"{kind} at {width}"] = page.evaluate(MISFITS)
        page.set_viewport_size(PHONE)
        found[kind], found[f"{kind} in dark mode"] = findings(page)
    assert {kind: problems for kind, problems in found.items() if problems} == {}


@pytest.mark.parametrize("number", club.PLAYED)
def test_phone_shows_board_and_buttons_first(visit: Visit, served: str, number: int) -> None:
    page = visit(f"{served}matches/{club.file_of(number)}.html", viewport=PHONE)
    expect(page.locator("#controls")).to_be_visible()
    top, board, buttons, title, turns = page.evaluate(BOTTOMS)
    assert top < board < buttons < PHONE["height"]
    assert buttons < title < turns


@pytest.mark.parametrize("how", ("served", "file"))
def test_search_finds_matches(visit: Visit, served: str, room: Path, how: str) -> None:
    base = served if how == "served" else f"{room.as_uri()}/"
    page = visit(f"{base}search.html")
    page.get_by_label("Player").fill("zuk")
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_have_text("9 matches")
    page.get_by_label("Game").select_option(label="Lancelot")
    expect(page.locator("#found")).to_have_text("2 matches")
    page.get_by_label("Year").select_option(label="2026")
    expect(page.locator("#found")).to_have_text("1 match")
    page.get_by_label("Ending").select_option(label="Drawn")
    expect(page.locator("#found")).to_have_text("No matches")
    page.get_by_label("Ending").select_option(label="Exhausted")
    page.locator("#results a").click()
    expect(page.locator("h1")).to_contain_text("Emil")


def test_reading_room_works_from_a_folder(visit: Visit, room: Path) -> None:
    page = visit(f"{room.as_uri()}/index.html")
    page.get_by_role("link", name="Anna Żuk – Bert", exact=True).first.click()
    expect(page.locator("#controls")).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#now")).to_contain_text("Turn 1")
    expect(page).to_have_url(re.compile("#turn-1$"))


def test_pages_work_without_javascript(visit: Visit, served: str) -> None:
    page = visit(f"{served}matches/{club.file_of(2)}.html", java_script_enabled=False)
    expect(page.locator("#controls")).to_be_hidden()
    assert page.locator("#pieces use").count() > 0
    page.locator("#turns a").nth(99).click()
    assert page.url.endswith(".boards.html#turn-100")
    expect(page.locator("#turn-100 .done")).to_be_visible()
    expect(page.get_by_text("only the first and last boards are drawn")).to_be_visible()
    boards = page.locator("#boards svg")
    expect(boards).to_have_count(2)
    expect(boards.last).to_be_visible()
    page.goto(f"{served}search.html")
    expect(page.locator("#search")).to_be_hidden()
    page.get_by_role("link", name="finished matches by month").click()
    page.get_by_role("link", name="November").click()
    expect(page.locator("h1")).to_have_text("November 2026")


def test_printed_page_has_the_board_and_no_buttons(visit: Visit, served: str) -> None:
    page = visit(f"{served}matches/{club.file_of(1)}.html")
    page.emulate_media(media="print")
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#controls")).to_be_hidden()
    expect(page.get_by_role("navigation", name="Site")).to_be_hidden()
