"""The promises of every game (`pbem.games.api`) about texts, tested on random matches.

Reading, printing and showing. `test_conformance.py` has the rest.
"""

from __future__ import annotations

import json
import random
import time
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pbem.games.api import (
    ActionError,
    AmbiguousActionError,
    AnyGame,
    IllegalActionError,
    InvalidActionError,
    Reading,
    Seat,
)
from pbem.games.diagram import WIDTH
from pbem.games.phrases import ENGLISH
from pbem.games.replay import play_list
from pbem.games.text_diagram import paint
from tests.games.random_matches import (
    Step,
    asked,
    every_game,
    every_match,
    many,
    sampled,
    seeds,
    some,
    some_of,
    texts,
    walked,
)

MEBIBYTE = 2**20
SECONDS = 5.0
"""Time that a mebibyte of nonsense may take. Anything but linear code would take hours."""


def read_back(game: AnyGame, step: Step, text: str) -> list[Any]:
    """Return the actions that an email with a text would play."""
    actions = [action for line in game.read(text) for action in line.actions]
    return [game.parse(step.before, action, step.seat) for action in actions]


@every_match
@seeds
@some
def test_canonical_texts_are_read_back_in_any_case(game: AnyGame, players: int, seed: int) -> None:
    for step in sampled(game, players, seed):
        for action in some_of(game, step.before):
            text = game.format(step.before, action)
            assert text.isascii()
            for written in (text, text.lower(), text.upper(), text.swapcase(), f"  {text}\t"):
                assert game.parse(step.before, written, step.seat) == action
                assert read_back(game, step, written) == [action]


@every_match
@seeds
@some
def test_changes_by_mail_programs_do_not_matter(game: AnyGame, players: int, seed: int) -> None:
    for step in sampled(game, players, seed):
        text = step.text
        bullets = [f"- {text}", f"* {text}", f"  - {text}"]
        dashes = [text.replace("-", dash) for dash in "‐–—−"]
        blanks = [f"\u00a0{text}\u00a0", f"\ufeff{text}", f"{text}\u200b"]
        stop = [] if text == "." else [f"{text}."]
        for written in (*bullets, *dashes, *blanks, *stop):
            assert read_back(game, step, written) == [step.action], written


@every_match
@seeds
@some
def test_action_line_is_distinguished_from_prose(game: AnyGame, players: int, seed: int) -> None:
    for step in sampled(game, players, seed):
        lines = game.read(f"Hello Bert,\n\nthis is mine:\n{step.text}\n\nBest wishes\nAnna")
        assert [line.counts for line in lines] == [False] * 3 + [True] + [False] * 3
        assert [line.line for line in lines[:3]] == ["Hello Bert,", "", "this is mine:"]
        assert [game.parse(step.before, text, step.seat) for text in lines[3].actions] == [
            step.action
        ]


@every_match
@seeds
@some
def test_turn_may_be_on_one_line_or_on_several(game: AnyGame, players: int, seed: int) -> None:
    chance = random.Random(seed)
    steps = walked(game, players, seed)
    for (seat, _), group in groupby(steps, key=lambda step: (step.seat, step.before.turn)):
        turn = list(group)
        lines = game.read(chance.choice([" ", "\n", "; "]).join(step.text for step in turn))
        actions = [text for line in lines for text in line.actions]
        played = play_list(game, turn[0].before, seat, actions)
        assert [action.text for action in played] == [step.text for step in turn]
        assert played[-1].position == turn[-1].after


@every_game
def test_pass_is_printed_but_never_read(game: AnyGame) -> None:
    position, seat = asked(game)
    assert not any(line.counts for line in read_or_refused(game, game.format_pass()))
    with pytest.raises(ActionError):
        game.parse(position, game.format_pass(), seat)


def read_or_refused(game: AnyGame, text: str) -> tuple[Reading, ...]:
    """Return the lines of a text, none if the game refuses it by InvalidActionError."""
    try:
        return game.read(text)
    except InvalidActionError as error:
        check_refusal(error)
        return ()


def check_refusal(error: ActionError) -> None:
    """Check for one of the three errors, with a reason."""
    assert type(error) in (InvalidActionError, IllegalActionError, AmbiguousActionError)
    reason = ENGLISH.text(error.reason)
    assert reason.strip()
    assert reason.isascii() or not error.text.isascii()
    assert len(error.candidates) > 1 or not isinstance(error, AmbiguousActionError)


def check_parsing(game: AnyGame, position: Any, seat: Seat, text: str) -> None:
    """Check that a text is a playable action, or is refused with playable alternatives."""
    action = parsed_or_refused(game, position, seat, text)
    if isinstance(action, ActionError):
        check_refusal(action)
        for candidate in action.candidates:
            meant = game.parse(position, candidate, seat)
            assert meant in game.legal_actions(position)
            assert game.format(position, meant) == candidate
    else:
        canonical = game.format(position, action)
        assert game.parse(position, canonical, action.seat) == action
        game.play(position, action)


def parsed_or_refused(game: AnyGame, position: Any, seat: Seat, text: str) -> Any:
    """Return the action of a text, or the error."""
    try:
        return game.parse(position, text, seat)
    except ActionError as error:
        return error


def mutilated(text: str, chance: random.Random) -> str:
    """Return a text with one character too few, too many or in the wrong place."""
    at = chance.randrange(len(text))
    other = chance.choice("0123456789abchnxyzABCXNSWE-:+[]().#*@~<>/\\ ")
    return chance.choice(
        [
            text[:at] + text[at + 1 :],
            text[:at] + other + text[at:],
            text[:at] + other + text[at + 1 :],
            text[:at] + text[at:][::-1],
            text + " " + text,
        ]
    )


@every_match
@seeds
@some
def test_nearly_right_texts_are_read_right_or_refused_with_a_reason(
    game: AnyGame, players: int, seed: int
) -> None:
    chance = random.Random(seed)
    steps = sampled(game, players, seed)
    for step in steps:
        for text in texts(game, step.before)[:10]:
            check_parsing(game, step.before, step.seat, mutilated(text, chance))
        for other in steps:
            check_parsing(game, step.before, step.seat, other.text)


@every_game
@given(text=st.text(max_size=40), signs=st.text("0123456789ABCNSWEXabcx-:+[]().#*@~<>/\\ \n"))
@many
def test_nonsense_is_refused_and_breaks_nothing(game: AnyGame, text: str, signs: str) -> None:
    position, seat = asked(game)
    for written in (text, signs):
        check_parsing(game, position, seat, written)
        for word in game.mentioned(written):
            assert word.strip()
        lines = read_or_refused(game, written)
        assert [line.line for line in lines] == (written.splitlines() if lines else [])
        assert all(line.counts for line in lines if line.actions)


NONSENSE = [
    *("a", "9", "[", "(", "-", ":", "+", "x", " ", "*", ".", "\ud800"),
    *("9:", "- ", "K ", "b1-b3 ", "[8-B] "),
    "A line of sixty signs that nobody can take for a move, ever.\r\n",
]


@pytest.mark.thorough
@every_game
@pytest.mark.parametrize("piece", NONSENSE, ids=ascii)
def test_mebibyte_of_nonsense_takes_little_time(game: AnyGame, piece: str) -> None:
    position, seat = asked(game)
    text = piece * (MEBIBYTE // len(piece))
    begun = time.process_time()
    with pytest.raises(ActionError):
        game.parse(position, text, seat)
    lines = read_or_refused(game, text)
    game.mentioned(text)
    assert time.process_time() - begun < SECONDS
    assert not any(line.counts and line.actions for line in lines)


@every_match
@seeds
@some
def test_every_seat_sees_a_diagram_that_fits_an_email(
    game: AnyGame, players: int, seed: int
) -> None:
    seats = game.info.seats_of(players)
    names = {seat: f"Maximilian {'von ' * 20}{seat}-{'x' * 80}" for seat in seats}
    for position in [step.after for step in sampled(game, players, seed)]:
        for seat in seats:
            diagram = game.diagram(position, seat)
            for text in (paint(diagram, {}, ENGLISH), paint(diagram, names, ENGLISH)):
                assert text.isascii()
                for line in text.split("\n"):
                    assert len(line) <= WIDTH
                    assert line == line.rstrip()
                    assert line.isprintable()


@every_match
@seeds
@some
def test_squares_fit_the_engine_protocol(game: AnyGame, players: int, seed: int) -> None:
    for step in sampled(game, players, seed):
        squares = game.squares(step.after)
        assert json.loads(json.dumps(squares)) == squares
        assert all(squares["squares"].values())


@every_game
def test_rules_can_be_mailed(game: AnyGame) -> None:
    rules = game.rules(ENGLISH.language)
    assert rules.startswith("# ")
    assert rules.isascii()
    for line in rules.splitlines():
        assert len(line) <= WIDTH, line
        assert line == line.rstrip()
        assert line.isprintable()
