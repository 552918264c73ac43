"""The games of pbem. To add one, add a folder here and an entry in `GAMES`."""

from __future__ import annotations

from pbem.games.api import AnyGame, OptionError
from pbem.games.lancelot import LANCELOT, LANCELOT_1
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

OLDER_RULES: tuple[AnyGame, ...] = (LANCELOT_1,)
"""Games under former rules, for matches that started under them."""


def game_of(key: str, rules_version: int | None = None) -> AnyGame:
    """Return a game under its newest rules, or under an older version if that is known.

    Raises OptionError if there is no such game. The error names the games there are.
    """
    for game in OLDER_RULES:
        if (game.info.key, game.info.rules_version) == (key, rules_version):
            return game
    for game in GAMES:
        if game.info.key == key.strip().casefold():
            return game
    games = phrase("list.names", items=tuple(keys()))
    raise OptionError(phrase("terms.no-game", key=repr(key), games=games))


def keys() -> list[str]:
    """Return the keys of all games."""
    return [game.info.key for game in GAMES]
