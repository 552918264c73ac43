"""Playthroughs and perft files of Lanko, judged by the naive implementation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.testing import playthrough
from pbem.testing.files import nodes_of
from tests.games.lanko import diagram_reader
from tests.games.lanko.naive import NaiveLanko, perft
from tests.games.test_conformance import DATA

PLAYTHROUGHS = sorted((DATA / "playthroughs").glob("lanko-*.txt"))
PERFTS = sorted((DATA / "perft").glob("lanko-*.txt"))
BOARD = re.compile(r"Seen by (.):\n\n(.+?\n\n.+?)\n\n(?:Legal for (.): (.+?)\n\n)?", re.DOTALL)
MOST_NODES = 1500
"""Counted by the naive implementation in each run; deeper numbers were, when the file was made."""


def played(script: playthrough.Script) -> NaiveLanko:
    """Return a naive match after the actions of a script."""
    match = NaiveLanko(script.game.info.key, script.players)
    for seat, text in script.actions:
        act(match, seat, text)
    return match


def act(match: NaiveLanko, seat: str, text: str) -> list[str]:
    """Play a canonical text, including `+++`. Return the seats passed for."""
    if text == f"[{seat}+++]":
        match.declare(seat)
        return []
    assert match.to_act() == seat
    return match.play(text.replace(" +++", ""), declare="+++" in text)


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_playthrough_agrees_with_the_naive_game(path: Path) -> None:
    text = path.read_text("ascii")
    script = playthrough.read(text)
    match = NaiveLanko(script.game.info.key, script.players)
    boards = list(BOARD.finditer(text))
    assert len(boards) > len(script.actions) / playthrough.BOARD_EVERY
    check_board(match, boards[0])
    for number, (seat, action) in enumerate(script.actions, start=1):
        turn = match.turn
        passes = act(match, seat, action)
        lines = [f"turn {turn}: {seat} {action}"]
        lines += [f"turn {turn + n}: {passed} [---]" for n, passed in enumerate(passes, start=1)]
        assert "\n".join(lines) + "\n" in text
        if number % playthrough.BOARD_EVERY == 0:
            check_board(match, boards[number // playthrough.BOARD_EVERY])
    check_board(match, boards[-1])
    outcome = match.outcome()
    assert outcome is not None
    assert f"ended: {outcome['termination']}\n" in text


def check_board(match: NaiveLanko, board: re.Match[str]) -> None:
    """Check that a board of a playthrough is the position of a naive match."""
    viewer, drawing, seat, legal = board.groups()
    seen = diagram_reader.read(f"{drawing}\n\n(legend)")
    assert seen.pieces == match.squares()
    assert seat == match.to_act()
    assert viewer == match.to_act() or match.to_act() is None
    texts = re.findall(r"\[[^\]]+\]", legal or "")
    assert sorted(texts) == sorted(match.legal())
    for name, white in (("White", True), ("Black", False)):
        assert seen.groups[name].points == match.points(white)


@pytest.mark.parametrize("path", PERFTS, ids=lambda path: path.stem)
def test_perft_numbers_agree_with_the_naive_game(path: Path) -> None:
    script, nodes = playthrough.read(path.read_text("ascii")), nodes_of(path)
    few = [number for number in nodes if number <= MOST_NODES]
    assert len(few) > 1
    assert perft(played(script), len(few)) == few
