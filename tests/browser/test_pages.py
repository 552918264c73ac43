"""Test the reading room in a browser: from a server or folder, on a phone, without JavaScript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from tests.browser import club
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
    "games/index.html",
    "games/lanko-103.html",
    "games/lancelot.html",
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
PHONE = {"width": 320, "height": 640}
SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


FINDINGS = """(rules) => axe.run(document, { resultTypes: ["violations"], ...rules }).then(
  ({ violations }) => violations.flatMap(
    ({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`),
  ),
)"""


IN_THE_DARK = {"runOnly": ["color-contrast"]}
"""Only the check of contrast, since dark pages differ only in colours."""


def test_pages_are_accessible_and_fit_a_phone(visit: Visit, served: str) -> None:
    page = visit(served, viewport=PHONE)
    for kind in KINDS:
        page.emulate_media(color_scheme="light")
        page.goto(served + kind)
        page.evaluate(AXE_SCRIPT)
        assert page.evaluate(FINDINGS, {}) == [], kind
        assert not page.evaluate(SIDEWAYS), f"{kind} scrolls sideways"
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(FINDINGS, IN_THE_DARK) == [], f"{kind} in dark mode"


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
