"""The promises of every game about texts that people write: actions, spellings, prose."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from pbem.games.api import ActionError, AnyGame, Seat
from pbem.games.replay import play_list, play_written, suggestions
from pbem.inbox.requests import read_requests
from pbem.testing.promises import Promises
from pbem.testing.random_matches import Step, asked, sampled, some_of, texts, walked

DRESSES = (
    "*{}*",
    "**{}**",
    "_{}_",
    "“{}”",
    "„{}“",
    "«{}»",
    "‘{}’",
    '"{}"',
    "`{}`",
    "- *{}*",
    "{}!",
)
IN_BETWEEN = ("\u200b", "\u00ad", "\u2060", "\u200d", "\u202a", "\ufeff", "\ufe0f")
ARROWS = ("->", " -> ", "=>", "→", " → ", "⇒", ">", " > ", "–>", "-->", " to ", " TO ")
WAY = re.compile(r"([a-h][1-8])([-~>])[<>]?([a-h][1-8])")
REMOVAL = re.compile(r"x([a-h][1-8])")
PLAYED, ASKED = (
    (Path(__file__).with_name("polite") / f"{name}.txt").read_text("utf-8").splitlines()
    for name in ("played", "asked")
)
"""What people write around a move. Two thirds are played, the others are asked about."""


def read_back(game: AnyGame, step: Step, text: str) -> list[Any]:
    """Return the actions that an email with a text would play."""
    actions = [action for line in game.read(text) for action in line.actions]
    return [game.parse(step.before, action, step.seat) for action in actions]


def spellings(text: str) -> Iterator[str]:
    """Return what people write for a canonical text, if it is of one of the usual kinds."""
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
    """Check that each candidate can be sent alone."""
    for candidate in candidates:
        sent(game, position, seat, candidate)


class ReadingTests(Promises):
    """Reading: canonical texts, what programs and people change in them, and prose around them."""

    def test_canonical_texts_are_read_back_in_any_case(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """A canonical text is read in capital and in small letters, as the action that `format`
        printed.
        """
        for step in sampled(game, players, seed):
            for action in some_of(game, step.before):
                text = game.format(step.before, action)
                assert text.isascii()
                for written in (text, text.lower(), text.upper(), text.swapcase(), f"  {text}\t"):
                    assert game.parse(step.before, written, step.seat) == action
                    assert read_back(game, step, written) == [action]

    def test_changes_by_mail_programs_do_not_matter(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """A text is read with other dashes, with bullets, blanks and a full stop."""
        for step in sampled(game, players, seed):
            text = step.text
            bullets = [f"- {text}", f"* {text}", f"  - {text}"]
            dashes = [text.replace("-", dash) for dash in "‐–—−"]
            blanks = [f"\u00a0{text}\u00a0", f"\ufeff{text}", f"{text}\u200b"]
            stop = [] if text == "." else [f"{text}."]
            for written in (*bullets, *dashes, *blanks, *stop):
                assert read_back(game, step, written) == [step.action], written

    def test_dressed_up_action_is_read(self, game: AnyGame, players: int, seed: int) -> None:
        """A text is read in quotes, in bold and in wide letters.

        Use the text that `meant` gets, not the email.
        """
        for step in sampled(game, players, seed):
            if step.text == ".":
                continue
            wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in step.text)
            dressed = [dress.format(step.text) for dress in DRESSES]
            invisible = [sign.join(step.text) for sign in IN_BETWEEN]
            for written in (*dressed, *invisible, wide):
                assert read_back(game, step, written) == [step.action], ascii(written)

    def test_every_spelling_is_its_action_or_a_question(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """A usual spelling of a text is read as its action, or refused with that action as a
        candidate.
        """
        for step in sampled(game, players, seed):
            for action in some_of(game, step.before):
                for written in spellings(game.format(step.before, action)):
                    check_spelling(game, step, action, written)

    def test_action_line_is_distinguished_from_prose(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`actions_in` returns the actions of a line that has nothing else, and None for prose."""
        for step in sampled(game, players, seed):
            lines = game.read(f"Hello Bert,\n\nthis is mine:\n{step.text}\n\nBest wishes\nAnna")
            assert [line.counts for line in lines] == [False] * 3 + [True] + [False] * 3
            assert [line.line for line in lines[:3]] == ["Hello Bert,", "", "this is mine:"]
            assert [game.parse(step.before, text, step.seat) for text in lines[3].actions] == [
                step.action
            ]

    def test_turn_may_be_on_one_line_or_on_several(
        self, game: AnyGame, players: int, seed: int
    ) -> None:
        """`actions_in` splits a line with several actions, at blanks and semicolons."""
        chance = random.Random(seed)
        steps = walked(game, players, seed)
        for (seat, _), group in groupby(steps, key=lambda step: (step.seat, step.before.turn)):
            turn = list(group)
            lines = game.read(chance.choice([" ", "\n", "; "]).join(step.text for step in turn))
            actions = [text for line in lines for text in line.actions]
            played = play_list(game, turn[0].before, seat, actions)
            assert [action.text for action in played] == [step.text for step in turn]
            assert played[-1].position == turn[-1].after

    def test_pass_is_printed_but_never_read(self, game: AnyGame) -> None:
        """`format_pass` is only printed. It must not look like an action."""
        position, seat = asked(game)
        with suppress(ActionError):
            assert not any(line.counts for line in game.read(game.format_pass()))
        with pytest.raises(ActionError):
            game.parse(position, game.format_pass(), seat)

    def test_polite_lines_are_played(self, game: AnyGame) -> None:
        """`actions_in` leaves the polite words to pbem. It must find no action in them."""
        move, other = _two_moves(game)
        position, seat = asked(game)
        for line in PLAYED:
            written = line.format(move=move, other=other)
            (actions,) = read_requests(written, game).items
            meant = [game.parse(position, str(each), seat) for each in actions]
            wanted = [move, other] if "{other}" in line else [move]
            assert [game.format(position, each) for each in meant] == wanted, written

    def test_lines_that_may_not_be_meant_are_asked_about(self, game: AnyGame) -> None:
        """`words_in` finds the actions in a line of prose, so that an email can ask about them."""
        move, other = _two_moves(game)
        position, seat = asked(game)
        for line in ASKED:
            written = line.format(move=move, other=other)
            requests = read_requests(written, game)
            assert requests.empty, written
            assert move in suggestions(game, position, seat, requests.mentioned), written


def _two_moves(game: AnyGame) -> tuple[str, str]:
    """Return the texts of two legal actions."""
    first, *_, last = texts(game, asked(game)[0])
    return first, last
