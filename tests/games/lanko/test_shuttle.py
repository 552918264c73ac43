"""End e: a seat shuttles with the only piece that it could move."""

from __future__ import annotations

from tests.games.lanko.drawing import drawn
from tests.games.lanko.playing import ended, goes_on, legal, play

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


def test_three_shuttles_end_the_game() -> None:
    position = drawn("lanko-68", FOUR_KINGS, repetition=False)
    for line in (THERE, BACK, THERE, BACK, THERE):
        position = play(position, line)
        assert goes_on(position)
    assert ended(play(position, "46-P")) == ("shuttle", 0)


# S's castle on 34 cannot move: 26 and 33 are occupied, the pieces it could take have no vacant
# square behind them (F, the edge), and to the right is a barrier. The castle on P can.
SURROUNDED = """
            . . B . .
            . . . . .
        . . . . . . . . .
        p . . . . . . . .
        . p . . X . . . b
        . p . . . . . . .
        p S . . . . . . .
            . . . . .
            . . B . .
"""
MARCH = ("17-18 A-2 L-24", "18-19 2-A 24-L", "19-20 A-2 L-24", "20-D 2-A 24-L", "D-21 A-2 L-24")


def test_seat_whose_other_pieces_are_shut_in_shuttles() -> None:
    position = drawn("lanko-68", SURROUNDED)
    for there, back in zip(("P-46", "46-P") * 3, MARCH, strict=False):
        assert {text[1:].split("-")[0] for text in legal(position)} == {there.split("-")[0]}
        position = play(position, f"{there} {back}")
    assert goes_on(position)
    # White 12 + 12 + 6 = 30. Black 12 and four pawns = 20.
    assert ended(play(position, "46-P")) == ("shuttle", 10)


def test_seat_that_could_move_another_piece_does_not_end_the_game() -> None:
    # Without the pawn on 33 the castle on 34 could step there.
    position = drawn("lanko-68", SURROUNDED.replace("        p S", "        . S"))
    for there, back in zip(("P-46", "46-P") * 3, MARCH, strict=False):
        position = play(position, f"{there} {back}")
    assert "[34-33]" in legal(position)
    assert goes_on(play(position, "46-P"))


ROOM_FOR_THE_OTHERS = """
            . . B . P
            . . . . .
        . . . . . . . . p
        b . . . . . . . .
        . p . . X . . . b
        . p . . . . . . .
        p S . . . . . . .
            . . . . .
            . . B . .
"""
# White 12 + 12 + 6 + 2 = 32. Black 12 + 12 and four pawns = 32.


def test_turn_with_another_free_piece_restarts_the_count() -> None:
    position = drawn("lanko-68", ROOM_FOR_THE_OTHERS, repetition=False)
    for line in (
        "P-46 17-9 A-2 L-24",
        "46-P 9-17 2-A 24-L",
        "P-46 33-25 A-2 L-24",  # the pawn on 33 makes way
    ):
        position = play(position, line)
    assert "[34-33]" in legal(position)
    position = play(position, "46-P 25-33 2-A 24-L")
    assert "[34-33]" not in legal(position)
    for line in (
        "P-46 17-9 A-2 L-24",
        "46-P 9-17 2-A 24-L",
        "P-46 17-9 A-2 L-24",
        "46-P 9-17 2-A 24-L",
        "P-46 17-9 A-2 L-24",
    ):
        position = play(position, line)
        assert goes_on(position)
    assert ended(play(position, "46-P")) == ("shuttle", 0)


def test_other_squares_restart_the_count() -> None:
    position = drawn("lanko-68", ROOM_FOR_THE_OTHERS, repetition=False)
    ways = ("P-46", "46-P", "P-46", "46-P", "P-47", "47-P", "P-47", "47-P", "P-47")
    for way, others in zip(ways, ("17-9 A-2 L-24", "9-17 2-A 24-L") * 5, strict=False):
        position = play(position, f"{way} {others}")
        assert goes_on(position)
    assert ended(play(position, "47-P")) == ("shuttle", 0)


PASSING = """
            . . B . P
            . . . . .
        . . . . . . . . .
        . . . . . . . . .
        b . . . X . . . b
        . . . . . . . . .
        . . . p . . . . .
            p s . . .
            S . . s .
"""


def test_pass_in_between_restarts_the_count() -> None:
    # S's castle goes 45-46 and back. 41 is occupied with a barrier behind it, 42 has 36 behind it.
    position = drawn("lanko-68", PASSING, repetition=False)
    for line in (
        "45-46 E-17 A-2 L-24",
        "46-45 17-E 2-A 24-L",
        "45-46 E-17 A-2 L-24",
        "46-45 42-46 2-A 47-P",
    ):
        position = play(position, line)
    # Now it is shut in on 45 for one turn.
    assert position.passed == ("S",)
    for line in (
        "46-42 A-2 P-O",
        "45-46 17-E 2-A 24-L",
        "46-45 E-17 A-2 L-24",
        "45-46 17-E 2-A 24-L",
        "46-45 E-17 A-2 L-24",
        "45-46 17-E 2-A 24-L",
    ):
        position = play(position, line)
        assert goes_on(position)
    # White 12 + 6 + 2 = 20; Black 12 + 12 + 6 + 6 + 2 + 2 = 40.
    assert ended(play(position, "46-45")) == ("shuttle", -20)


def test_d_comes_before_e() -> None:
    position = drawn("lanko-68", FOUR_KINGS, repetition=False)
    for line in (THERE, BACK, THERE, BACK, THERE):
        position = play(position, line)
    for seat in "WNE":
        position = play(position, "[+++]", seat)
    assert ended(play(position, "[46-P]")) == ("shuttle", 0)
    assert ended(play(position, "[46-P +++]")) == ("agreed", 0)


def test_e_comes_before_f() -> None:
    # The sixth move is the 21st turn, which reaches the limit.
    position = drawn("lanko-68", FOUR_KINGS, repetition=False, quiet=179)
    for line in (THERE, BACK, THERE, BACK, THERE):
        position = play(position, line)
    assert ended(play(position, "46-P")) == ("shuttle", 0)
    position = drawn("lanko-68", FOUR_KINGS, repetition=False, quiet=180)
    for line in (THERE, BACK, THERE, BACK):
        position = play(position, line)
    assert ended(play(position, THERE)) == ("quiet", 0)
