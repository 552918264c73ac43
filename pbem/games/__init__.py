"""The games of pbem, and those that other distributions provide.

A distribution names its families as entry points `pbem.games`. Our own are in `BUILT_IN` and are
handled in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from pbem.games import lancelot, lanko, lanrick
from pbem.games.api import AnyGame, Family, OptionError
from pbem.games.installed import Installed, installed, without_rivals
from pbem.games.words import phrase

BUILT_IN: Mapping[str, Family] = {
    "lanko": lanko.FAMILY,
    "lanrick": lanrick.FAMILY,
    "lancelot": lancelot.FAMILY,
}
"""The families of pbem by name."""


@cache
def families() -> tuple[Installed, ...]:
    """Return all families, ours first. They are found once per process."""
    return without_rivals(installed(BUILT_IN))


@cache
def games() -> tuple[AnyGame, ...]:
    """Return all games, each under its newest rules."""
    return tuple(game for each in _working() for game in each.games)


def _working() -> Iterator[Family]:
    return (each.family for each in families() if each.family is not None)


def find_again() -> None:
    """Forget the families, so that they are found again. Only tests install while they run."""
    families.cache_clear()
    games.cache_clear()
    _by_rules.cache_clear()


@cache
def _by_rules() -> Mapping[tuple[str, int | None], AnyGame]:
    """Return every game by its key and rules version, and the newest without a version."""
    every = [game for each in _working() for game in (*each.games, *each.older)]
    return {
        **{(game.info.key, None): game for game in games()},
        **{(game.info.key, game.info.rules_version): game for game in every},
    }


def game_of(key: str, rules_version: int | None = None) -> AnyGame:
    """Return a game under its newest rules, or under an older version if that is known.

    Raises OptionError if there is no such game. The error names the games there are.
    """
    known, key = _by_rules(), key.strip().casefold()
    if game := known.get((key, rules_version)) or known.get((key, None)):
        return game
    names = phrase("list.names", items=tuple(keys()))
    raise OptionError(phrase("terms.no-game", key=repr(key), games=names))


def keys() -> list[str]:
    """Return the keys of all games."""
    return [game.info.key for game in games()]
