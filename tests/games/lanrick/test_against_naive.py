"""The engines against independent, naive ones written from the rulebook."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.api import Outcome
from pbem.games.replay import play_one
from tests.games.lanrick.naive_1881 import Naive1881
from tests.games.lanrick.naive_1893 import Naive1893
from tests.games.lanrick.naive_board import NaiveMatch
from tests.support.examples import examples

NAIVE: dict[str, type[Naive1881 | Naive1893]] = {
    "lanrick-1881": Naive1881,
    "lanrick-1893": Naive1893,
}
Style = Callable[[Sequence[str], NaiveMatch, random.Random], str]
"""A player's way to choose among the legal texts."""
MATCHES = examples(4)


@pytest.mark.thorough
@pytest.mark.parametrize("quiet_limit", (30, 100, 1000))
@pytest.mark.parametrize("key", NAIVE)
def test_random_matches_agree_in_every_position(key: str, quiet_limit: int) -> None:
    for seed in range(MATCHES):
        play_both(key, quiet_limit, eager, random.Random(f"{key} {quiet_limit} {seed}"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("repetition", "quiet_limit", "end"),
    ((True, 0, "repetition"), (True, 100, "repetition"), (False, 100, "quiet"), (True, 8, "quiet")),
)
@pytest.mark.parametrize("key", NAIVE)
def test_idle_matches_end_alike(key: str, repetition: bool, quiet_limit: int, end: str) -> None:
    for seed in range(3):
        chance = random.Random(f"{key} {seed}")
        assert play_both(key, quiet_limit, idle, chance, repetition=repetition) == end


def play_both(
    key: str,
    quiet_limit: int,
    style: Style,
    chance: random.Random,
    *,
    repetition: bool = True,
) -> str:
    """Play a match on both sides, and return why it ended."""
    game = game_of(key)
    position = game.initial(2, {"repetition": repetition, "quiet_limit": quiet_limit})
    other = NAIVE[key](repetition=repetition, quiet_limit=quiet_limit)
    while True:
        assert game.to_act(position) == other.to_act()
        assert game.squares(position) == other.board()
        outcome = game.outcome(position)
        assert (None if outcome is None else as_dict(outcome)) == other.outcome()
        if outcome is not None:
            return outcome.termination
        assert position.turn == other.turn
        legal = [game.format(position, action) for action in game.legal_actions(position)]
        assert len(set(legal)) == len(legal)
        assert set(legal) == set(other.legal())
        text = style(legal, other, chance)
        played = play_one(game, position, position.seat, text)
        position = played.position
        assert played.text == text
        assert list(played.passed) == other.play(text)


def as_dict(outcome: Outcome) -> dict[str, Any]:
    return {
        "winners": list(outcome.winners),
        "termination": outcome.termination,
        "scores": dict(outcome.scores),
    }


def eager(legal: Sequence[str], match: NaiveMatch, chance: random.Random) -> str:
    """Choose mostly a step towards the rendezvous, or else men would rarely be taken."""
    if "ix" in legal and chance.random() < 0.5:
        return "ix"
    if match.phase != "play" or chance.random() > 0.85:
        return chance.choice(legal)
    gains = [gain(text, match.rendezvous) for text in legal]
    return chance.choice([t for t, won in zip(legal, gains, strict=True) if won == max(gains)])


def idle(legal: Sequence[str], match: NaiveMatch, chance: random.Random) -> str:
    """Choose the same short turn in the same position, so that positions recur."""
    if match.phase != "play":
        return chance.choice(legal)
    return "." if "." in legal else min(legal)


def gain(text: str, rendezvous: Collection[str]) -> int:
    """Return how much nearer to the rendezvous a step brings a man."""
    squares = re.findall(r"[a-h][1-8]", text)
    if len(squares) < 2:
        return 0
    start, end = (min(distance(square, goal) for goal in rendezvous) for square in squares)
    return start - end


def distance(one: str, other: str) -> int:
    """Return the steps of a king between two squares."""
    return max(abs(ord(a) - ord(b)) for a, b in zip(one, other, strict=True))
