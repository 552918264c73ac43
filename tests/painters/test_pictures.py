"""Tables of boards are valid HTML. `pbem.testing.boards` tests all painters with every game."""

from __future__ import annotations

import html5lib

from pbem.games.api import AnyGame
from pbem.painters.table import table
from pbem.testing.boards import seen
from tests.games.every_game import every_match


@every_match
def test_table_is_valid(game: AnyGame, players: int) -> None:
    for diagram, _, _ in seen(game, players, 0):
        text = table(diagram, title="The <board>")
        html5lib.HTMLParser(strict=True).parse(f"<!doctype html><title>x</title>{text}")
