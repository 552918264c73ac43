"""The promises of every game about texts that can't be played: a reason, and what is legal."""

from __future__ import annotations

import random
import sys
import time
from itertools import groupby
from typing import Any

import pytest

from pbem.games.api import (
    ActionError,
    AmbiguousActionError,
    AnyGame,
    IllegalActionError,
    InvalidActionError,
    Reading,
    Seat,
)
from pbem.games.phrases import ENGLISH
from pbem.games.replay import play_written, suggestions
from pbem.testing.promises import Promises
from pbem.testing.random_matches import Step, asked, sampled, texts, walked
from pbem.testing.reading import check_candidates

LONG = 2**18
SECONDS = 2.0
"""Time that as much nonsense may take. Anything but linear code would take minutes."""
SIGNS = "0123456789ABCNSWEXabcx-:+[]().#*@~<>/\\ \n"
LONGEST = 40
NONSENSE = (
    *("a", "9", "[", "(", "-", ":", "+", "x", " ", "*", ".", "\ud800"),
    *("9:", "- ", "K ", "b1-b3 ", "[8-B] "),
    "A line of sixty signs that nobody can take for a move, ever.\r\n",
)


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
    action = _parsed_or_refused(game, position, seat, text)
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


def _parsed_or_refused(game: AnyGame, position: Any, seat: Seat, text: str) -> Any:
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


def check_replacement(game: AnyGame, step: Step, written: tuple[str, ...]) -> None:
    """Check that a refused list of actions suggests a complete replacement."""
    try:
        play_written(game, step.before, step.seat, written)
    except ActionError as error:
        check_candidates(game, step.before, step.seat, error.candidates)


def any_text(chance: random.Random) -> str:
    """Return a short text of any characters of Unicode, half of them from its beginning."""
    most = chance.choice((0x7F, 0x2FF, sys.maxunicode))
    signs = (chr(chance.randrange(most)) for _ in range(chance.randrange(LONGEST)))
    return "".join(sign for sign in signs if not "\ud800" <= sign <= "\udfff")


class RefusalTests(Promises):
    """Refusals: nearly right texts, nonsense, and the alternatives that are suggested."""

    def test_nearly_right_texts_are_read_right_or_refused_with_a_reason(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """A text with a mistake is refused with an ActionError, whose candidates can be played as
        they are.
        """
        chance = random.Random(seed)
        steps = sampled(game, players, seed)
        for step in steps:
            for text in texts(game, step.before)[:10]:
                check_parsing(game, step.before, step.seat, mutilated(text, chance))
            for other in steps:
                check_parsing(game, step.before, step.seat, other.text)

    def test_nonsense_is_refused_and_breaks_nothing(self, game: AnyGame) -> None:
        """`actions_in`, `words_in` and `meant` raise only an ActionError, whatever people write."""
        chance = random.Random(game.info.key)
        position, seat = asked(game)
        for _ in range(self.texts_tried):
            signs = "".join(chance.choices(SIGNS, k=chance.randrange(LONGEST)))
            for written in (any_text(chance), signs):
                check_parsing(game, position, seat, written)
                assert all(word.strip() for word in game.mentioned(written))
                lines = read_or_refused(game, written)
                assert [line.line for line in lines] == (written.splitlines() if lines else [])
                assert all(line.counts for line in lines if line.actions)

    @pytest.mark.parametrize("piece", NONSENSE, ids=ascii)
    def test_long_nonsense_takes_little_time(self, game: AnyGame, piece: str) -> None:
        """A long text is refused quickly.

        Regular expressions must not try many ways to match it.
        """
        position, seat = asked(game)
        text = piece * (LONG // len(piece))
        begun = time.process_time()
        with pytest.raises(ActionError):
            game.parse(position, text, seat)
        lines = read_or_refused(game, text)
        game.mentioned(text)
        assert time.process_time() - begun < SECONDS
        assert not any(line.counts and line.actions for line in lines)

    def test_suggestion_sent_alone_is_played(self, game: AnyGame, players: int, seed: int) -> None:
        """A candidate of an ActionError can be sent back as it is, and is played."""
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
                    check_replacement(game, step, written)

    def test_turn_with_one_wrong_action_gets_playable_suggestions(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """The candidates for a wrong action can be played after the right ones before it."""
        steps = walked(game, players, seed)[:200]
        for (seat, _), group in groupby(steps, key=lambda step: (step.seat, step.before.turn)):
            turn = list(group)
            if len(turn) > 1:
                written = tuple(step.text for step in turn[:-1])
                check_replacement(game, turn[0]._replace(seat=seat), (*written, turn[0].text))
