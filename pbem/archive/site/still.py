"""What no match changes: style and scripts, the schema of the index, a board of each game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.archive.files import ArchiveFile
from pbem.archive.site import addresses
from pbem.games import GAMES
from pbem.games.api import AnyGame
from pbem.games.diagram import Diagram
from pbem.painters.svg import svg
from pbem.resources import folder

SHOWN = {"lanrick-1881": 14, "lanrick-1893": 8, "lancelot": 12}
"""How many actions into a match a game is shown whose board is bare at the beginning."""


def files_of_site() -> Iterator[ArchiveFile]:
    """All of them."""
    for path in sorted((folder("templates") / "web" / "static").iterdir()):
        yield ArchiveFile(f"static/{path.name}", path.read_bytes())
    schema = folder("templates") / "web" / addresses.INDEX_SCHEMA
    yield ArchiveFile(addresses.INDEX_SCHEMA, schema.read_bytes())
    for game in GAMES:
        name = f"static/boards/{game.info.key}.svg"
        yield ArchiveFile(name, svg(example(game), game.info.title).encode())


def example(game: AnyGame) -> Diagram:
    """A board of a game with something to see on it, the same every time."""
    players = max(game.info.holders)
    position = game.initial(players, game.info.with_defaults({}))
    for number in range(SHOWN.get(game.info.key, 0)):
        legal = list(game.legal_actions(position))
        position = game.play(position, legal[number * 7 % len(legal)])
    return replace(game.diagram(position, game.info.seats[0]), trays=())
