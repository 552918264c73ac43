"""Promises: tests of every game of a family, with every number of players and some random matches.

A test takes what it needs as arguments: `game`, `players`, `seed`. Its docstring is for the author
of a game that fails it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest

from pbem.games.api import AnyGame, Family, PositionText

Test = TypeVar("Test", bound=Callable[..., None])


class Promises:
    """What all classes of tests share: the family, and the random matches that are tried."""

    family: ClassVar[Family]
    package: ClassVar[str] = ""
    """The package that holds the family, by default the one in which its first game is defined."""
    seeds: ClassVar[Sequence[int]] = (0, 1, 2)
    """Random matches of each game, with each number of players."""
    texts_tried: ClassVar[int] = 200
    """Random texts that each game has to refuse or understand."""
    perft: ClassVar[Path | None] = None
    """A folder with counts of lines of play, if there is one."""
    playthroughs: ClassVar[Path | None] = None
    """A folder with whole matches, if there is one."""

    def __init_subclass__(cls, *, family: Family | None = None, package: str = "") -> None:
        super().__init_subclass__()
        if family is not None:
            cls.family = family
            cls.package = package or type(family.games[0]).__module__.partition(".")[0]

    @pytest.fixture(autouse=True)
    def _explained(self, request: pytest.FixtureRequest) -> None:
        """Show the broken promise beside a failure, so that the author knows what to change."""
        promise = inspect.getdoc(request.function)
        if promise:
            request.node.add_report_section("call", "promise", promise)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Call a test once for each game, number of players and match that it asks for."""
        wanted, games = metafunc.fixturenames, self._games(metafunc.function)
        # A scope keeps the tests of one match together, so that it is played once.
        if "players" in wanted:
            metafunc.parametrize(("game", "players"), list(_matches(games)), scope="class")
        elif "game" in wanted:
            metafunc.parametrize("game", games, ids=lambda game: game.info.key, scope="class")
        if "seed" in wanted:
            metafunc.parametrize("seed", self.seeds, scope="class")
        for name, folder in (("counts", self.perft), ("playthrough", self.playthroughs)):
            if name in wanted:
                metafunc.parametrize(name, files_of(folder), ids=lambda path: path.stem)

    def game_of(self, key: str) -> AnyGame:
        """Return a game of the family."""
        return next(game for game in self.family.games if game.info.key == key)

    def _games(self, test: Callable[..., object]) -> Sequence[AnyGame]:
        wanted = getattr(test, "games_with", object)
        return [game for game in self.family.games if isinstance(game, wanted)]


def files_of(folder: Path | None) -> list[Path]:
    """Return the text files of a folder, none if there is no folder."""
    return sorted(folder.glob("*.txt")) if folder else []


def _matches(games: Sequence[AnyGame]) -> Iterator[Any]:
    for game in games:
        for players in sorted(game.info.holders):
            yield pytest.param(game, players, id=f"{game.info.key}-{players}")


def needs_position_texts(test: Test) -> Test:
    """Call a test only with games whose positions have texts, which are optional."""
    test.games_with = PositionText  # type: ignore[attr-defined]
    return test
