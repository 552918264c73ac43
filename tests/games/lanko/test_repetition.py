"""End f: the same position for the third time, or too many quiet turns."""

from __future__ import annotations

import pytest

from tests.games.lanko.drawing import drawn
from tests.games.lanko.playing import ended, goes_on, outcome, play

FOUR_KINGS = """
            . . B . .
            . . . . .
        . . . . . . . . .
        . . . . . . . . .
        b . . . X . . . b
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . B . .
"""
THERE, BACK = "P-46 E-17 A-2 L-24", "46-P 17-E 2-A 24-L"


# ------------------------------------------------------------------ repetition


def test_third_time_of_a_position_with_the_same_seat_ends_the_game() -> None:
    position = drawn("lanko-68", FOUR_KINGS)  # for the first time
    for line in (THERE, BACK, THERE, "46-P 17-E 2-A"):
        position = play(position, line)
    assert goes_on(position)
    assert ended(play(position, "24-L")) == ("repetition", 0)
    assert outcome(play(position, "24-L")).winners == ()


def test_repetition_can_be_switched_off() -> None:
    position = drawn("lanko-68", FOUR_KINGS, repetition=False)
    for line in (THERE, BACK, THERE, BACK):
        position = play(position, line)
    assert goes_on(position)


def test_declarations_and_counters_do_not_change_the_position() -> None:
    position = drawn("lanko-68", FOUR_KINGS)
    position = play(position, "[P-46 +++] [E-17] [A-2] [L-24] [46-P +++] [17-E +++] [2-A] [24-L]")
    position = play(play(position, THERE), "[46-P] [17-E] [2-A +++]")
    assert ended(play(position, "[24-L]")) == ("repetition", 0)


NO_WEST = """
            . . B . .
            . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . b
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . B
"""


def test_passed_turn_does_not_count_as_repetition() -> None:
    # With S on 47, W's turn comes for the third time, but W cannot move. N's comes right after it.
    position = play(drawn("lanko-68", NO_WEST), "48-47 A-2 L-24")
    for line in ("47-P 2-A 24-L", "P-47 A-2 L-24", "47-P 2-A 24-L"):
        position = play(position, line)
    assert goes_on(position)
    after = play(position, "P-47")
    assert ended(after) == ("repetition", 12)
    assert after.passed == ("W",)
    assert after.turn == 19


# ------------------------------------------------------------------ quiet turns


def test_quiet_turns_have_no_capture_entry_or_burning() -> None:
    position = drawn("lanko-68", FOUR_KINGS, quiet=198)
    position = play(position, "P-46")
    assert goes_on(position)
    assert ended(play(position, "E-17")) == ("quiet", 0)


def test_quiet_limit_is_an_option() -> None:
    assert ended(play(drawn("lanko-68", FOUR_KINGS, quiet_limit=2), "P-46 E-17")) == ("quiet", 0)
    assert goes_on(play(drawn("lanko-68", FOUR_KINGS, quiet_limit=0, quiet=199), "P-46 E-17"))


def test_passed_turns_count() -> None:
    after = play(drawn("lanko-68", NO_WEST, quiet=198), "48-47")
    assert ended(after) == ("quiet", 12)
    assert after.passed == ("W",)
    assert after.turn == 3
    after = play(drawn("lanko-68", NO_WEST, quiet=199), "48-47")
    assert ended(after) == ("quiet", 12)
    assert after.passed == ()
    assert goes_on(play(drawn("lanko-68", NO_WEST, quiet=197), "48-47"))


@pytest.mark.parametrize(
    ("row", "move"),
    (
        (". . . P X . . . b", "[H-(X)]"),
        (". . . S X . . . b", "[H-(X)]"),
        ("P p . . X . . . b", "[E:G]"),
    ),
    ids=["burning", "entry", "capture"],
)
def test_quiet_count_restarts(row: str, move: str) -> None:
    position = drawn(
        "lanko-68",
        f"""
            . . B . .
            . . . . .
        b . . . . . . . .
        . . . . . . . . .
        {row}
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . B . .
        """,
        quiet_limit=3,
        quiet=2,
    )
    after = play(position, f"{move} [9-10] [A-2]")
    assert goes_on(after)
    assert ended(play(after, "[L-24]"))[0] == "quiet"
