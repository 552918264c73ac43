"""Ends a, b and c, their order, and the score (rulebook, Lanko, "End of the game").

Scores are counted by hand beside each drawing: castle 12 or 6, at home threefold, pawn 2.
"""

from __future__ import annotations

from pbem.games import game_of
from pbem.games.phrases import ENGLISH
from tests.games.lanko.drawing import drawn
from tests.games.lanko.playing import ended, game, goes_on, legal, outcome, play

# ------------------------------------------------------------------ a


def test_a_when_the_fourth_castle_enters() -> None:
    position = drawn(
        "lanko-68",
        """
            P . . . .
            . . . . .
        . . . . . . . . p
        . . . . . . . . .
        b . . . XSbs . . . .
        . . . . B . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    # White 36 + 18 + 2 = 56; Black 36 + 18 + 12 + 2 = 68.
    assert ended(play(position, "[M-(X)]")) == ("middle-full", -12)


def test_a_when_the_fourth_castle_enters_by_a_capture() -> None:
    position = drawn(
        "lanko-88",
        """
                . . P . .
                . . . . .
                . . . . .
        . . . . . B . . . . .
        . . . . . p . . . . .
        b . . . . XSbs . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
        """,
        "N",
    )
    # White 36 + 18 + 2 = 56; Black 36 + 18 + 12 = 66.
    assert ended(play(position, "[D:(X)]")) == ("middle-full", -10)


def test_a_when_the_fourth_end_square_is_occupied() -> None:
    position = drawn(
        "lanko-103",
        """
                P . . _ .
                . . . . .
                . . . . .
                . . . . .
        . . . . . . . . . . . . .
        . . . . . . B . . . . . .
        b . . . . . S b . . . . .
        . . . . . . b . . . . . .
        . . . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
                . _ . . .
        """,
    )
    # White 36 + 18 + 2 = 56; Black 36 + 36 + 12 = 84.
    assert ended(play(position, "[G-(W)]")) == ("middle-full", -28)


def test_a_comes_before_c() -> None:
    # White's last piece outside is the fourth castle at home.
    position = drawn(
        "lanko-68",
        """
            . . . . .
            . . . . .
        . . . . . . . . .
        . . . . . . . . .
        b . . . XSbs . . . .
        . . . . B . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    # White 36 + 18 = 54; Black 36 + 18 + 12 = 66.
    assert ended(play(position, "[M-(X)]")) == ("middle-full", -12)


# ------------------------------------------------------------------ c


def test_c_when_the_last_piece_outside_is_taken() -> None:
    position = drawn(
        "lanko-68",
        """
            . . B . .
            P p . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . Xb . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
        "N",
    )
    after = play(position, "[5:B]")
    # White 12 + 2 = 14. Black, although annihilated, 36.
    assert ended(after) == ("annihilated", -22)
    assert outcome(after).winners == ("W", "E")


def test_c_comes_before_b() -> None:
    # The last black piece is the last castle outside, too.
    position = drawn(
        "lanko-68",
        """
            . . . . .
            P b . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . XB . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
        "N",
    )
    # White 36 + 2, Black nothing.
    assert ended(play(position, "[5:B]")) == ("annihilated", 38)


def test_c_on_purpose_by_burning_the_last_piece() -> None:
    position = drawn(
        "lanko-68",
        """
            . . . . .
            . . . . .
        . . . . . . . . .
        . . . . . . . . .
        b . . . XB . . . .
        . . . . P . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    # White 36, as the burned pawn counts for neither side. Black 12.
    assert ended(play(position, "[M-(X)]")) == ("annihilated", 24)


def test_c_comes_before_d() -> None:
    position = drawn(
        "lanko-68",
        """
            . . B . .
            P p . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . Xb . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
        "N",
    )
    # W's pawn on 6 is the last black piece: nobody is left who would have to declare.
    assert ended(play(position, "[5:B +++]")) == ("annihilated", -22)


def test_standby_pawn_is_a_piece_left_outside() -> None:
    position = drawn(
        "lanko-103",
        """
                . . . _ .
                . . . . .
                . . . . .
                . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        b . . . . . S . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
                . _ . P .
        """,
    )
    assert goes_on(play(position, "[G-(N)]"))


# ------------------------------------------------------------------ b


def test_b_when_the_last_castle_outside_enters() -> None:
    position = drawn(
        "lanko-68",
        """
            P . . . .
            . . . . .
        p . . . . . . . p
        . . . . . . . . .
        . . . . Xb . . . .
        . . . . B . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    # White 36 + 2; Black 36 + 4.
    assert ended(play(position, "[M-(X)]")) == ("no-entry", -2)


def test_b_when_the_last_castle_outside_is_taken() -> None:
    position = drawn(
        "lanko-68",
        """
            . . . . .
            P s . . .
        p . . . . . . . .
        . . . . . . . . .
        . . . . XB . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
        "N",
    )
    # White 36 + 2; Black 2.
    assert ended(play(position, "[5:B]")) == ("no-entry", 36)


PACKED = """
                P . B _ P
                . P . P .
                P . P . P
                . P . P .
        p . p . p . p . p . p . p
        . p . p . p . p . p . p .
        p . p . p . p . p . p . b
        . p . p . p . p . p . p .
        p . p . p . p . p . p . p
                . P . P .
                P . P . P
                . P . . .
                P _ P P P
"""
# White: B 12, nine pawns in the north, nine in the south, one standby: 12 + 38 = 50.
# Black: b 12 and 32 pawns: 12 + 64 = 76.


def test_b_when_nobody_can_move() -> None:
    position = drawn("lanko-103", PACKED)
    assert sorted(legal(position)) == ["[#S-38]", "[40-38]", "[P-38]"]
    assert ended(play(position, "[#S-38]")) == ("no-entry", -26)


def test_blockade_with_one_move_left_ends_nothing() -> None:
    after = play(drawn("lanko-103", PACKED), "[40-38]")
    assert goes_on(after)
    assert after.passed == ("W", "N", "E")
    assert after.seat == "S"
    assert after.turn == 5
    assert legal(after) == ["[#S-40]"]
    assert ended(play(after, "[#S-40]")) == ("no-entry", -26)


def test_b_comes_before_d() -> None:
    position = drawn(
        "lanko-68",
        """
            P . . . .
            . . . . .
        p . . . . . . . p
        . . . . . . . . .
        . . . . Xb . . . .
        . . . . B . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    for seat in "WNE":
        position = play(position, "[+++]", seat)
    assert ended(play(position, "[M-(X) +++]")) == ("no-entry", -2)


# ------------------------------------------------------------------ score


def test_example_of_the_source_is_scored_right() -> None:
    position = drawn(
        "lanko-68",
        """
            P P . P P
            P . . P P
        p . . . . . . . .
        p . . . s . . . .
        . . . . XBb . . . .
        p . . . . . . . .
        p . . . . . . . .
            . . . . .
            . . . . .
        """,
        "W",
    )
    # A castle and seven pawns, 36 + 14 = 50, against two castles and four pawns, 36 + 18 + 8 = 62.
    assert ended(play(position, "[D-(X)]")) == ("no-entry", -12)


def test_side_that_resigns_loses_by_at_least_a_point() -> None:
    position = drawn(
        "lanko-68",
        """
            P . . . .
            . . . . .
        . . . . . . . . p
        . . . . . . . . .
        b . . . XB . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . S . .
        """,
    )
    # Black resigns: White 36 + 3 x 6 + 2 = 56 against 12 + 2 = 14 as it is.
    for seats in (("W", "E"), ("E", "W")):
        assert game(position).forfeit(position, seats) == {"S": 42, "W": -42, "N": 42, "E": -42}
    # White resigns: Black 3 x 12 + 2 = 38 against 36 + 6 + 2 = 44, still one point apart.
    assert game(position).forfeit(position, ("S", "N")) == {"S": -1, "W": 1, "N": -1, "E": 1}


def test_opening_is_worth_the_same_for_both() -> None:
    for key, points in (("lanko-88", 96), ("lanko-68", 76), ("lanko-103", 80)):
        position = game_of(key).initial(2, {})
        titles = [
            ENGLISH.text(group.title) for group in game(position).diagram(position, "S").groups
        ]
        assert titles == [f"White, {points} points", f"Black, {points} points"]
