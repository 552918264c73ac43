"""Examples: a board of each game with pieces on it, alone or all in one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from html import escape

from pbem.games import games
from pbem.games.api import AnyGame
from pbem.games.diagram import Diagram
from pbem.painters.svg import FONTS, svg

SHOWN = {"lanrick-1881": 14, "lanrick-1893": 8, "lancelot": 12}
"""Number of actions played before the example board of a game, if its first board is empty."""


def example(game: AnyGame) -> Diagram:
    """Return an example board of a game with pieces on it, always the same."""
    players = max(game.info.holders)
    position = game.initial(players, game.info.with_defaults({}))
    for number in range(SHOWN.get(game.info.key, 0)):
        legal = list(game.legal_actions(position))
        position = game.play(position, legal[number * 7 % len(legal)])
    return replace(game.diagram(position, game.info.seats[0]), trays=())


IN_A_ROW = 3
BOARD, TITLE, GAP = 320, 40, 20
"""Side of a board, height of its title and distance between boards, in units of the picture."""


def gallery() -> str:
    """Return a picture (SVG) with a board of every game, each with its title."""
    return _gallery(games())


@cache
def _gallery(shown: tuple[AnyGame, ...]) -> str:
    rows = -(-len(shown) // IN_A_ROW)
    wide, high = IN_A_ROW * (BOARD + GAP) - GAP, rows * (BOARD + TITLE + GAP) - GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" font-weight="600"'
        f' font-family="{FONTS}" viewBox="0 0 {wide} {high}">'
        f"{''.join(_boards(shown))}</svg>"
    )


def _boards(shown: Sequence[AnyGame]) -> Iterator[str]:
    for number, game in enumerate(shown):
        row, column = divmod(number, IN_A_ROW)
        x, y = column * (BOARD + GAP), row * (BOARD + TITLE + GAP)
        place = f'x="{x}" y="{y + TITLE}" width="{BOARD}" height="{BOARD}"'
        yield (
            f'<text x="{x + BOARD / 2:g}" y="{y + 28}" font-size="24" text-anchor="middle"'
            f' fill="#7a7262">{escape(game.info.title)}</text>'
        )
        yield svg(example(game), game.info.title).replace("<svg ", f"<svg {place} ", 1)
