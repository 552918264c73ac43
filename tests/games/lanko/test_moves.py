"""Moves on Lanko-88 and Lanko-68: steps, jumps and captures."""

from __future__ import annotations

import random

import pytest

from pbem.games import game_of
from pbem.games.api import Seat
from pbem.games.lanko.position import LankoPosition, legal_moves
from tests.games.lanko.drawing import drawn, placed, redrawn, tidy
from tests.games.lanko.playing import legal, legal_from, play

SEATS = ("S", "W", "N", "E")


# ------------------------------------------------------------------ steps


@pytest.mark.parametrize(
    ("seat", "start", "straight", "slanting"),
    (
        ("S", "48", "-38 -Q -49", "-P -39"),
        ("W", "26", "-27 -16 -I", "-17 -J"),
        ("N", "18", "-28 -D -19", "-E -29"),
        ("E", "38", "-P -K -48", "-(X) -Q"),
    ),
)
def test_pawn_has_five_ways_and_castle_three(
    seat: Seat, start: str, straight: str, slanting: str
) -> None:
    pawn, big, small = "PBS" if seat in "SN" else "pbs"
    five = {*straight.split(), *slanting.split()}
    assert legal_from(placed("lanko-88", f"{pawn}:{start}", seat), start) == five
    for castle in (big, small):
        ways = legal_from(placed("lanko-88", f"{castle}:{start}", seat), start)
        assert ways == set(straight.split())


def test_occupied_squares_and_the_edge_block_moves() -> None:
    assert legal_from(placed("lanko-88", "S:61"), "61") == {"-57", "-62"}
    assert legal_from(placed("lanko-88", "S:61 S:57"), "61") == {"-62"}
    assert legal_from(placed("lanko-88", "P:33"), "33") == {"-F", "-34", "-G"}


def test_piece_belongs_to_the_half_it_is_on() -> None:
    men = "P:H P:11 P:55 p:15 p:T p:52"
    assert {text[1:3] for text in legal(placed("lanko-88", men, "S"))} == {"H-", "55"}
    assert {text[1:3] for text in legal(placed("lanko-88", men, "N"))} == {"H-", "11"}
    assert {text[1:3] for text in legal(placed("lanko-88", men, "W"))} == {"15", "T-"}
    assert {text[1:3] for text in legal(placed("lanko-88", men, "E"))} == {"52", "T-"}


def test_both_seats_move_a_piece_on_the_common_strip_their_own_way() -> None:
    # H (-3,0): S moves it north, N south, and both sideways.
    assert legal_from(placed("lanko-88", "P:H", "S"), "H") == {"-25", "-G", "-I", "-24", "-26"}
    assert legal_from(placed("lanko-88", "P:H", "N"), "H") == {"-35", "-G", "-I", "-34", "-36"}
    # R (0,-3): W moves it east, E west.
    assert legal_from(placed("lanko-88", "s:R", "W"), "R") == {"-Q", "-S", "-55"}
    assert legal_from(placed("lanko-88", "s:R", "E"), "R") == {"-Q", "-S", "-54"}


def test_piece_that_crossed_the_strip_moves_the_other_way() -> None:
    position = placed("lanko-88", "P:H b:F b:O B:A", "S")
    after = play(position, "[H-25] [F-33]")
    assert legal_from(after, "25") == {"-H", "-24", "-26", "-G", "-I"}
    assert legal_from(play(after, "[A-2] [O-42]"), "25") == set()


# ------------------------------------------------------------------ jumps


def test_pawn_jumps_over_a_pawn_of_its_colour() -> None:
    # Q (0,-2) with pawns all round: forward over P, left over 47, right over 48. Not backwards over
    # R, not diagonally over 37 and 38.
    men = "P:Q P:P P:47 P:48 P:R P:37 P:38"
    assert legal_from(placed("lanko-88", men), "Q") == {"-(X)", "-46", "-49"}
    assert legal_from(placed("lanko-88", f"{men} P:46 p:49"), "Q") == {"-(X)"}


def test_castles_do_not_jump_and_are_not_jumped() -> None:
    assert legal_from(placed("lanko-88", "P:Q S:P B:47 S:48 P:37 P:38"), "Q") == set()
    assert legal_from(placed("lanko-88", "S:Q P:P P:47 P:48"), "Q") == set()


def test_turn_has_only_one_jump() -> None:
    # Over 47 to 46, and no further over 36 or 45.
    men = "P:Q P:47 P:36 P:45"
    assert legal_from(placed("lanko-88", men), "Q") == {"-46", "-P", "-48", "-37", "-38"}


def test_examples_of_the_rulebook_are_legal() -> None:
    assert "[7-B]" in legal(placed("lanko-88", "P:7", "N"))
    assert "[8-B]" in legal(placed("lanko-88", "P:8 P:7", "N"))
    assert legal(placed("lanko-88", "P:9 p:10", "N")) == ["[9:C]"]
    assert legal(placed("lanko-88", "P:9 p:10 p:D", "N")) == ["[9:C:E]"]
    assert "[E-(X)]" in legal(placed("lanko-88", "S:E", "N"))
    assert legal(placed("lanko-88", "S:D p:E", "N")) == ["[D:(X)]"]


# ------------------------------------------------------------------ captures


def test_pawns_and_castles_capture_each_other_in_all_directions() -> None:
    for own in "PSB":
        for adverse in "psb":
            men = f"{own}:37 {adverse}:J {adverse}:47 {adverse}:36 {adverse}:P"
            assert legal_from(placed("lanko-88", men), "37") == {":27", ":54", ":35", ":38"}


def test_capture_must_be_made() -> None:
    position = placed("lanko-88", "P:36 P:60 p:37 b:F", "S")
    assert legal(position) == ["[36:P]"]
    # The obligation holds for that seat and not for its partner.
    assert "[60-59]" in legal(placed("lanko-88", "P:60 P:18 p:28", "S"))


def test_capture_needs_one_adverse_piece_and_a_vacant_square() -> None:
    for men in ("P:36 P:37", "P:36 p:37 p:P", "P:36 p:37 P:P"):
        assert not any(":" in text for text in legal(placed("lanko-88", men)))


def test_capture_continues_as_long_as_possible_and_takes_none_twice() -> None:
    position = drawn(
        "lanko-88",
        """
                . . B . .
                . . . . .
                P p . . .
        . . . . . p . . . . .
        . . . . . . p . . . .
        b . . . . X . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
        """,
        "N",
    )
    assert legal(position) == ["[9:C:E:29]"]
    assert redrawn(play(position, "[9:C:E:29]")) == tidy(
        """
                . . B . .
                . . . . .
                . . . . .
        . . . . . . . . . . .
        . . . . . . . P . . .
        b . . . . X . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
        """
    )


def test_choice_of_captures_is_free_even_of_the_shorter_one() -> None:
    # From 17 (-1,2): east over D to 18 and over 28 to K, or south over 27 to J.
    position = placed("lanko-88", "P:17 p:D p:28 p:27", "N")
    assert sorted(legal(position)) == ["[17:18:K]", "[17:J]"]


def test_choice_of_the_capturing_piece_is_free() -> None:
    position = placed("lanko-88", "P:17 p:D P:1 p:2", "N")
    assert sorted(legal(position)) == ["[17:18]", "[1:A]"]


def test_capture_may_return_to_its_start_and_pass_it() -> None:
    # A ring H F 13 15, and 35 as a fifth that is taken from H on the way back.
    position = placed("lanko-88", "P:H p:G p:23 p:14 p:25 p:35")
    assert sorted(legal(position)) == ["[H:15:13:F:H:45]", "[H:45]", "[H:F:13:15:H:45]"]
    after = play(placed("lanko-88", "P:H p:G p:23 p:14 p:25 p:35 b:O"), "[H:F:13:15:H:45]")
    assert redrawn(after).replace("\n", " ").split().count("P") == 1
    assert "p" not in redrawn(after)


def test_capture_over_the_strips_changes_the_owner() -> None:
    position = drawn(
        "lanko-68",
        """
            . . B . .
            . . . . .
        . . . . . p . . .
        . . . . . . . . .
        b . . . X p . . .
        . . . . . S . . .
        . . . . . . . . .
            . . . . .
            P . . . .
        """,
    )
    assert legal(position) == ["[29:21:7]"]
    after = play(position, "[29:21:7] [E-17]")
    assert after.seat == "N"
    assert legal_from(after, "7") == {"-B", "-13", "-8"}


def test_black_captures_over_its_own_strip() -> None:
    assert legal(placed("lanko-68", "p:20 P:D P:22", "W")) == ["[20:21:23]"]


def test_attack_from_the_common_strip_works_on_88() -> None:
    # S steps to the W-E strip, W answers, N takes two castles and four pawns with S's pawn.
    position = drawn(
        "lanko-88",
        """
                . . B . .
                . . . . .
                . . . . .
        . . . . b . p . . . .
        b . . p . . . p . s .
        . . . . . X . . p . .
        . . P P . . . . . . .
        . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
        """,
    )
    position = play(position, "[35-I] [23-F]")
    assert position.seat == "N"
    assert legal(position) == ["[I:16:D:19:L:N:21]"]
    after = play(position, "[I:16:D:19:L:N:21]")
    assert redrawn(after) == tidy(
        """
                . . B . .
                . . . . .
                . . . . .
        . . . . . . . . . P .
        . . . . . . . . . . .
        b . . . . X . . . . .
        . . . P . . . . . . .
        . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
        """
    )


# ------------------------------------------------------------------ no move


@pytest.mark.parametrize("key", ("lanko-88", "lanko-68", "lanko-103"))
def test_seat_is_passed_exactly_if_it_has_no_move(key: str) -> None:
    rules = game_of(key)
    passes = 0
    for seed in range(6):
        chance = random.Random(f"{key} {seed}")
        position: LankoPosition = rules.initial(4, {})
        while moves := list(rules.legal_actions(position)):
            mover = position.seat
            position = rules.play(position, chance.choice(moves))
            order = [SEATS[(SEATS.index(mover) + n) % 4] for n in range(1, 5)]
            assert (*position.passed, position.seat) == tuple(order[: len(position.passed) + 1])
            board, cells = position.terms.board, position.cells
            assert not any(legal_moves(board, cells, seat) for seat in position.passed)
            passes += len(position.passed)
    assert passes > 20
