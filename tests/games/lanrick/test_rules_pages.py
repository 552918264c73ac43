"""The two RULES pages for players: what they show is true, their examples are legal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.lanrick.actions import LAPS, costs
from pbem.games.lanrick.board import NAMES, SQUARES, names
from pbem.games.lanrick.position_1893 import rendezvous_of
from pbem.games.replay import Played, play_one

KEYS = ("lanrick-1881", "lanrick-1893")
PAGES = {key: game_of(key).rules("en") for key in KEYS}


def example(key: str) -> list[Played]:
    """Play the example of a page. The end of a turn is the end of an email."""
    game = game_of(key)
    text = PAGES[key].split("\n## A game begins\n", 1)[1].split("\n#", 1)[0]
    position = game.initial(2, {})
    done: list[Played] = []
    for turn, seat, texts in re.findall(r"(\d+)\. ([a-z]+) +(\S+(?: \S+)*)", text):
        if done and int(turn) > done[-1].turn and game.to_act(position) != seat:
            closing = game.closing(position) or ""
            position = play_one(game, position, position.seat, closing).position
        for action in texts.split():
            assert position.turn == int(turn)
            done.append(play_one(game, position, seat, action))
            assert done[-1].text == action
            assert not done[-1].passed
            position = done[-1].position
    return done


def after(played: list[Played], turn: int) -> Any:
    """Return the position after the last action of a turn."""
    return [one.position for one in played if one.turn == turn][-1]


def men(position: Any) -> list[int]:
    return [each.bit_count() for each in position.men]


def budgets(played: list[Played]) -> Mapping[int, int]:
    """Return the squares left after the last step of a turn, if any are left."""
    return {one.turn: one.position.budget for one in played if one.position.begun}


@pytest.mark.parametrize("key", KEYS)
def test_pages_can_be_mailed(key: str) -> None:
    page = PAGES[key]
    assert page.isascii()
    assert max(map(len, page.splitlines())) <= 72
    assert not [line for line in page.splitlines() if line != line.rstrip()]


@pytest.mark.parametrize("key", KEYS)
def test_every_option_is_listed_with_its_default(key: str) -> None:
    for option in game_of(key).info.options:
        assert f"    {option.key} {option.format(option.default)} " in PAGES[key]


def test_example_of_1881_is_right() -> None:
    played = example("lanrick-1881")
    assert budgets(played)[16] == 4
    assert after(played, 10).phase == "mark"
    assert names(after(played, 11).rendezvous) == [
        f"{file}{rank}" for rank in (4, 5, 6) for file in "cde"
    ]
    won = [one.position.phase for one in played if one.turn == 17]
    assert won == ["play", "remove", "disperse", "disperse", *["equalise"] * 4, "muster"]
    assert men(after(played, 17)) == [5, 4]
    assert after(played, 17).seat == after(played, 19).seat == "black"
    assert after(played, 19).phase == "mark"
    assert after(played, 20).seat == "white"


def test_example_of_1893_is_right() -> None:
    played = example("lanrick-1893")
    assert budgets(played)[6] == 1
    assert budgets(played)[13] == 1
    assert [(one.turn, one.position.phase) for one in played if one.position.phase != "play"] == [
        (7, "replace"),
        (8, "mark"),
        (14, "mark"),
    ]
    assert [men(after(played, turn)) for turn in (6, 7, 8, 14)] == [[5, 5], [6, 4], [5, 4], [4, 4]]
    assert after(played, 14).seat == "yellow"


def test_drawn_opening_of_1893_is_right() -> None:
    rows = re.findall(r"^    ([1-8])((?:  [.ybm]){8})  \1$", PAGES["lanrick-1893"], re.MULTILINE)
    drawn = {
        f"{file}{rank}": piece
        for rank, row in rows
        for file, piece in zip("abcdefgh", row.split(), strict=True)
    }
    game = game_of("lanrick-1893")
    opening = game.initial(2, {})
    marks = {f"@{square}" for square, piece in drawn.items() if piece == "m"}
    assert len(drawn) == 64
    assert {s: piece for s, piece in drawn.items() if piece in "yb"} == game.squares(opening)[
        "squares"
    ]
    assert marks == {action.text for action in game.legal_actions(opening)}


def test_drawn_close_rendezvous_are_right() -> None:
    text = PAGES["lanrick-1893"].split("around the mark:\n", 1)[1]
    rows = [line for line in text.splitlines() if line.startswith("    ")][1:4]
    boxes = zip(*(re.split(r" {2,}", row.strip()) for row in rows), strict=True)
    drawn = [
        {
            f"{file}{rank}"
            for rank, row in zip("654", box, strict=True)
            for file, sign in zip("cde", row.split(), strict=True)
            if sign != "."
        }
        for box in boxes
    ]
    kinds = [(9, ""), (7, ""), (5, ""), (3, "-"), (3, "|"), (3, "/"), (3, "\\")]
    d5 = SQUARES["d5"]
    assert drawn == [set(names(rendezvous_of(d5, size, way))) for size, way in kinds]


def test_listed_open_rendezvous_round_d5_are_right() -> None:
    listed = re.findall(
        r"^    ([864])    ((?:[a-h][18] ?|[ah][1-8] ?)+)$", PAGES["lanrick-1893"], re.MULTILINE
    )
    assert [int(size) for size, _ in listed] == [8, 6, 4]
    for size, squares in listed:
        ends = rendezvous_of(SQUARES["d5"], int(size))
        assert squares.split() == sorted(names(ends))


def test_listed_runs_from_f8_are_right() -> None:
    f8, ends = SQUARES["f8"], rendezvous_of(SQUARES["d5"], 8)
    runs = [costs(lap, 1 << f8, ends, 3) for lap in LAPS[f8]]
    assert [{NAMES[square]: cost for square, cost in each.items()} for each in runs] == [
        {"g8": 1, "h8": 2, "h7": 3},
        {"e8": 1, "d8": 1, "c8": 3},
    ]
