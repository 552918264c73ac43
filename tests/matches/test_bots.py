"""Bots and their choices."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.games import game_of, games, keys
from pbem.games.api import AnyGame
from pbem.matches.bots import BOTS, Bot, Interrupted, Scene, Thinking, turn
from pbem.matches.bots.steady import HASTY

QUICK: dict[str, Bot] = {**BOTS, "steady": HASTY}
"""All kinds. Bots that look ahead do so only as far as tests have time for."""


def thinking(seed: int = 1) -> Thinking:
    """Return a thinking that gives the same result for the same seed."""
    return Thinking(random.Random(seed).randrange)


def by(chosen: int) -> Thinking:
    """Return a thinking without chance, which takes the choice of this number."""
    return Thinking(lambda number: chosen % number)


def scene_of(key: str, players: int = 2, **options: int) -> Scene:
    """Return a match before its first action."""
    game = game_of(key)
    return Scene(game, players, game.initial(players, options))


def capture_to_choose() -> Scene:
    """Return a position of a random match of Lanko whose captures take different amounts."""
    for seed in range(50):
        scene, random_bot, chance = scene_of("lanko-68"), BOTS["random"], thinking(seed)
        while scene.seat is not None:
            if len({len(action.taken) for action in scene.actions(100)}) > 1:
                return scene
            scene = scene.after(random_bot.action(scene, chance))
    raise AssertionError("no such position came up")


def test_greedy_takes_the_capture_that_wins_most() -> None:
    scene = capture_to_choose()
    seat = scene.seat or ""
    stands = [_standing(scene.after(action), seat) for action in scene.actions(100)]
    chosen = BOTS["greedy"].action(scene, by(0))
    assert _standing(scene.after(chosen), seat) == max(stands) > min(stands)


def _standing(scene: Scene, seat: str) -> int:
    return scene.game.standing(scene.position)[seat]


def position_that_can_be_won(game: AnyGame, players: int, seed: int) -> tuple[Scene, list[Any]]:
    """Return a bots' match before its last action, and the actions that win."""
    scene, chance = Scene(game, players, game.initial(players, {})), thinking(seed)
    found: list[tuple[Scene, list[Any]]] = []
    while scene.seat is not None:
        wins = [each for each in scene.actions(200) if _wins(scene.after(each), scene.seat)]
        found += [(scene, wins)] if wins else []
        scene = scene.after(BOTS["greedy"].action(scene, chance))
    return found[-1]


def _wins(scene: Scene, seat: str) -> bool:
    outcome = scene.game.outcome(scene.position)
    return outcome is not None and seat in outcome.winners


@pytest.mark.parametrize("kind", ("greedy", "steady"))
@pytest.mark.parametrize("game", games(), ids=keys())
def test_win_is_preferred_to_everything_else(game: AnyGame, kind: str) -> None:
    scene, wins = position_that_can_be_won(game, 2, 3)
    assert BOTS[kind].action(scene, thinking()) in wins


def test_equally_good_actions_are_chosen_by_chance() -> None:
    scene = scene_of("lancelot")
    actions = scene.actions(100)
    assert BOTS["greedy"].action(scene, by(0)) == actions[0]
    assert BOTS["greedy"].action(scene, by(-1)) == actions[-1]
    assert BOTS["random"].action(scene, by(5)) == actions[5]


def match_of_bots(game: AnyGame, bot: Bot, seed: int) -> list[str]:
    """Return the first answers in a match of bots."""
    scene, chance = Scene(game, 2, game.initial(2, {})), thinking(seed)
    texts: list[str] = []
    while (seat := scene.seat) is not None and len(texts) < 16:
        answered = turn(scene, bot, chance)
        for text in answered:
            assert scene.seat == seat
            scene = scene.after(game.parse(scene.position, text, seat))
        assert scene.seat != seat
        texts += answered
    return texts


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize("game", games(), ids=keys())
def test_bot_plays_its_whole_turn_and_repeats_with_same_seed(game: AnyGame, kind: str) -> None:
    once = match_of_bots(game, QUICK[kind], 1)
    assert once == match_of_bots(game, QUICK[kind], 1)
    assert once != match_of_bots(game, QUICK[kind], 2)


@pytest.mark.parametrize("kind", QUICK)
def test_bot_does_not_list_every_action_of_the_kings_force(kind: str) -> None:
    scene = scene_of("lancelot", 5, excalibur=1)
    for _ in range(12):
        [text] = turn(scene, QUICK[kind], thinking(5))
        scene = scene.after(scene.game.parse(scene.position, text, scene.seat or ""))


def test_bot_told_to_stop_stops_at_once() -> None:
    with pytest.raises(Interrupted):
        turn(scene_of("lanko-68"), BOTS["steady"], Thinking(lambda _: 0, lambda: True))
