"""The promises about files that an author may add: counts of lines of play, and whole matches.

A file of counts has `game`, `players`, `options` and `nodes` (lines of one action, of two, ...),
then the actions that lead to its position. Its numbers must never be taken from the engine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.cli.engine import perft
from pbem.games.replay import replay
from pbem.testing import playthrough as script_of
from pbem.testing.playthrough import Script
from pbem.testing.promises import Promises, files_of


def position_of(script: Script) -> Any:
    """Return the position after the actions of a file."""
    game, players, options, actions = script
    position = game.initial(players, options)
    for played in replay(game, players, options, actions):
        position = played.position
    return position


def nodes_of(path: Path) -> list[int]:
    """Return the numbers of a file of counts."""
    (line,) = (line for line in path.read_text("ascii").splitlines() if line.startswith("nodes:"))
    return [int(number) for number in line.split()[1:]]


class FileTests(Promises):
    """Files: counts (perft) made by another program or by hand, and matches checked by hand."""

    def _read(self, path: Path) -> Script:
        return script_of.read(path.read_text("ascii"), self.game_of)

    def test_perft_numbers_are_right(self, counts: Path) -> None:
        """`legal_actions` finds as many lines of play as the file counts. One of them is wrong."""
        script, nodes = self._read(counts), nodes_of(counts)
        assert perft(script.game, position_of(script), len(nodes)) == nodes

    def test_games_with_counts_have_an_opening_and_a_later_position(self) -> None:
        """A game with counts has a file for the opening, and one with actions before it."""
        scripts = [self._read(path) for path in files_of(self.perft)]
        for game in {script.game for script in scripts}:
            assert {bool(s.actions) for s in scripts if s.game is game} == {False, True}

    def test_playthrough_is_unchanged(self, playthrough: Path) -> None:
        """A whole match is printed as in its file. If that is meant, write the file again."""
        text = playthrough.read_text("ascii")
        assert script_of.write(script_of.read(text, self.game_of)) == text
