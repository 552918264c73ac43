"""Whole matches with their boards, checked by hand once: nothing in them may change."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games import keys
from tests.games import playthrough

FILES = sorted((Path(__file__).parents[1] / "data" / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough_is_unchanged(path: Path) -> None:
    text = path.read_text("ascii")
    assert playthrough.write(playthrough.read(text)) == text


@pytest.mark.parametrize("key", keys())
def test_every_game_has_a_playthrough(key: str) -> None:
    assert any(playthrough.read(path.read_text("ascii")).game.info.key == key for path in FILES)
