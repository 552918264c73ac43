"""The engine against an independent, naive one written from the rulebook."""

from __future__ import annotations

import random
from itertools import takewhile
from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.api import IllegalActionError, Outcome
from pbem.games.replay import Played, play_one
from tests.games.lancelot.naive import NaiveLancelot, label_of
from tests.support.examples import examples

GAME = game_of("lancelot")
USUAL = 0
on_and_off = pytest.mark.parametrize("diagonals", (False, True), ids=("straight", "diagonals"))


@pytest.mark.thorough
@pytest.mark.parametrize("excalibur", (False, True), ids=("plain", "excalibur"))
@on_and_off
@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_random_matches_agree_in_every_position(
    players: int, diagonals: bool, excalibur: bool
) -> None:
    for seed in range(max(1, examples(3) // (players - 1))):
        for target in (2, 4, USUAL):
            chance = random.Random(f"{players} {diagonals} {excalibur} {target} {seed}")
            BothMatches(players, diagonals, excalibur, target, chance).play()


def test_matches_without_a_reachable_target_agree() -> None:
    ends = set()
    for seed in range(2):
        matches = BothMatches(2, True, seed % 2 == 1, 500, random.Random(seed))
        ends.add(matches.play())
    assert ends == {"exhausted"}


@on_and_off
def test_every_kings_force_is_found(diagonals: bool) -> None:
    matches = BothMatches(2, diagonals, True, 500, random.Random(f"{diagonals}"))
    for number in range(40):
        matches.place()
        if number % 5 == 0:
            assert set(matches.legal()) == set(matches.other.legal())
        if number == 25:
            matches.call_the_kings_force()


class BothMatches:
    """A random match on the engine and the naive one."""

    def __init__(
        self, players: int, diagonals: bool, excalibur: bool, target: int, chance: random.Random
    ) -> None:
        options = {"diagonals": diagonals, "excalibur": excalibur, "target": target}
        self.position = GAME.initial(players, options)
        self.other = NaiveLancelot(
            players, diagonals=diagonals, excalibur=excalibur, target=target or None
        )
        self.chance = chance

    def play(self) -> str:
        """Play to the end, and return its reason."""
        while (outcome := self.outcome()) is None:
            if self.chance.random() < 0.1:
                self.call_the_kings_force()
            elif len(self.other.seats) > 2 and self.chance.random() < 0.005:
                self.resign()
            else:
                self.place()
        return outcome.termination

    def outcome(self) -> Outcome | None:
        """Return the outcome, the same on both, or None while the match is running."""
        assert GAME.to_act(self.position) == self.other.to_act()
        assert GAME.squares(self.position) == self.other.board()
        outcome: Outcome | None = GAME.outcome(self.position)
        assert (None if outcome is None else as_dict(outcome)) == self.other.outcome()
        if outcome is None:
            assert self.position.turn == self.other.turn
        return outcome

    def legal(self) -> list[str]:
        """Return all that the engine allows, each once."""
        legal = [GAME.format(self.position, a) for a in GAME.legal_actions(self.position)]
        assert len(set(legal)) == len(legal)
        return legal

    def place(self) -> None:
        """Play a plain placement, or set or move Excalibur alone."""
        texts = (GAME.format(self.position, a) for a in GAME.legal_actions(self.position))
        plain = list(takewhile(lambda text: "+" not in text, texts))
        assert sorted(plain) == sorted([*self.other.alone(), *self.other.plain()])
        self.do(self.chance.choice(plain))

    def call_the_kings_force(self) -> None:
        """Try a few, and play the first legal one."""
        for _ in range(20):
            sword, knight = (
                label_of(square) for square in self.chance.choices(self.other.area, k=2)
            )
            text = self.chance.choice([f"*{sword}+{knight}", f"{knight}+*{sword}"])
            if self.other.is_legal(text):
                self.do(text)
                return
            with pytest.raises(IllegalActionError):
                play_one(GAME, self.position, self.position.seat, text)

    def do(self, text: str) -> None:
        played = play_one(GAME, self.position, self.position.seat, text)
        assert played.text == text
        self.go_on(played, self.other.play(text))

    def resign(self) -> None:
        """Resign for any seat, not only the one to move."""
        seat = self.chance.choice(self.other.standing())
        played = play_one(GAME, self.position, seat, "resign")
        self.go_on(played, self.other.resign(seat))

    def go_on(self, played: Played, passed: list[str]) -> None:
        assert list(played.passed) == passed
        self.position = played.position


def as_dict(outcome: Outcome) -> dict[str, Any]:
    return {
        "winners": list(outcome.winners),
        "termination": outcome.termination,
        "scores": dict(outcome.scores),
    }
