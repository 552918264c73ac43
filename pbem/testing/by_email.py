"""The promises about a match by email: one email for each turn, answered by text or by a tap."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.api import AnyGame, Seat
from pbem.games.diagram import WIDTH
from pbem.testing.club import DemoClub, demo_club
from pbem.testing.promises import Promises
from pbem.testing.random_matches import listed, options_for

TURNS = 10
"""Turns of a match that are played by email, at most."""
LONGEST_TURN = 100
"""Actions of a turn, at most."""


def random_turn(game: AnyGame, position: Any, chance: random.Random) -> list[str]:
    """Return the texts of random actions that make up one turn."""
    seat, turn, texts = game.to_act(position), position.turn, list[str]()
    for _ in range(LONGEST_TURN):
        action = chance.choice(listed(game, position))
        texts.append(game.format(position, action))
        position = game.play(position, action)
        if game.to_act(position) != seat or position.turn != turn:
            break
    return texts


def reply(club: DemoClub, seat: Seat, turn: list[str]) -> None:
    """Tap the only action of a turn if the email has a link for it. Otherwise write the turn."""
    if len(turn) == 1 and turn[0] in club.letters(seat)[-1].taps:
        club.taps(seat, turn[0])
    else:
        club.answers(seat, turn)


class EmailTests(Promises):
    """Email: the family is installed, and a match is played by email in a club."""

    @pytest.fixture
    def club(self, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoClub]:
        """Return a club with mailboxes in memory."""
        with demo_club(tmp_path, tmp_path_factory.getbasetemp() / "new-club.sqlite") as club:
            yield club

    def test_family_is_installed(self, game: AnyGame) -> None:
        """The distribution is installed with its entry point in the group `pbem.games`."""
        assert game_of(game.info.key) is game, "install the distribution with its entry point"
        assert game_of(f" {game.info.key.upper()} ") is game

    def test_match_is_played_by_email(self, club: DemoClub, game: AnyGame, players: int) -> None:
        """A turn that is legal, sent by email, is played.

        The text of the email says what went wrong.
        """
        chance = random.Random(players)
        club.starts(game, players, options_for(game, players))
        for _ in range(TURNS):
            match = club.match()
            if match.to_act is None:
                break
            letters = club.unread(match.to_act)
            [asked] = [each for each in letters if each.sender.startswith("Your turn")]
            assert asked is letters[-1]
            assert all(len(line) <= WIDTH for line in asked.text.splitlines()), asked.text
            turn = random_turn(game, match.position, chance)
            reply(club, match.to_act, turn)
            after = club.match()
            assert after.actions == match.actions + len(turn), club.letters(match.to_act)[-1].text
        assert not club.problems()
