"""Simple games: what people may write for the signs in the shape of a move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tests.toys.pocket_games import NIM


class Captures(type(NIM)):  # type: ignore[misc]
    """A game whose moves go from a square to another and may remove a piece from a third."""

    shape = "[a-c][1-3]-[a-c][1-3](x[a-c][1-3])?"

    def moves(self, position: Any) -> Iterable[str]:
        return ["a1-a2", "a1-a2xb1"]


@pytest.mark.parametrize(
    "written",
    (
        "a1-a2xb1",
        "A1 - A2 x B1.",
        "a1 to a2, takes b1",
        "a1 → a2 × b1",
        "a1a2xb1",
        "a1-a2 and captures b1!",
        "a1-a2 removes b1",
    ),
)
def test_signs_between_squares_may_be_words(written: str) -> None:
    game = Captures()
    position = game.initial(2, {})
    (line,) = game.read(written)
    (text,) = line.actions
    assert game.parse(position, text, "first").text == "a1-a2xb1"
