"""Last moves: what pictures mark of the latest turns."""

from __future__ import annotations

from datetime import UTC, datetime

from pbem.games import game_of
from pbem.games.diagram import Trail
from pbem.matches.match import RecordedAction
from pbem.matches.score import trails

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def recorded(*lines: str) -> list[RecordedAction]:
    """Return actions written as `turn seat text`."""
    parts = [line.split(" ", 2) for line in lines]
    return [
        RecordedAction(number, int(turn), seat, text, (), NOW)
        for number, (turn, seat, text) in enumerate(parts, start=1)
    ]


def test_each_player_has_one_trail_and_the_oldest_comes_first() -> None:
    actions = recorded("1 S [36-M]", "2 W [E-29]", "3 N [7-C]", "4 E [K-30]", "5 S [M-23]")
    marked = trails(game_of("lanko-103"), actions, {"S": 1, "W": 2, "N": 3, "E": 2})
    assert marked == (
        Trail(3, "N", (("7", "C"),)),
        Trail(4, "E", (("K", "30"),)),
        Trail(5, "S", (("M", "23"),)),
    )


def test_captures_make_one_trail_and_a_declaration_none() -> None:
    actions = recorded("8 E [19:8:17 +++]", "9 S [36-M]", "10 E [E+++]")
    marked = trails(game_of("lanko-103"), actions, {"S": 1, "E": 2})
    assert marked == (Trail(8, "E", (("19", "8", "17"),)), Trail(9, "S", (("36", "M"),)))


def test_steps_of_one_man_are_joined_within_a_turn_only() -> None:
    actions = recorded("3 white a1-a2", "4 black h8-h7", "5 white a2-a4", "5 white a4-a5")
    actions += recorded("5 white c1-c2", "5 white xh7")
    marked = trails(game_of("lanrick-1881"), actions, {"white": 1, "black": 2})
    assert marked == (
        Trail(4, "black", (("h8", "h7"),)),
        Trail(5, "white", (("a2", "a4", "a5"), ("c1", "c2"), ("h7",))),
    )
