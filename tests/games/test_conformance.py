"""The promises of every game (`pbem.testing`) about ours. A new game needs no line here."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import pbem.games
from pbem.games import BUILT_IN, game_of
from pbem.games.api import Family, Game, OptionError
from pbem.testing import FamilyTests
from pbem.testing.promises import files_of
from tests.support.examples import examples

DATA = Path(__file__).parents[1] / "data"
OURS = Family(
    api=1,
    games=tuple(game for family in BUILT_IN.values() for game in family.games),
    older=tuple(game for family in BUILT_IN.values() for game in family.older),
)

for test in ("long_nonsense_takes_little_time", "perft_numbers_are_right", "speed"):
    pytest.mark.thorough(getattr(FamilyTests, f"test_{test}"))


class TestOurGames(FamilyTests, family=OURS):
    """All games that come with pbem. The package is pbem, so all its phrases are checked."""

    seeds = range(examples(3))
    texts_tried = examples(200)
    perft = DATA / "perft"
    playthroughs = DATA / "playthroughs"

    def test_our_games_have_counts_and_a_playthrough(self) -> None:
        for folder in (self.perft, self.playthroughs):
            names = " ".join(path.stem for path in files_of(folder))
            assert all(game.info.key in names for game in self.family.games)


def test_no_game_is_missing() -> None:
    root = Path(pbem.games.__file__).parent
    folders = {path.parent.name for path in root.glob("*/RULES*.md")}
    packages = {path.parent.name for path in root.glob("*/__init__.py")} - {"words"}
    assert folders == packages == BUILT_IN.keys()
    for name, family in BUILT_IN.items():
        members = vars(importlib.import_module(f"pbem.games.{name}")).values()
        written = {each for each in members if isinstance(each, Game)}
        assert written == {*family.games, *family.older}


def test_unknown_game_is_refused_with_the_games_there_are() -> None:
    with pytest.raises(OptionError, match=OURS.games[0].info.key):
        game_of("draughts")
