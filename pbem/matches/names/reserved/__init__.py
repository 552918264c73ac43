"""Words that cannot be names, because they have a meaning in the club's emails.

Each language has a file of words, such as `en.toml`. All of them apply in every club. Squares,
seats and games come from the games.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from pbem.games import games
from pbem.games.api import AnyGame
from pbem.games.diagram import Diagram
from pbem.games.phrases import Phrase, Words


@cache
def reserved(kind: str) -> frozenset[str]:
    """Return the words of a kind in all languages: `offices`, `roles`, `nobody` and so on."""
    texts = [
        each.read_text("utf-8") for each in files(__name__).iterdir() if each.name.endswith(".toml")
    ]
    return frozenset(word for text in texts for word in tomllib.loads(text).get(kind, ()))


def squares() -> frozenset[str]:
    """Return the names of the squares of all games, case-folded."""
    return _squares(games())


@cache
def _squares(of: tuple[AnyGame, ...]) -> frozenset[str]:
    return frozenset(name.casefold() for diagram in _diagrams(of) for name in diagram.named)


def seats_and_games() -> frozenset[str]:
    """Return the names of seats, in all languages, and of games."""
    return _seats_and_games(games())


@cache
def _seats_and_games(of: tuple[AnyGame, ...]) -> frozenset[str]:
    seats = {seat for game in of for seat in game.info.seats}
    said = {each for diagram in _diagrams(of) for each in _called(diagram)}
    keys = {game.info.key for game in of}
    return frozenset({*seats, *said, *keys, *(key.partition("-")[0] for key in keys)})


def _diagrams(of: Iterable[AnyGame]) -> Iterator[Diagram]:
    for game in of:
        for players in game.info.holders:
            yield _first(game, players)


def _first(game: AnyGame, players: int) -> Diagram:
    """Return a game's board before the first turn."""
    position = game.initial(players, game.info.with_defaults({}))
    return game.diagram(position, game.info.seats_of(players)[0])


def _called(diagram: Diagram) -> Iterator[str]:
    for name in diagram.seat_names.values():
        for language in _languages(name):
            yield Words(language).text(name)


def _languages(said: Phrase | str) -> Iterator[str]:
    """Yield the languages that have words for a phrase."""
    if isinstance(said, Phrase):
        names = (each.name for each in files(said.home).iterdir())
        yield from (name.removesuffix(".toml") for name in names if name.endswith(".toml"))
