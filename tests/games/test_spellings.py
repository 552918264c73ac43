"""Spellings: what people write is read as intended or asked about, and suggestions play."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.api import ActionError, AnyGame, Seat
from pbem.games.replay import play_written, suggestions
from tests.games.lanrick.test_rules_pages import example
from tests.games.random_matches import (
    Step,
    every_match,
    sampled,
    seeds,
    some,
    some_of,
    texts,
    walked,
)
from tests.games.test_conformance_texts import mutilated

ARROWS = ("->", " -> ", "=>", "→", " → ", "⇒", ">", " > ", "–>", "-->", " to ", " TO ")
WAY = re.compile(r"([a-h][1-8])([-~>])[<>]?([a-h][1-8])")
REMOVAL = re.compile(r"x([a-h][1-8])")


def spellings(text: str) -> Iterator[str]:
    """Return what people write for a canonical text."""
    bare = text.strip("[]").removesuffix(" +++")
    if way := WAY.fullmatch(text):
        start, sign, to = way.groups()
        yield from (f"{start}{arrow}{to}" for arrow in (*ARROWS, ""))
        if sign != "~":  # a hyphen is a run only along an edge
            yield from (f"{start}{dash}{to}" for dash in ("-", " – ", "—", "−"))
    elif removal := REMOVAL.fullmatch(text):
        yield from (f"{word}{removal[1]}" for word in ("x ", "×", "takes ", "Take ", "captures "))
    elif ":" in bare:
        squares = bare.split(":")
        signs = (*ARROWS, "x", " x ", "×", " takes ", " captures ", " Takes ")
        yield from (sign.join(squares) for sign in signs)
        yield from (f"[{sign.join(squares)}]" for sign in ARROWS)
    elif text.startswith("[") and "-" in bare:
        start, to = bare.split("-")
        yield from (f"{start}{sign}{to}" for sign in (*ARROWS, " – ", "—"))
        yield from (f"[{start}{sign}{to.strip('()')}]" for sign in ARROWS)


def sent(game: AnyGame, position: Any, seat: Seat, text: str) -> Any:
    """Return the position after an email with only this text. Fails if it is no action."""
    (line,) = game.read(text)
    assert line.counts, text
    return play_written(game, position, seat, line.actions)[-1].position


def check_spelling(game: AnyGame, step: Step, action: Any, written: str) -> None:
    """Check that a spelling is its action, or lists it among possible meanings."""
    (line,) = game.read(written)
    assert line.counts, written
    readings = suggestions(game, step.before, step.seat, line.actions)
    assert game.format(step.before, action) in readings, written
    if len(readings) > 1:
        check_candidates(game, step.before, step.seat, readings)
    else:
        after = sent(game, step.before, step.seat, written)
        assert after == game.play(step.before, action), written


def check_candidates(game: AnyGame, position: Any, seat: Seat, candidates: tuple[str, ...]) -> None:
    for candidate in candidates:
        sent(game, position, seat, candidate)


@every_match
@seeds
@some
def test_every_spelling_is_its_action_or_a_question(game: AnyGame, players: int, seed: int) -> None:
    for step in sampled(game, players, seed):
        for action in some_of(game, step.before):
            for written in spellings(game.format(step.before, action)):
                check_spelling(game, step, action, written)


@pytest.mark.thorough
@pytest.mark.parametrize("key", ("lanrick-1881", "lanrick-1893"))
def test_spellings_in_every_phase_of_an_example(key: str) -> None:
    """Random matches rarely reach a won rendezvous, or a run."""
    game = game_of(key)
    for played in example(key):
        position, seat = played.position, game.to_act(played.position)
        assert seat is not None
        for action in game.legal_actions(position):
            text = game.format(position, action)
            for written in spellings(text):
                check_spelling(game, Step(position, seat, action, text, None), action, written)


def test_run_is_distinguished_from_a_step() -> None:
    game = game_of("lanrick-1893")
    position = next(p.position for p in example("lanrick-1893") if p.text == "a1~d1")
    assert suggestions(game, position, "yellow", ["a2-b1"]) == ("a2-b1",)
    assert suggestions(game, position, "yellow", ["a2~b1"]) == ("a2~b1",)
    assert set(suggestions(game, position, "yellow", ["a2->b1"])) == {"a2-b1", "a2~b1"}


@every_match
@seeds
@some
def test_suggestion_sent_alone_is_played(game: AnyGame, players: int, seed: int) -> None:
    chance = random.Random(seed)
    steps = sampled(game, players, seed)
    for step in steps:
        prose = [f"Perhaps {text}, or not" for text in texts(game, step.before)[:10]]
        prose += [f"I thought of {other.text} before" for other in steps]
        words = [word for line in prose for word in game.mentioned(line)]
        check_candidates(
            game, step.before, step.seat, suggestions(game, step.before, step.seat, words)
        )
        for text in texts(game, step.before)[:10]:
            wrong = mutilated(text, chance)
            for written in ((wrong,), (text, wrong), (text, wrong.upper(), text)):
                check_refusal(game, step, written)


def check_refusal(game: AnyGame, step: Step, written: tuple[str, ...]) -> None:
    """Check that a refused list of actions suggests a complete replacement."""
    try:
        play_written(game, step.before, step.seat, written)
    except ActionError as error:
        check_candidates(game, step.before, step.seat, error.candidates)


@every_match
@seeds
@some
def test_turn_with_one_wrong_action_gets_playable_suggestions(
    game: AnyGame, players: int, seed: int
) -> None:
    for (seat, _), group in groupby(
        walked(game, players, seed)[:200], key=lambda step: (step.seat, step.before.turn)
    ):
        turn = list(group)
        if len(turn) > 1:
            written = tuple(step.text for step in turn[:-1])
            check_refusal(game, turn[0]._replace(seat=seat), (*written, turn[0].text))


@pytest.mark.parametrize(
    ("key", "line", "words"),
    (
        ("lanko-88", "I moved from 54 to 46.", ("54 to 46",)),
        ("lanko-88", "54->46 thanks", ("54->46",)),
        ("lanko-88", "9 takes C, I think", ("9 takes C",)),
        ("lanko-88", "we go from A to B", ()),
        ("lanko-88", "54--46", ()),
        ("lanrick-1893", "I moved from h5 to h7", ("h5 to h7",)),
        ("lanrick-1893", "my move: h5h7", ("h5h7",)),
        ("lanrick-1893", "h5 → h7!?", ("h5 -> h7",)),
        ("lanrick-1893", "it takes e7 off", ("takes e7",)),
        ("lanrick-1893", "from h5 to h7", ("h5 to h7",)),
    ),
)
def test_prose_makes_no_action_but_its_candidates_are_found(
    key: str, line: str, words: tuple[str, ...]
) -> None:
    game = game_of(key)
    assert [reading.counts for reading in game.read(line)] == [False]
    assert game.mentioned(line) == words


def test_unplayable_action_is_not_suggested() -> None:
    game = game_of("lanko-88")
    position = game.initial(4, {})
    words = ("54 to 46", "54->46", "9-16", "99-1", "54 to 38")
    assert suggestions(game, position, "S", words) == ("[54-46]",)
    assert suggestions(game, position, "N", words) == ()
