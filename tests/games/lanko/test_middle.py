"""The middle of Lanko-88 and Lanko-68: castles enter, pawns are burned."""

from __future__ import annotations

import pytest

from pbem.games.api import Seat
from tests.games.lanko.drawing import drawn, placed, redrawn, tidy
from tests.games.lanko.playing import goes_on, legal, legal_from, play


@pytest.mark.parametrize(
    ("seat", "man", "start"),
    (
        ("S", "S", "M"),
        ("S", "B", "H"),
        ("S", "B", "I"),
        ("N", "S", "D"),
        ("N", "B", "H"),
        ("W", "b", "H"),
        ("W", "s", "D"),
        ("E", "b", "I"),
        ("E", "s", "M"),
    ),
)
def test_castle_enters_from_the_four_innermost_strip_squares(
    seat: Seat, man: str, start: str
) -> None:
    position = placed("lanko-68", f"{man}:{start} B:A b:E b:L B:P", seat)
    assert "-(X)" in legal_from(position, start)
    after = play(position, f"[{start}-(X)]")
    assert redrawn(after) == redrawn(placed("lanko-68", f"{man}:X B:A b:E b:L B:P"))


def test_castle_does_not_enter_backwards_or_diagonally() -> None:
    assert "-(X)" not in legal_from(placed("lanko-68", "S:D", "S"), "D")
    assert "-(X)" not in legal_from(placed("lanko-68", "S:21", "N"), "21")


def test_pieces_in_the_middle_stay_and_cannot_be_taken_or_jumped() -> None:
    assert {text[:3] for text in legal(placed("lanko-68", "B:X P:45"))} == {"[45"}
    assert legal_from(placed("lanko-68", "B:X P:I"), "I") == {"-(X)", "-J", "-21", "-D", "-22"}
    for men, seat in (("b:X S:I", "S"), ("b:X P:M", "S"), ("B:X s:H", "W"), ("B:X p:D", "E")):
        assert not any(":" in text for text in legal(placed("lanko-68", men, seat)))


def test_middle_has_room_until_it_is_full() -> None:
    position = placed("lanko-68", "B:X S:X b:X s:H B:A b:L", "W")
    assert "-(X)" in legal_from(position, "H")


def test_entering_ends_the_move() -> None:
    # Pawns with a vacant square behind them are on three sides of the middle.
    position = placed("lanko-68", "S:C p:D p:I p:M p:H b:E B:A", "N")
    assert legal(position) == ["[C:(X)]"]
    after = play(position, "[C:(X)]")
    assert goes_on(after)
    assert redrawn(after) == redrawn(placed("lanko-68", "S:X p:I p:M p:H b:E B:A"))


BURNING = {
    "a step": ("P:D", "N", "D-(X)", ""),
    "a slanting step": ("P:21", "N", "21-(X)", ""),
    "a jump": ("P:C P:D", "N", "C-(X)", "P:D"),
    "a capture": ("P:C p:D p:14", "N", "C:(X)", "p:14"),
}


@pytest.mark.parametrize(("men", "seat", "move", "left"), BURNING.values(), ids=BURNING)
def test_pawn_that_enters_the_middle_is_burned(men: str, seat: Seat, move: str, left: str) -> None:
    rest = "B:A B:P b:E b:L"
    after = play(placed("lanko-68", f"{men} {rest}", seat), f"[{move}]")
    assert redrawn(after) == redrawn(placed("lanko-68", f"{left} {rest}"))
    assert after.middle == ""


def test_pawn_must_burn_itself_if_it_can_only_capture_that_way() -> None:
    position = drawn(
        "lanko-68",
        """
            . . B . .
            . P . . .
        . . . . P . . . .
        . . . . p . . . .
        b . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
        "N",
    )
    assert legal(position) == ["[C:(X)]"]
    assert redrawn(play(position, "[C:(X)]")) == tidy(
        """
            . . B . .
            . P . . .
        . . . . . . . . .
        . . . . . . . . .
        b . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """
    )
