"""Turns as text."""

from __future__ import annotations

from pbem.games import game_of
from pbem.matches.match import RecordedAction
from pbem.matches.score import since_last_turn, turn_lines
from tests.matches.playing import START


def test_pass_is_shown_for_the_seat_it_was_made_for() -> None:
    recorded = [
        RecordedAction(1, 1, "S", "[41-36]", (), START),
        RecordedAction(2, 2, "W", "[10-19]", ("N",), START),
        RecordedAction(3, 4, "E", "[30-23]", (), START),
    ]
    lines = turn_lines(game_of("lanko-68"), ("S", "W", "N", "E"), recorded)
    told = [str(line) for line in since_last_turn(lines, ("S", "N"))]
    assert told == ["2 W  [10-19]", "3 N  [---]", "4 E  [30-23]"]
