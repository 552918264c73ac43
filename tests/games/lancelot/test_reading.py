"""Ways to write the king's force, and how each is read."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games import game_of
from pbem.games.api import AmbiguousActionError, IllegalActionError
from pbem.games.phrases import ENGLISH
from pbem.games.replay import Played, play_list
from tests.games.lancelot.naive import NaiveLancelot
from tests.games.lancelot.test_hand_made import position_of

GAME = game_of("lancelot")


def position(**options: Any) -> Any:
    """Return a position with Red to move and Excalibur in the middle."""
    squares = {"D4": "r", "K11": "b", "G7": "*"}
    return position_of(NaiveLancelot.from_squares(2, squares, "red", excalibur=True, **options))


def played(text: str, before: Any) -> list[Played]:
    """Return what an email with this text plays for Red."""
    texts = [action for line in GAME.read(text) for action in line.actions]
    return list(play_list(GAME, before, "red", texts))


@pytest.mark.parametrize(
    ("written", "canonical"),
    (
        ("*E10", "*E10"),
        ("* e10", "E10"),  # a bullet
        ("*e10.", "*E10"),
        ("E10", "E10"),
        ("*E10 F9", "*E10+F9"),
        ("F9 *E10", "F9+*E10"),
        ("*E10+F9", "*E10+F9"),
        ("*E10\nF9", "*E10+F9"),
        ("F9\n\n*E10", "F9+*E10"),
        ("Hello,\n\n*E10\nF9\n\nRed", "*E10+F9"),
    ),
)
def test_force_is_read_as_written(written: str, canonical: str) -> None:
    (one,) = played(written, position())
    assert one.text == canonical


@pytest.mark.parametrize(
    "written", ("*E10; F9", "*E10\nso much for that\nF9", "F9\nF10", "*E10\n*F9")
)
def test_two_turns_in_one_email_are_refused(written: str) -> None:
    with pytest.raises(IllegalActionError):
        played(written, position())


@pytest.mark.parametrize("written", ("*E10 F9", "*E10\nF9", "F9 *E10"))
def test_halves_that_can_be_one_turn_or_two_are_asked_about(written: str) -> None:
    alone = position(left={"red": 5, "blue": 0}, forced=["blue"])  # blue passes
    with pytest.raises(AmbiguousActionError) as caught:
        played(written, alone)
    assert len(caught.value.candidates) == 2
    for candidate in caught.value.candidates:
        assert played(candidate, alone)[0].text == candidate
    assert played(written.replace("\n", " ").replace(" ", "+"), alone)


def reason(text: str, before: Any) -> str:
    """Return why an email is refused."""
    with pytest.raises(IllegalActionError) as caught:
        played(text, before)
    return ENGLISH.text(caught.value.reason)


def test_refusals_give_the_reason() -> None:
    assert "no knights left" in reason("F9", position(left={"red": 0}))
    assert "no knights left" in reason("*E10+F9", position(left={"red": 0}))
    assert "already used the king's force" in reason("*E10", position(forced=["red"]))
    assert "not in play" in reason("*A1", position())


def test_candidates_are_of_the_intended_kind() -> None:
    with pytest.raises(IllegalActionError) as caught:
        played("*G7", position())
    assert {"*F6", "*H8"} <= set(caught.value.candidates)
