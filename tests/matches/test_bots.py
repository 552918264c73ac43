"""How computer opponents choose."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.games import GAMES, game_of, keys
from pbem.games.api import AnyGame
from pbem.matches.bots import BOTS, answer, greedy_action, random_action


def first(number: int) -> int:
    """No chance at all."""
    return 0


def capture_to_choose(game: AnyGame) -> tuple[Any, list[Any]]:
    """A position of a random match where captures take different amounts."""
    for seed in range(50):
        chance, position = random.Random(seed), game.initial(2, {})
        while game.to_act(position) is not None:
            actions = list(game.legal_actions(position))
            if len({len(action.taken) for action in actions}) > 1:
                return position, actions
            position = game.play(position, chance.choice(actions))
    raise AssertionError("no such position came up")


def test_greedy_takes_the_capture_that_wins_most() -> None:
    game = game_of("lanko-68")
    position, actions = capture_to_choose(game)
    seat = game.to_act(position)
    stands = [game.standing(game.play(position, action))[seat or ""] for action in actions]
    chosen = greedy_action(game, position, actions, first)
    assert game.standing(game.play(position, chosen))[seat or ""] == max(stands) > min(stands)


def test_greedy_prefers_a_win_to_everything() -> None:
    game = game_of("lancelot")
    position = game.initial(2, {"target": 1})
    chance = random.Random(3)
    while game.to_act(position) is not None:
        actions = list(game.legal_actions(position))
        wins = [action for action in actions if game.outcome(game.play(position, action))]
        chosen = greedy_action(game, position, actions, chance.randrange)
        assert not wins or chosen in wins
        position = game.play(position, chosen)


def test_equals_are_told_apart_by_chance() -> None:
    game = game_of("lancelot")
    position = game.initial(2, {})
    actions = list(game.legal_actions(position))
    assert greedy_action(game, position, actions, first) == actions[0]
    assert greedy_action(game, position, actions, lambda number: number - 1) == actions[-1]
    assert random_action(game, position, actions, lambda number: 5) == actions[5]


def match_of_bots(game: AnyGame, kind: str, seed: int) -> list[str]:
    """The first answers in a match of bots."""
    chance, position = random.Random(seed), game.initial(2, {})
    texts: list[str] = []
    while (seat := game.to_act(position)) is not None and len(texts) < 60:
        answered = answer(game, position, BOTS[kind], chance.randrange)
        for text in answered:
            assert game.to_act(position) == seat
            position = game.play(position, game.parse(position, text, seat))
        assert game.to_act(position) != seat
        texts += answered
    return texts


@pytest.mark.parametrize("kind", BOTS)
@pytest.mark.parametrize("game", GAMES, ids=keys())
def test_a_bot_plays_until_another_is_to_act_and_the_same_by_the_same_chance(
    game: AnyGame, kind: str
) -> None:
    once = match_of_bots(game, kind, 1)
    assert once == match_of_bots(game, kind, 1)
    assert once != match_of_bots(game, kind, 2)


@pytest.mark.parametrize("kind", BOTS)
def test_the_kings_force_is_not_listed_to_its_end(kind: str) -> None:
    game = game_of("lancelot")
    position = game.initial(5, {"excalibur": 1})
    for _ in range(12):
        seat = game.to_act(position)
        (text,) = answer(game, position, BOTS[kind], random.Random(5).randrange)
        position = game.play(position, game.parse(position, text, seat or ""))
