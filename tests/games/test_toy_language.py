"""A second language needs only phrase files: no game then says anything in English."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pbem.games import game_of, keys
from pbem.games.api import ActionError, AnyGame, OptionError
from pbem.games.diagram import Diagram
from pbem.games.phrases import ENGLISH, Phrase
from pbem.games.replay import play_one
from pbem.games.text_diagram import paint, paint_board
from tests.games.random_matches import Step, every_game, every_match, sampled, seeds, some, texts
from tests.games.test_conformance_texts import mutilated
from tests.games.toy_language import TOY, strange_words, turned

NONSENSE = ("nonsense", "[nonsense]", "Z99", "99-98", "h9-i9", "*A1", "ix", ".", "+++", "resign")


def test_toy_language_reverses_words_and_nothing_else() -> None:
    assert turned("the man on {square}, like b1-b3") == "eht nam no {square}, ekil b1-b3"


@every_game
def test_texts_of_a_game_are_translated(game: AnyGame) -> None:
    info = game.info
    helps = [option.help for option in info.options]
    for said in (*info.terminations.values(), *info.seat_titles.values(), *helps):
        assert TOY.text(said) != ENGLISH.text(said)
        assert not strange_words(TOY.text(said))
    for seat in info.seats:
        assert seat in info.seat_titles
        assert not strange_words(TOY.text(info.name_of(seat)))


def wrong_terms(game: AnyGame) -> Iterator[Callable[[], Any]]:
    """Return ways to agree on impossible terms."""
    yield lambda: game_of("chess")
    yield lambda: game.info.seats_of(99)
    yield lambda: game.info.read_options({"speed": "3"})
    for option in game.info.options:
        yield lambda option=option: option.read("maybe")  # type: ignore[misc]


@every_game
def test_option_errors_are_translated(game: AnyGame) -> None:
    options = [option.key for option in game.info.options]
    data = " ".join([*options, game.info.title, *keys(), "chess speed maybe"])
    for agree in wrong_terms(game):
        with pytest.raises(OptionError) as caught:
            agree()
        assert not strange_words(TOY.text(caught.value.reason), data)


def refusals(game: AnyGame, step: Step, written: list[str]) -> Iterator[ActionError]:
    """Return refusals of texts before and after a step, for seats to move and others."""
    for position in (step.before, step.after):
        for seat in {step.seat, game.to_act(position) or step.seat}:
            for text in written:
                try:
                    game.read(text)
                    play_one(game, position, seat, text)
                    game.parse(position, text, seat)
                except ActionError as error:
                    yield error


@every_match
@seeds
@some
def test_every_refusal_is_translated(game: AnyGame, players: int, seed: int) -> None:
    chance = random.Random(seed)
    steps = sampled(game, players, seed)
    for step in steps:
        legal = texts(game, step.before)[:10]
        others = [other.text for other in steps]
        written = [*NONSENSE, *legal, *others, *(mutilated(text, chance) for text in legal)]
        for error in refusals(game, step, written):
            assert isinstance(error.reason, Phrase)
            assert not strange_words(TOY.text(error.reason), error.text), error


def around_the_board(diagram: Diagram, names: dict[str, str]) -> str:
    """Return what is painted around the board itself."""
    return paint(diagram, names, TOY).replace(paint_board(diagram), "")


@every_match
@seeds
@some
def test_every_diagram_is_translated(game: AnyGame, players: int, seed: int) -> None:
    seats = game.info.seats_of(players)
    names = {seat: f"Anna the {number}" for number, seat in enumerate(seats)}
    for position in [step.after for step in sampled(game, players, seed)]:
        for seat in seats:
            diagram = game.diagram(position, seat)
            assert not strange_words(around_the_board(diagram, {}))
            assert not strange_words(around_the_board(diagram, names), "Anna the")
