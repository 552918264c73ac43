"""Test that the replay of a match shows what the engine computes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pbem.archive.site.replaying import replayed
from pbem.games.diagram import Diagram
from pbem.painters.ground import SIDE
from pbem.painters.tokens import token_id
from tests.browser import club
from tests.browser.conftest import Visit

ALL_STEPS = """() => {
  const slider = document.getElementById("slider");
  const shown = [];
  for (let i = 0; i <= Number(slider.max); i += 1) {
    slider.value = i;
    slider.dispatchEvent(new Event("input"));
    const pieces = Array.from(document.querySelectorAll("#pieces use"), (use) => {
      const [, x, y] = /translate\\((-?[\\d.]+) (-?[\\d.]+)\\)/.exec(use.getAttribute("transform"));
      return [use.dataset.square, use.getAttribute("href").slice(1), Number(x), Number(y)];
    });
    const labels = document.querySelectorAll("#marked text");
    const marked = Array.from(labels, (label) => label.textContent);
    shown.push([pieces, marked]);
  }
  return JSON.stringify(shown);
}"""
"""Go to every turn, and return each piece with its square, and the marked squares."""


def pieces_of(diagram: Diagram) -> list[tuple[str, str, tuple[int, int]]]:
    """Return each square's name, piece and place, in order."""
    return sorted(
        (cell.name, token_id(token), place)
        for place, cell in diagram.cells.items()
        for token in cell.tokens
    )


def seen(pieces: list[list[Any]]) -> list[tuple[str, str, tuple[int, int]]]:
    """Return the same data from a page."""
    return sorted((name, token, (int(x // SIDE), int(y // SIDE))) for name, token, x, y in pieces)


@pytest.mark.parametrize("number", club.PLAYED)
def test_replay_shows_every_turn_as_the_engine_computes_it(
    visit: Visit, served: str, number: int
) -> None:
    played = replayed(club.match_page(number))
    page = visit(f"{served}matches/{club.file_of(number)}.html")
    grounds = {cell.name: cell.ground for cell in played.diagrams[0].cells.values()}
    for view in played.views:
        shown = json.loads(page.evaluate(ALL_STEPS))
        assert len(shown) == len(played.steps)
        for step, (pieces, marked) in zip(played.steps, shown, strict=True):
            diagram = played.game.diagram(step.position, view.seats[0])
            assert seen(pieces) == pieces_of(diagram), f"turn {step.turn} from {view.seats[0]}"
            cells = diagram.cells.values()
            assert set(marked) == {c.name for c in cells if c.ground != grounds[c.name]}
        if len(played.views) > 1:
            page.get_by_role("button", name="Rotate the board").click()


ALL_BOARDS = """() => {
  window.dispatchEvent(new Event("beforeprint"));
  return Array.from(document.querySelectorAll("#boards > li"), (item) => [
    item.value,
    Array.from(item.querySelectorAll("svg > use[data-square]"), (use) => {
      const [, x, y] = /translate\\((-?[\\d.]+) (-?[\\d.]+)\\)/.exec(use.getAttribute("transform"));
      return [use.dataset.square, use.getAttribute("href").slice(1), Number(x), Number(y)];
    }),
  ]);
}"""
"""Draw every board of the list, as for printing, and return each piece with its square."""


@pytest.mark.parametrize("number", club.PLAYED)
def test_list_shows_every_board_as_the_engine_computes_it(
    visit: Visit, served: str, number: int
) -> None:
    played = replayed(club.match_page(number))
    page = visit(f"{served}matches/{club.file_of(number)}.boards.html")
    boards = page.evaluate(ALL_BOARDS)
    assert [turn for turn, _ in boards] == [step.turn for step in played.steps]
    for (turn, pieces), diagram in list(zip(boards, played.diagrams, strict=True))[1:-1]:
        assert seen(pieces) == pieces_of(diagram), f"turn {turn}"


def test_link_leads_to_a_board_of_the_list(visit: Visit, served: str) -> None:
    page = visit(f"{served}matches/{club.file_of(2)}.boards.html#turn-100")
    expect(page.locator("#turn-100 svg")).to_be_in_viewport()
    expect(page.locator("#turn-100 svg > use[data-square]").first).to_be_attached()
    label = "The board after turn 100"
    expect(page.locator("#turn-100 svg")).to_have_attribute("aria-label", label)


DRAWN = """() => ["below", "pieces", "above"].map((id) => Array.from(
  document.querySelectorAll(`#${id} :is(use, path, rect, circle, text)`),
  (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height];
  },
))"""


@pytest.mark.parametrize("number", (2, 3, 5, 6))
def test_script_draws_like_the_painter(visit: Visit, served: str, number: int) -> None:
    address = f"{served}matches/{club.file_of(number)}.html"
    scripted, still = (
        visit(address, java_script_enabled=on, viewport={"width": 1280, "height": 900}).evaluate(
            DRAWN
        )
        for on in (True, False)
    )
    flat = [
        [round(float(each), 1) for layer in drawn for box in sorted(layer) for each in box]
        for drawn in (scripted, still)
    ]
    assert len(flat[0]) == len(flat[1]) > 0
    assert flat[0] == pytest.approx(flat[1], abs=0.3)


def turn_of(page: Page) -> str | None:
    """Return the turn shown."""
    return page.locator("#board").get_attribute("data-turn")


def test_replay_works_by_keyboard(visit: Visit, served: str) -> None:
    page = visit(f"{served}matches/{club.file_of(5)}.html")
    last = turn_of(page)
    for key, turn in (
        ("Home", "0"),
        ("ArrowRight", "1"),
        ("ArrowRight", "2"),
        ("ArrowLeft", "1"),
        ("End", last),
    ):
        page.keyboard.press(key)
        assert turn_of(page) == turn, key
    page.keyboard.press(" ")
    play = page.get_by_role("button", name="Play")
    expect(play).to_have_attribute("aria-pressed", "true")
    assert turn_of(page) == "0", "playing from the end restarts the replay"
    expect(page.locator("#board")).to_have_attribute("data-turn", "1")
    page.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "false")
    reach(page, "Rotate the board")
    page.keyboard.press("Enter")
    expect(page.locator("#seen")).to_have_text("Black")


def reach(page: Page, name: str) -> None:
    """Press Tab until the element of that name has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        if label == name:
            return
    raise AssertionError(f"{name} cannot be reached by Tab")


def test_replay_works_by_touch(visit: Visit, served: str) -> None:
    page = visit(f"{served}matches/{club.file_of(3)}.html#turn-5", has_touch=True, is_mobile=True)
    assert turn_of(page) == "5"
    page.evaluate(
        """() => {
          const board = document.getElementById("board");
          const touch = (clientX) => new Touch({ identifier: 1, target: board, clientX });
          for (const [kind, x] of [["touchstart", 250], ["touchend", 120]]) {
            board.dispatchEvent(new TouchEvent(kind, {
              touches: kind === "touchstart" ? [touch(x)] : [], changedTouches: [touch(x)],
            }));
          }
        }"""
    )
    assert turn_of(page) == "6"


def test_link_leads_to_a_turn_and_its_notes(visit: Visit, served: str) -> None:
    page = visit(f"{served}matches/{club.file_of(2)}.html#turn-2")
    assert turn_of(page) == "2"
    expect(page.locator("#now")).to_contain_text("It rains here.")
    expect(page.locator("#now")).to_contain_text("Clara")
    page.locator("#turns a").nth(2).click()
    assert turn_of(page) == "3"
    expect(page).to_have_url(re.compile("#turn-3$"))
    assert page.locator("#bad").count() == 0, "players' text is not HTML"
    expect(page.locator("#now")).to_contain_text('<b id="bad">')


def test_embedded_board_replays_too(visit: Visit, served: str) -> None:
    page = visit(f"{served}embed/{club.file_of(1)}.html")
    page.get_by_role("button", name="Go to the start").click()
    assert turn_of(page) == "0"
