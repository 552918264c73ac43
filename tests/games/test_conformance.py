"""The promises of every game (`pbem.games.api`) about play, tested on random matches.

Takes each game of `pbem.games.games()` with each number of players. A new game needs no line here.
"""

from __future__ import annotations

import importlib
import random
from pathlib import Path
from typing import Any

import pytest

import pbem.games
from pbem.games import BUILT_IN, game_of, games, keys
from pbem.games.api import AnyGame, Game, IllegalActionError, InvalidActionError, OptionError
from pbem.games.replay import ReplayError, play_one, replay
from tests.games.random_matches import (
    every_game,
    every_match,
    listed,
    options_for,
    sampled,
    seeds,
    some,
    some_of,
    texts,
    walk,
    walked,
)


def test_no_game_is_missing() -> None:
    root = Path(pbem.games.__file__).parent
    folders = {path.parent.name for path in root.glob("*/RULES*.md")}
    packages = {path.parent.name for path in root.glob("*/__init__.py")} - {"words"}
    assert folders == packages == BUILT_IN.keys()
    for name, family in BUILT_IN.items():
        members = vars(importlib.import_module(f"pbem.games.{name}")).values()
        written = {each for each in members if isinstance(each, Game)}
        assert written == {*family.games, *family.older}


def test_every_game_is_found_by_its_own_key() -> None:
    assert len(set(keys())) == len(games())
    for game in games():
        assert game_of(game.info.key) is game
        assert game_of(f" {game.info.key.upper()} ") is game
        assert game.info.key == game.info.key.casefold()
    with pytest.raises(OptionError, match=games()[0].info.key):
        game_of("draughts")


@every_match
def test_seats_players_and_sides_fit_together(game: AnyGame, players: int) -> None:
    info = game.info
    seats = info.seats_of(players)
    held = [seat for seats in info.holders[players] for seat in seats]
    assert len(info.holders[players]) == players
    assert sorted(held) == sorted(seats)
    assert sorted(seat for side in info.sides[players] for seat in side) == sorted(seats)
    assert [seat for seat in info.seats if seat in seats] == list(seats)
    for holding in info.holders[players]:
        assert set(holding) <= set(info.side_of(players, holding[0]))
    assert game.to_act(game.initial(players, {})) in seats


@every_game
def test_match_with_wrong_players_or_options_is_refused(game: AnyGame) -> None:
    players = max(game.info.holders)
    for number in (0, 1, players + 1):
        with pytest.raises(OptionError):
            game.initial(number, {})
    with pytest.raises(OptionError):
        game.initial(players, {"no_such_option": 1})
    with pytest.raises(OptionError):
        game.info.read_options({"no_such_option": "on"})


@every_game
def test_options_read_what_they_print(game: AnyGame) -> None:
    for option in game.info.options:
        assert option.read(option.format(option.default)) == option.default
        written = {option.key: option.format(option.default)}
        assert game.info.read_options(written)[option.key] == option.default
        for text in ("perhaps", "-1", "1.5", "", "9" * 5000):
            with pytest.raises(OptionError):
                option.read(text)


@every_match
@seeds
@some
def test_match_ends_with_an_outcome_and_not_before(game: AnyGame, players: int, seed: int) -> None:
    seats = game.info.seats_of(players)
    steps = list(walk(game, players, seed, {}))
    for step in steps:
        assert step.seat in seats
        assert game.outcome(step.before) is None
    last = steps[-1].after
    outcome = game.outcome(last)
    assert game.to_act(last) is None
    assert list(game.legal_actions(last)) == []
    assert outcome is not None
    assert outcome.termination in game.info.terminations
    assert list(outcome.scores) == list(seats)
    assert all(type(points) is int for points in outcome.scores.values())
    won = [side for side in game.info.sides[players] if set(side) & set(outcome.winners)]
    assert sorted(outcome.winners) == sorted(seat for side in won for seat in side)
    assert list(outcome.winners) == [seat for seat in seats if seat in outcome.winners]


@every_match
@seeds
@some
def test_seat_to_move_always_has_an_action(game: AnyGame, players: int, seed: int) -> None:
    for step in walked(game, players, seed):
        assert next(iter(game.legal_actions(step.before)), None) is not None


@every_match
@seeds
@some
def test_turn_numbers_grow_by_one_plus_the_passes(game: AnyGame, players: int, seed: int) -> None:
    seats = game.info.seats_of(players)
    initial = game.initial(players, {})
    assert initial.turn == 1 + len(initial.passed)
    for step in walked(game, players, seed):
        grown = step.after.turn - step.before.turn
        if grown:
            assert grown == 1 + len(step.after.passed)
        else:  # a turn of several actions continues
            assert step.after.passed == ()
            assert game.to_act(step.after) in (step.seat, None)
        assert set(step.after.passed) <= set(seats)


@every_match
@seeds
@some
def test_legal_actions_are_distinct_and_in_a_fixed_order(
    game: AnyGame, players: int, seed: int
) -> None:
    for step in sampled(game, players, seed):
        actions = listed(game, step.before)
        written = texts(game, step.before)
        assert len(set(actions)) == len(set(written)) == len(actions)
        assert listed(game, step.before) == actions
        assert texts(game, step.before) == written
        assert all(action.seat == step.seat for action in actions)
        assert not any(action.declaration for action in actions)


def observed(game: AnyGame, position: Any) -> tuple[object, ...]:
    """Return all that can be asked about a position."""
    return (
        game.to_act(position),
        position.turn,
        position.passed,
        texts(game, position),
        game.outcome(position),
        game.squares(position),
        hash(position),
    )


@every_match
@seeds
@some
def test_play_leaves_its_start_position_unchanged(game: AnyGame, players: int, seed: int) -> None:
    for step in sampled(game, players, seed):
        seen = observed(game, step.before)
        actions = some_of(game, step.before)
        reached = [game.play(step.before, action) for action in actions]
        assert observed(game, step.before) == seen
        assert [game.play(step.before, action) for action in actions] == reached


@every_match
@seeds
@some
def test_replay_of_the_texts_gives_the_same_match(game: AnyGame, players: int, seed: int) -> None:
    steps = walked(game, players, seed)
    options = options_for(game, seed)
    again = list(replay(game, players, options, [(step.seat, step.text) for step in steps]))
    assert len(again) == len(steps)
    for step, played in zip(steps, again, strict=True):
        assert played.turn == step.before.turn
        assert (played.seat, played.text) == (step.seat, step.text)
        assert played.passed == step.after.passed
        assert played.position == step.after
        assert not played.declaration
    assert texts(game, again[-1].position) == texts(game, steps[-1].after)


@every_match
@seeds
@some
def test_replay_names_the_first_action_that_fails(game: AnyGame, players: int, seed: int) -> None:
    actions = [(step.seat, step.text) for step in walk(game, players, seed, {})]
    spoilt = random.Random(seed).randrange(len(actions))
    actions[spoilt] = (actions[spoilt][0], "no such action")
    with pytest.raises(ReplayError) as caught:
        list(replay(game, players, {}, actions))
    assert caught.value.index == spoilt
    assert isinstance(caught.value.error, InvalidActionError)


@every_match
def test_ended_match_accepts_no_actions(game: AnyGame, players: int) -> None:
    *_, last = walk(game, players, 1, {})
    for seat in game.info.seats_of(players):
        with pytest.raises(IllegalActionError, match="over"):
            play_one(game, last.after, seat, last.text)
    with pytest.raises(IllegalActionError):
        game.parse(last.after, last.text, last.seat)
    with pytest.raises(IllegalActionError):
        game.play(last.after, last.action)


@every_match
@seeds
@some
def test_seat_plays_only_in_its_turn(game: AnyGame, players: int, seed: int) -> None:
    for step in sampled(game, players, seed):
        for seat in set(game.info.seats_of(players)) - {step.seat}:
            with pytest.raises(IllegalActionError, match=rf"\b{step.seat}\b"):
                play_one(game, step.before, seat, step.text)


@every_match
@seeds
@some
def test_action_of_another_position_is_refused(game: AnyGame, players: int, seed: int) -> None:
    steps = sampled(game, players, seed)
    for step in steps:
        for other in steps:
            if other.action not in game.legal_actions(step.before):
                with pytest.raises(IllegalActionError):
                    game.play(step.before, other.action)


@every_match
@seeds
@some
def test_forfeit_gives_scores_for_every_seat(game: AnyGame, players: int, seed: int) -> None:
    seats = game.info.seats_of(players)
    for step in sampled(game, players, seed):
        for side in game.info.sides[players]:
            assert list(game.forfeit(step.before, side)) == list(seats)


@every_match
@seeds
@some
def test_every_seat_has_a_standing(game: AnyGame, players: int, seed: int) -> None:
    seats = game.info.seats_of(players)
    for step in sampled(game, players, seed):
        for position in (step.before, step.after):
            assert list(game.standing(position)) == list(seats)


@every_match
@seeds
@some
def test_end_of_an_email_stands_for_a_legal_action_or_none(
    game: AnyGame, players: int, seed: int
) -> None:
    for step in walked(game, players, seed):
        text = game.closing(step.before)
        if text is not None:
            assert game.info.stepwise
            action = game.parse(step.before, text, step.seat)
            assert game.format(step.before, action) == text
            assert action in game.legal_actions(step.before)


@every_match
@seeds
@some
def test_resigned_seat_is_not_asked_again(game: AnyGame, players: int, seed: int) -> None:
    for step in sampled(game, players, seed):
        for seat in game.info.seats_of(players):
            text = game.resignation(step.before, seat)
            if text is not None:
                played = play_one(game, step.before, seat, text)
                assert played.declaration
                assert game.to_act(played.position) != seat
