"""The games of pbem, and those that other distributions provide.

A distribution names its families as entry points `pbem.games`. Our own are in `BUILT_IN` and are
handled in the same way.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from functools import cache

from pbem.games import lancelot, lanko, lanrick
from pbem.games.api import AnyGame, Family, OptionError
from pbem.games.diagram import PieceToken
from pbem.games.installed import Choice, Installed, installed, normal, without_rivals
from pbem.games.pieces import DISC, PieceShape
from pbem.games.transcript import RecordFormat
from pbem.games.words import phrase

BUILT_IN: Mapping[str, Family] = {
    "lanko": lanko.FAMILY,
    "lanrick": lanrick.FAMILY,
    "lancelot": lancelot.FAMILY,
}
"""The families of pbem by name."""

_chosen = Choice()


def choose(choice: Choice) -> None:
    """Set the games that the club of this process wants."""
    global _chosen  # noqa: PLW0603  what is installed is a fact of the process, too
    if choice != _chosen:
        _chosen = choice
        find_again()


def settings_of(family: str) -> Mapping[str, object]:
    """Return the operator's settings for a family."""
    return _chosen.settings.get(family, {})


@cache
def families() -> tuple[Installed, ...]:
    """Return all families, ours first. They are found once per process."""
    return without_rivals(installed(BUILT_IN), _chosen)


@cache
def games() -> tuple[AnyGame, ...]:
    """Return all games that can be played, each under its newest rules."""
    return tuple(game for each in families() for game in each.games)


@cache
def _shapes() -> Mapping[str, PieceShape]:
    return ChainMap(*(dict(each.family.pieces) for each in families() if each.family))


def shape_of(token: PieceToken) -> PieceShape:
    """Return the shape of a piece. If two families have one of that name, ours goes ahead."""
    return _shapes().get(token.shape, DISC)


def formats() -> tuple[RecordFormat, ...]:
    """Return all formats of records that families bring."""
    return tuple(form for each in families() if each.family for form in each.family.formats)


def formats_of(key: str) -> tuple[RecordFormat, ...]:
    """Return the formats of records that a game has besides pbem's own, usually none."""
    found = _known().get((key, None))
    return found[1].family.formats if found and found[1].family else ()


@cache
def offered() -> tuple[AnyGame, ...]:
    """Return the games that take new matches: all except those that the club has disabled."""
    return tuple(game for game in games() if _chosen.takes(_home(game).distribution, game.info.key))


def is_offered(key: str) -> bool:
    """Return whether a game takes new matches."""
    return any(game.info.key == key for game in offered())


def keys() -> list[str]:
    """Return the keys of all games that can be played."""
    return [game.info.key for game in games()]


def find_again() -> None:
    """Forget the families, so that they are found again."""
    for each in (families, games, offered, _known, _shapes):
        each.cache_clear()


@cache
def _known() -> Mapping[tuple[str, int | None], tuple[AnyGame, Installed]]:
    """Return all games by key and rules version, and under None the newest, with their families."""
    known = dict[tuple[str, int | None], tuple[AnyGame, Installed]]()
    for family in families():
        known |= {(game.info.key, game.info.rules_version): (game, family) for game in family.every}
        known |= {(game.info.key, None): (game, family) for game in family.games}
    return known


def _home(game: AnyGame) -> Installed:
    return _known()[game.info.key, None][1]


def provider_of(game: AnyGame) -> str:
    """Return what provides a game: `pbem-chess 1.2.0`, empty for pbem itself."""
    return _home(game).provider


def game_of(key: str, rules_version: int | None = None, provider: str = "") -> AnyGame:
    """Return a game under its newest rules, or under a version of them.

    A match that one distribution provides is not played by the rules of another. Raises OptionError
    if there is no such game, or if the version or the provider is another.
    """
    known, key = _known(), key.strip().casefold()
    if (key, None) not in known:
        names = phrase("list.names", items=tuple(keys()))
        raise OptionError(phrase("terms.no-game", key=repr(key), games=names))
    newest, family = known[key, None]
    wanted = provider.partition(" ")[0]
    if wanted and normal(wanted) != family.distribution:
        raise OptionError(
            phrase(
                "terms.other-provider",
                game=newest.info.title,
                provider=family.distribution,
                wanted=wanted,
            )
        )
    if (key, rules_version) not in known:
        versions = sorted(version for name, version in known if name == key and version is not None)
        raise OptionError(
            phrase(
                "terms.no-rules",
                game=newest.info.title,
                version=str(rules_version),
                known=phrase("list.names", items=tuple(versions)),
                count=len(versions),
            )
        )
    return known[key, rules_version][0]
