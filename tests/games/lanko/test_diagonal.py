"""Moves on Lanko-103: diagonal steps and jumps, end squares, standby pawns."""

from __future__ import annotations

import pytest

from pbem.games.api import Seat
from tests.games.lanko.drawing import drawn, placed, redrawn, tidy
from tests.games.lanko.playing import goes_on, legal, legal_from, play

# ------------------------------------------------------------------ steps and jumps


@pytest.mark.parametrize(
    ("seat", "start", "ways"),
    (("S", "M", "-23 -24"), ("W", "E", "-16 -22"), ("N", "C", "-17 -18"), ("E", "K", "-19 -25")),
)
def test_pawn_and_castle_step_diagonally_forward(seat: Seat, start: str, ways: str) -> None:
    for man in "PSB" if seat in "SN" else "psb":
        assert legal_from(placed("lanko-103", f"{man}:{start}", seat), start) == set(ways.split())


def test_pawn_and_castle_jump_over_any_piece_of_their_colour() -> None:
    for man in "PSB":
        for other in "PSB":
            men = f"{man}:M {other}:23 {other}:24 {other}:33 {other}:34"
            assert legal_from(placed("lanko-103", men), "M") == {"-F", "-H"}
    assert legal_from(placed("lanko-103", "P:M P:23 P:F P:24 p:H"), "M") == set()


def test_examples_of_the_source_are_legal() -> None:
    assert "[8-B]" in legal(placed("lanko-103", "p:8", "E"))
    assert "[P-36]" in legal(placed("lanko-103", "P:P P:38", "S"))
    assert "[G-(N)]" in legal(placed("lanko-103", "S:G", "S"))
    assert "[#S-P]" in legal(placed("lanko-103", "P:#S", "S"))


# ------------------------------------------------------------------ captures


def test_captures_go_diagonally_in_all_four_directions() -> None:
    for man in "PSB":
        for other in "psb":
            men = f"{man}:M {other}:23 {other}:24 {other}:33 {other}:34"
            assert legal_from(placed("lanko-103", men), "M") == {":F", ":H", ":35", ":36"}


def test_capture_continues_and_must_be_made() -> None:
    assert legal(placed("lanko-103", "P:G p:24 p:25 P:39 P:#S")) == ["[G:30:K]"]


def test_castle_on_a_manoeuvre_square_can_be_taken() -> None:
    assert legal(placed("lanko-103", "p:23 B:G", "W")) == ["[23:18]"]
    assert legal(placed("lanko-103", "P:29 b:23", "S")) == ["[29:G]"]


def test_attack_from_the_common_strip_works() -> None:
    # S steps to the W-E strip, W answers, N takes two castles and five pawns with S's pawn.
    position = drawn(
        "lanko-103",
        """
                . . B _ .
                . . . . .
                . . . . .
                . p . p .
        . . . . . . . . . . . . .
        . . . p . b . . . p . . p
        . . . . . . . . . . . . .
        p P . P . . . s . p . . .
        . . . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
                . _ . . .
        """,
    )
    position = play(position, "[22-E] [#W-27]")
    assert position.seat == "N"
    round_trips = ["[E:11:B:12:K:30:G:11]", "[E:11:G:30:K:12:B:11]"]
    assert sorted(legal(position)) == round_trips
    for text in round_trips:
        assert redrawn(play(position, text)) == tidy(
            """
                . . B _ .
                . . . . .
                . . . . .
                . . . . .
        . . . . P . . . . . . . .
        . . . . . . . . . . . . p
        . . . . . . . . . . . . .
        . P . . . . . . . . . . .
        p . . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
                . _ . . .
            """
        )


# ------------------------------------------------------------------ end squares


@pytest.mark.parametrize(
    ("seat", "start", "ends"),
    (
        ("S", "G", "(N) (W) (E)"),  # never back to (S)
        ("W", "G", "(E) (N) (S)"),
        ("N", "G", "(S) (W) (E)"),
        ("E", "G", "(W) (N) (S)"),
        ("W", "17", "(N) (W)"),
        ("N", "17", "(N) (W)"),
        ("N", "18", "(N) (E)"),
        ("E", "18", "(N) (E)"),
        ("S", "23", "(W) (S)"),
        ("W", "23", "(W) (S)"),
        ("S", "24", "(E) (S)"),
        ("E", "24", "(E) (S)"),
    ),
)
def test_castle_steps_from_a_manoeuvre_square_forward_or_sideways(
    seat: Seat, start: str, ends: str
) -> None:
    for castle in "SB" if seat in "SN" else "sb":
        ways = legal_from(placed("lanko-103", f"{castle}:{start}", seat), start)
        assert {way for way in ways if "(" in way} == {f"-{end}" for end in ends.split()}
    pawn = "P" if seat in "SN" else "p"
    ways = legal_from(placed("lanko-103", f"{pawn}:{start}", seat), start)
    assert not any("(" in way for way in ways)


def test_end_square_cannot_be_reached_from_elsewhere() -> None:
    for start, seat in (("F", "S"), ("M", "S"), ("C", "N"), ("H", "N")):
        ways = legal_from(placed("lanko-103", f"S:{start}", seat), start)
        assert not any("(" in way for way in ways)


def test_castle_on_an_end_square_stays_and_cannot_be_taken() -> None:
    men = "S:(N) B:(W) p:17 p:G b:18"
    assert legal(placed("lanko-103", men, "S")) == []
    assert not any(":" in text for text in legal(placed("lanko-103", men, "W")))
    # An occupied end square cannot be entered again either.
    ways = legal_from(placed("lanko-103", "B:G b:(N) S:(W)"), "G")
    assert {way for way in ways if "(" in way} == {"-(E)"}


def test_castle_counts_threefold_on_an_end_square_and_play_continues() -> None:
    after = play(placed("lanko-103", "S:G B:A b:D b:L"), "[G-(N)]")
    assert redrawn(after) == redrawn(placed("lanko-103", "S:(N) B:A b:D b:L"))
    assert goes_on(after)


# ------------------------------------------------------------------ standby pawns


@pytest.mark.parametrize(
    ("seat", "man", "ways"),
    (
        ("S", "P:#S", "-38 -P -40"),
        ("W", "p:#W", "-21 -D -27"),
        ("N", "P:#N", "-3 -1 -A"),
        ("E", "p:#E", "-20 -L -14"),
    ),
)
def test_standby_pawn_steps_straight_forward_or_sideways(seat: Seat, man: str, ways: str) -> None:
    position = placed("lanko-103", man, seat)
    start = man.split(":")[1]
    assert legal_from(position, start) == set(ways.split())
    forward, *sideways = ways.split()
    taken = " ".join(f"{man[0]}:{way[1:]}" for way in sideways)
    assert legal_from(placed("lanko-103", f"{man} {taken}", seat), start) == {forward}


def test_standby_pawn_becomes_an_ordinary_pawn() -> None:
    after = play(placed("lanko-103", "P:#S B:A b:D b:L"), "[#S-38] [D-15] [A-3] [L-20]")
    assert legal_from(after, "38") == {"-36", "-N"}


def test_standby_pawn_neither_takes_nor_is_taken_nor_jumps() -> None:
    # 38, P and 40 are all occupied by adversaries, or by own pieces with room behind.
    assert legal(placed("lanko-103", "P:#S p:38 p:P p:40")) == []
    assert legal_from(placed("lanko-103", "P:#S P:38 P:P P:40"), "#S") == set()
    for men in ("P:#S p:38", "P:#S p:P", "P:#S p:40"):
        assert not any(":" in text for text in legal(placed("lanko-103", men, "E")))
