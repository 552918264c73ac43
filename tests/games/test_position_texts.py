"""The promises of every game about the texts of its positions, tested on random matches."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from pbem.games.api import AnyGame, GamePosition, PositionText
from tests.games.random_matches import (
    every_match_with_texts,
    options_for,
    seeds,
    some,
    walked,
)


@every_match_with_texts
@seeds
@some
def test_position_read_from_its_text_is_the_same(game: AnyGame, players: int, seed: int) -> None:
    assert isinstance(game, PositionText)
    options = options_for(game, seed)
    start = game.initial(players, options)
    for position in (start, *(step.after for step in walked(game, players, seed))):
        text = game.write_position(position)
        assert text.isascii()
        assert all(line.isprintable() for line in text.split("\n"))
        assert game.read_position(players, options, text) == position


@every_match_with_texts
@seeds
@some
def test_match_continues_from_a_text(game: AnyGame, players: int, seed: int) -> None:
    assert isinstance(game, PositionText)
    options, steps = options_for(game, seed), walked(game, players, seed)
    begin = random.Random(seed).randrange(len(steps))
    text = game.write_position(steps[begin].before)
    position: GamePosition = game.read_position(players, options, text)
    for step in steps[begin:]:
        assert game.format(position, step.action) == step.text
        position = game.play(position, step.action)
        assert position == step.after


@every_match_with_texts
def test_text_of_no_position_is_refused(game: AnyGame, players: int) -> None:
    assert isinstance(game, PositionText)
    for step in islice(walked(game, players, 1), 3):
        text = game.write_position(step.after)
        form, _, fields = text.partition("\n")
        for wrong in ("", form, f"{form}0\n{fields}", text[: len(text) // 2], f"\n{text}"):
            with pytest.raises((ValueError, LookupError)):
                game.read_position(players, {}, wrong)
