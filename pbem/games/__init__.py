"""The games pbem knows. Adding one is a folder here and a line in `GAMES`."""

from __future__ import annotations

from pbem.games.api import AnyGame, OptionError
from pbem.games.lancelot import LANCELOT
from pbem.games.lanko import LANKO_68, LANKO_88, LANKO_103
from pbem.games.lanrick import LANRICK_1881, LANRICK_1893
from pbem.games.words import phrase

GAMES: tuple[AnyGame, ...] = (
    LANKO_88,
    LANKO_68,
    LANKO_103,
    LANRICK_1881,
    LANRICK_1893,
    LANCELOT,
)


def game_of(key: str) -> AnyGame:
    """Game with a key; raises OptionError that names those there are."""
    for game in GAMES:
        if game.info.key == key.strip().casefold():
            return game
    games = phrase("list.names", items=tuple(keys()))
    raise OptionError(phrase("terms.no-game", key=repr(key), games=games))


def keys() -> list[str]:
    """Keys of all games."""
    return [game.info.key for game in GAMES]
