"""The promises of every game about positions set up from a text."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pbem.games.api import AnyGame
from pbem.games.position_text import ImpossiblePosition, position_of, text_of
from tests.games.random_matches import (
    every_match_with_texts,
    listed,
    options_for,
    seeds,
    some,
    some_of,
    texts,
    walked,
)
from tests.support.examples import examples


@every_match_with_texts
@seeds
@some
def test_every_position_of_a_match_can_be_set_up(game: AnyGame, players: int, seed: int) -> None:
    options = options_for(game, seed)
    start = game.initial(players, options)
    for at, position in enumerate((start, *(step.after for step in walked(game, players, seed)))):
        text = text_of(game, position)
        assert "\n" not in text
        again = position_of(game, players, options, text)
        assert again == position
        if at % 20 == 0:
            assert texts(game, again) == texts(game, position)


SIGNS = "0123456789-,.:; abcdefghBSPbspxAN@*"


def mutated(text: str, chance: random.Random) -> str:
    """Return a text with one or two changes, as by a slip or on purpose."""
    fields = text.split("; ")
    for _ in range(chance.randrange(1, 3)):
        at = chance.randrange(1, len(fields))
        key, _, value = fields[at].partition(" ")
        words = value.split(" ")
        match chance.randrange(8):
            case 0:
                del fields[at]
            case 1:
                fields.insert(at, fields[at])
            case 2:
                fields[at] = f"{key} {fields[chance.randrange(1, len(fields))].partition(' ')[2]}"
            case 3:
                chance.shuffle(words)
                fields[at] = f"{key} {' '.join(words)}"
            case 4:
                fields[at] = f"{key} {chance.choice(OTHERS)}".rstrip()
            case 5:
                words[chance.randrange(len(words))] = chance.choice(OTHERS)
                fields[at] = f"{key} {' '.join(words)}".rstrip()
            case _:
                place = chance.randrange(len(value) + 1)
                sign = chance.choice(SIGNS)
                fields[at] = f"{key} {value[:place]}{sign}{value[place + 1 :]}".rstrip()
    return "; ".join(fields)


OTHERS = (
    *("", "-", "0", "-1", "1", "2", "3", "5", "30", "99", "9" * 5000, "yes", "no", "first"),
    *("S", "W", "red", "blue", "white", "black", "yellow", "play", "mark", "replace", "remove"),
    *("interchange", "disperse", "equalise", "muster", "place", "spent", "quiet", "target"),
    *("exhausted", "resignation", "last-man", "four-taken", "agreed", "A1", "F6", "d5", "a1a1"),
)


@every_match_with_texts
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=examples(5), derandomize=True, deadline=None)
def test_changed_text_is_refused_or_playable(game: AnyGame, players: int, seed: int) -> None:
    chance, options = random.Random(seed), options_for(game, seed)
    steps = walked(game, players, seed)
    for step in chance.sample(steps, min(len(steps), 20)):
        text = text_of(game, chance.choice((step.before, step.after)))
        for _ in range(5):
            try:
                position = position_of(game, players, options, mutated(text, chance))
            except ImpossiblePosition:
                continue
            is_playable(game, position)


def is_playable(game: AnyGame, position: Any) -> None:
    """Show the position, list its actions, and play some of them."""
    for seat in game.info.seats[:2]:
        game.diagram(position, seat)
    game.squares(position)
    assert (game.to_act(position) is None) == (game.outcome(position) is not None)
    actions = listed(game, position)
    assert bool(actions) == (game.to_act(position) is not None)
    for action in islice(some_of(game, position), 10):
        after = game.play(position, action)
        text_of(game, after)
        game.outcome(after)
        listed(game, after)


@every_match_with_texts
def test_invalid_text_is_refused_with_a_reason(game: AnyGame, players: int) -> None:
    text = text_of(game, game.initial(players, {}))
    form, first, *others = text.split("; ")
    wrong = (
        *("", "nonsense", form, f"{form}0; {first}; {'; '.join(others)}"),
        "; ".join((form, *others)),
        "; ".join((form, first, first, *others)),
        "; ".join((form, *reversed((first, *others)))),
        f"{text}; more 1",
        text.replace("turn 1", "turn 0"),
        text.replace("turn 1", "turn 01"),
        text.replace("turn 1", f"turn {'9' * 5000}"),
    )
    for each in wrong:
        with pytest.raises(ImpossiblePosition, match=r"\w"):
            position_of(game, players, {}, each)
