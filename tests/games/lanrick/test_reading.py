"""Actions in Lanrick as players write them, and how they are read."""

from __future__ import annotations

import pytest

from pbem.games.lanrick import LANRICK_1893


@pytest.mark.parametrize(
    ("line", "actions"),
    (
        ("d3-d4 * e7", ("d3-d4", "*e7")),
        ("* e7", ("e7",)),  # a bullet
        ("b1\u2013b2\tc1-c2 .", ("b1-b2", "c1-c2", ".")),
        ("b1 - b2. c1-c2.", ("b1-b2", "c1-c2")),
        ("swap b2 c3", ("swap b2 c3",)),
        ("we meet at d5", ()),
    ),
)
def test_line_is_read(line: str, actions: tuple[str, ...]) -> None:
    [reading] = LANRICK_1893.read(line)
    assert reading.actions == actions


def test_actions_in_prose_are_found() -> None:
    assert LANRICK_1893.mentioned("I play A4-B4, and xe7, thanks") == ("A4-B4", "xe7")
