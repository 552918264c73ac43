"""Hand-made checks of the naive Lanko against the rulebook."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.lanko.naive import MAPS, NaiveLanko, parse_map, perft

BOARDS = ("lanko-88", "lanko-68", "lanko-103")
# Castles far away from everything, so that the game of a drawn position is not over at once.
FAR_88 = {"A": "B", "F": "b"}  # (0,5) and (-5,0)


def on88(
    squares: dict[str, str], to_act: str = "S", players: int = 4, **options: Any
) -> NaiveLanko:
    return NaiveLanko.from_squares("lanko-88", players, squares, to_act, **options)


def on103(
    squares: dict[str, str], to_act: str = "S", players: int = 4, **options: Any
) -> NaiveLanko:
    return NaiveLanko.from_squares("lanko-103", players, squares, to_act, **options)


def moves_from(match: NaiveLanko, label: str) -> list[str]:
    start = "[" + label
    return sorted(text for text in match.legal() if text.startswith((start + "-", start + ":")))


def termination(match: NaiveLanko) -> str | None:
    outcome = match.outcome()
    return None if outcome is None else str(outcome["termination"])


# ---------------------------------------------------------------------- boards and opening


@pytest.mark.parametrize(
    ("board", "numbers", "letters"), (("lanko-88", 64, 20), ("lanko-68", 48, 16))
)
def test_orthogonal_boards_have_the_right_counts(board: str, numbers: int, letters: int) -> None:
    labels = list(parse_map(MAPS[board]).values())
    assert sorted(int(label) for label in labels if label.isdigit()) == list(range(1, numbers + 1))
    strip = sorted(label for label in labels if label.isalpha() and label != "X")
    assert strip == [chr(ord("A") + n) for n in range(letters)]
    assert labels.count("X") == 1
    total = numbers + letters + 4  # X is four squares in one
    assert total == int(board.removeprefix("lanko-"))


def test_diagonal_board_has_the_right_counts() -> None:
    cells = parse_map(MAPS["lanko-103"])
    assert len(cells) == 103
    dark = {square: label for square, label in cells.items() if sum(square) % 2 == 0}
    assert len(dark) == 53
    assert sorted(int(n) for n in dark.values() if n.isdigit()) == list(range(1, 41))
    assert sorted(n for n in dark.values() if n.isalpha()) == list("ABCDEFGHKLMNP")
    white = [label for square, label in cells.items() if square not in dark]
    assert len(white) == 50
    assert sorted(set(white)) == ["#E", "#N", "#S", "#W", "(E)", "(N)", "(S)", "(W)", "."]
    assert cells[(0, 0)] == "G"
    assert {cells[s] for s in ((1, 1), (1, -1), (-1, 1), (-1, -1))} == {"17", "18", "23", "24"}
    assert cells[(0, 1)] == "(N)"
    assert cells[(1, 0)] == "(E)"


@pytest.mark.parametrize("board", BOARDS)
def test_boards_are_the_same_under_rotation(board: str) -> None:
    cells = parse_map(MAPS[board])
    width = max(x for x, _ in cells)
    plus = {
        (x, y)
        for x in range(-width, width + 1)
        for y in range(-width, width + 1)
        if abs(x) <= 2 or abs(y) <= 2
    }
    missing = {(1, 6), (-1, -6)} if board == "lanko-103" else set()
    assert set(cells) == plus - missing


@pytest.mark.parametrize(
    ("board", "pieces", "points"),
    (("lanko-88", 15, 48), ("lanko-68", 10, 38), ("lanko-103", 11, 40)),
)
def test_opening_has_the_right_counts(board: str, pieces: int, points: int) -> None:
    match = NaiveLanko(board, 4)
    kinds = "".join(match.squares().values())
    assert len(kinds) == 4 * pieces
    for letter, times in (("B", 2), ("S", 4), ("P", 2 * (pieces - 3))):
        assert kinds.count(letter) == kinds.count(letter.lower()) == times
    assert match.points(True) == match.points(False) == 2 * points
    assert match.to_act() == "S"
    assert match.turn == 1
    assert match.outcome() is None


def test_opening_has_the_right_labels() -> None:
    squares = NaiveLanko("lanko-88", 2).squares()
    assert [squares[n] for n in ("1", "2", "A", "3", "4")] == list("PSBSP")
    assert [squares[n] for n in ("13", "23", "F", "33", "43")] == list("psbsp")
    assert squares["O"] == "b"
    assert squares["T"] == "B"
    assert "D" not in squares
    squares = NaiveLanko("lanko-103", 2).squares()
    assert [squares[n] for n in ("1", "#N", "A", "2")] == list("SPBS")
    assert [squares[n] for n in ("14", "#E", "L", "32", "#W", "#S")] == list("spbspP")


@pytest.mark.parametrize(("board", "first"), (("lanko-88", 14), ("lanko-68", 11), ("lanko-103", 8)))
def test_opening_is_the_same_for_every_seat(board: str, first: int) -> None:
    # Counted by hand. 88: 3 steps (those of the corner pawns are barred), 8 diagonal steps (those
    # from arm to arm are occupied), 3 jumps (two are barred). 68: no jumps (the back row's pawns
    # are at the corners, castles do not jump). 103: 4 steps and 4 jumps.
    squares = NaiveLanko(board, 4).squares()
    nodes = [perft(NaiveLanko.from_squares(board, 4, squares, seat), 2) for seat in "SWNE"]
    assert nodes[0][0] == first
    assert nodes[0] == nodes[1] == nodes[2] == nodes[3]


# ---------------------------------------------------------------------- moves, 88


def test_pawns_and_castles_step_their_own_ways() -> None:
    match = on88({**FAR_88, "48": "P"})  # (1,-2)
    assert moves_from(match, "48") == ["[48-38]", "[48-39]", "[48-49]", "[48-P]", "[48-Q]"]
    match = on88({**FAR_88, "48": "S"})
    assert moves_from(match, "48") == ["[48-38]", "[48-49]", "[48-Q]"]
    match = on88({**FAR_88, "48": "p"}, "E")  # forward is -x
    assert moves_from(match, "48") == ["[48-38]", "[48-55]", "[48-P]", "[48-Q]", "[48-R]"]


def test_piece_belongs_to_the_half_it_is_on() -> None:
    squares = {**FAR_88, "H": "P", "11": "P", "55": "P", "15": "p"}  # H: (-3,0)
    south, north = on88(squares, "S"), on88(squares, "N")
    # On the common strip both may move it, each their own way.
    assert moves_from(south, "H") == ["[H-24]", "[H-25]", "[H-26]", "[H-G]", "[H-I]"]
    assert moves_from(north, "H") == ["[H-34]", "[H-35]", "[H-36]", "[H-G]", "[H-I]"]
    assert not moves_from(south, "11")
    assert moves_from(north, "11")
    assert moves_from(south, "55")
    assert not moves_from(north, "55")
    assert moves_from(on88(squares, "W"), "15")
    assert not moves_from(on88(squares, "E"), "15")


def test_jump_needs_a_pawn_of_the_same_colour() -> None:
    match = on88({**FAR_88, "8": "P", "7": "P"}, "N")
    assert "[8-B]" in match.legal()
    assert "[7-B]" in match.legal()
    # Not over a castle, not by a castle, not over an adverse piece (that is a capture), not
    # backwards.
    assert "[8-B]" not in on88({**FAR_88, "8": "P", "7": "S"}, "N").legal()
    assert "[8-B]" not in on88({**FAR_88, "8": "S", "7": "P"}, "N").legal()
    assert on88({**FAR_88, "8": "P", "7": "p"}, "N").legal() == ["[8:B]"]
    match = on88({**FAR_88, "12": "P", "8": "P"}, "N")
    assert moves_from(match, "12") == ["[12-11]", "[12-18]", "[12-20]"]


def test_capture_is_compulsory_and_continues() -> None:
    squares = {"9": "P", "10": "p", "D": "p", "F": "b", "A": "B"}
    match = on88(squares, "N")
    assert match.legal() == ["[9:C:E]"]
    with pytest.raises(ValueError, match="not legal"):
        match.play("[9:C]")
    match.play("[9:C:E]")
    assert match.squares() == {"E": "P", "F": "b", "A": "B"}
    # Castles take and are taken too, backwards as well.
    match = on88({"39": "S", "49": "b", "F": "p", "A": "B"}, "S")
    assert "[39:56]" not in match.legal()  # barred: (2,-1) over (2,-2) to (2,-3)
    match = on88({"38": "S", "48": "b", "F": "p", "A": "B"}, "S")
    assert match.legal() == ["[38:55]"]


def test_choice_of_way_and_of_piece_is_free() -> None:
    # From 17 (-1,2): east over D to 18 and over 28 (1,1) to K (1,0), or south over 27 to J.
    match = on88({"17": "P", "D": "p", "28": "p", "27": "p", "F": "b", "A": "B"}, "N")
    assert sorted(match.legal()) == ["[17:18:K]", "[17:J]"]


def test_capture_in_a_circle_ends_at_its_start() -> None:
    # The corners (-3,0) (-5,0) (-5,2) (-3,2), a victim on each side.
    squares = {"H": "P", "G": "p", "23": "p", "14": "p", "25": "p", "O": "b", "A": "B"}
    match = on88(squares, "S")
    assert sorted(match.legal()) == ["[H:15:13:F:H]", "[H:F:13:15:H]"]
    match.play("[H:F:13:15:H]")
    assert match.squares() == {"H": "P", "O": "b", "A": "B"}


# ---------------------------------------------------------------------- barriers


def test_barrier_blocks_steps_jumps_and_captures() -> None:
    # (2,3) = 12 and (2,2) = 19 and (3,2) = 20: the north-east corner.
    match = on88({**FAR_88, "12": "P"}, "N")
    assert moves_from(match, "12") == ["[12-11]", "[12-18]", "[12-20]"]  # diagonals pass
    assert moves_from(on88({**FAR_88, "19": "P"}, "N"), "19") == [
        "[19-18]",
        "[19-28]",
        "[19-29]",
        "[19-30]",
    ]  # not [19-20]
    assert moves_from(on88({**FAR_88, "20": "S"}, "N"), "20") == ["[20-21]", "[20-30]"]
    # A jump's first and second step.
    assert "[8-19]" not in on88({**FAR_88, "8": "P", "12": "P"}, "N").legal()
    assert "[21-19]" not in on88({**FAR_88, "21": "P", "20": "P"}, "N").legal()
    assert "[18-20]" not in on88({**FAR_88, "18": "P", "19": "P"}, "N").legal()
    # Captures both ways through.
    for start, victim in (("8", "12"), ("29", "19"), ("21", "20"), ("18", "19"), ("12", "19")):
        match = on88({**FAR_88, start: "P", victim: "p"}, "N")
        assert not any(":" in text for text in match.legal()), (start, victim)
    # Round the barrier: a capture along the side of the arm is allowed.
    assert on88({**FAR_88, "7": "P", "11": "p"}, "N").legal() == ["[7:18]"]


def test_all_eight_barriers_block() -> None:
    for corner, others in (
        ("19", ("12", "20")),
        ("16", ("9", "15")),
        ("46", ("45", "53")),
        ("49", ("50", "56")),
    ):
        for other in others:
            seats = [
                (seat, start, end)
                for seat in "SWNE"
                for start, end in ((corner, other), (other, corner))
            ]
            for seat, start, end in seats:
                kind = "S" if seat in "SN" else "s"
                match = on88({**FAR_88, start: kind}, seat)
                assert f"[{start}-{end}]" not in match.legal()


def test_diagonal_step_passes_from_arm_to_arm() -> None:
    assert "[12-20]" in on88({**FAR_88, "12": "P"}, "N").legal()
    assert "[20-12]" in on88({**FAR_88, "20": "p"}, "E").legal()
    assert "[9-15]" in on88({**FAR_88, "9": "P"}, "N").legal()
    assert "[56-50]" in on88({**FAR_88, "56": "P"}, "S").legal()


# ---------------------------------------------------------------------- the middle


def test_castle_enters_the_middle() -> None:
    match = on88({"E": "S", "A": "B", "F": "b"}, "N")
    assert moves_from(match, "E") == ["[E-(X)]", "[E-27]", "[E-28]"]
    match.play("[E-(X)]")
    assert match.squares() == {"X": "S", "A": "B", "F": "b"}
    assert match.points(True) == 18 + 12
    # Its neighbours can neither take it nor jump over it. A second one finds room.
    match = on88({"X": "S", "J": "b", "K": "p", "A": "B"}, "W")
    assert moves_from(match, "J") == ["[J-(X)]", "[J-27]", "[J-37]"]
    match.play("[J-(X)]")
    assert match.squares()["X"] == "Sb"
    assert on88({"X": "sbSB", "A": "B", "F": "b"}).squares()["X"] == "BSbs"


def test_capture_into_the_middle_ends_the_move() -> None:
    # The middle ends the move although P (0,-1) seems capturable from it.
    match = on88({"D": "S", "E": "p", "P": "p", "A": "B", "F": "b"}, "N")
    assert match.legal() == ["[D:(X)]"]
    match.play("[D:(X)]")
    assert match.squares() == {"X": "S", "P": "p", "A": "B", "F": "b"}
    match = on88({"17": "S", "D": "p", "28": "p", "J": "p", "A": "B", "F": "b"}, "N")
    assert match.legal() == ["[17:18:K]"]


def test_pawn_is_burned_in_the_middle() -> None:
    squares = {"A": "B", "F": "b", "1": "P"}
    match = on88({**squares, "E": "P"}, "N", quiet=7)
    passes = match.play("[E-(X)]")
    assert match.squares() == squares
    assert match.quiet == len(passes) < 4
    assert match.points(True) == 14
    # Diagonally from (1,1), by a jump, and by a capture that it has to make.
    match = on88({**squares, "28": "P"}, "N")
    match.play("[28-(X)]")
    assert match.squares() == squares
    match = on88({**squares, "D": "P", "E": "P"}, "N")
    match.play("[D-(X)]")
    assert match.squares() == {**squares, "E": "P"}
    match = on88({**squares, "D": "P", "E": "p"}, "N")
    assert match.legal() == ["[D:(X)]"]
    match.play("[D:(X)]")
    assert match.squares() == squares


def test_attack_of_the_source_works() -> None:
    # S steps to the common strip, W answers, N takes several with the piece that S moved.
    squares = {"35": "P", "36": "P", "26": "p", "17": "p", "F": "b", "A": "B"}
    match = on88(squares, "S")
    match.play("[35-I]")
    assert not any(":" in text for text in match.legal())  # 36 is behind
    match.play("[F-G]")
    assert match.to_act() == "N"
    assert match.legal() == ["[I:16:D]"]
    match.play("[I:16:D]")
    assert match.squares() == {"36": "P", "D": "P", "G": "b", "A": "B"}


# ---------------------------------------------------------------------- moves, 103


def test_source_examples_hold_on_103() -> None:
    far = {"A": "B", "D": "b"}
    assert "[8-B]" in on103({**far, "8": "p"}, "E").legal()
    assert "[P-36]" in on103({**far, "P": "P", "38": "S"}, "S").legal()
    # [38-40], [3-M] and [9:38] are legal for nobody.
    for seat in "SWNE":
        kind = "P" if seat in "SN" else "p"
        assert "[38-40]" not in on103({**far, "38": kind}, seat).legal()
        assert "[3-M]" not in on103({**far, "3": kind}, seat).legal()


def test_steps_and_jumps_on_103_are_right() -> None:
    far = {"A": "B", "D": "b"}
    assert moves_from(on103({**far, "M": "P"}), "M") == ["[M-23]", "[M-24]"]
    assert moves_from(on103({**far, "M": "B"}), "M") == ["[M-23]", "[M-24]"]
    # A castle jumps over a castle too, but not over an adverse piece, and only once.
    assert moves_from(on103({**far, "M": "S", "23": "B"}), "M") == ["[M-24]", "[M-F]"]
    match = on103({**far, "M": "S", "23": "B", "16": "P"})
    assert moves_from(match, "M") == ["[M-24]", "[M-F]"]
    assert on103({**far, "M": "S", "24": "p", "E": "p"}).legal() == ["[M:H]"]
    assert moves_from(on103({**far, "M": "S", "24": "p", "H": "p"}), "M") == ["[M-23]"]


def test_captures_on_103_are_right() -> None:
    far = {"A": "B", "D": "b"}
    # G (0,0) over 24 (1,-1) to 30 (2,-2) and over 25 (3,-1) to K (4,0).
    assert on103({**far, "G": "P", "24": "p", "25": "p"}).legal() == ["[G:30:K]"]
    # Backwards. And a castle on G may be taken like any other.
    assert on103({**far, "23": "p", "G": "B"}, "W").legal() == ["[23:18]"]
    assert on103({**far, "23": "P", "G": "b"}, "S").legal() == ["[23:18]"]


def test_end_squares_are_entered_from_manoeuvre_squares() -> None:
    far = {"A": "B", "D": "b"}
    assert moves_from(on103({**far, "G": "S"}), "G") == sorted(
        ["[G-17]", "[G-18]", "[G-(N)]", "[G-(W)]", "[G-(E)]"]
    )
    assert moves_from(on103({**far, "G": "S"}, "N"), "G") == sorted(
        ["[G-23]", "[G-24]", "[G-(S)]", "[G-(W)]", "[G-(E)]"]
    )
    assert moves_from(on103({**far, "G": "P"}), "G") == ["[G-17]", "[G-18]"]
    assert moves_from(on103({**far, "G": "S", "(N)": "b"}), "G") == sorted(
        ["[G-17]", "[G-18]", "[G-(W)]", "[G-(E)]"]
    )
    # 17 (-1,1): N's forward is to (W), sideways to (N); W's forward is to (N).
    assert moves_from(on103({**far, "17": "S"}, "N"), "17") == sorted(
        ["[17-F]", "[17-G]", "[17-(W)]", "[17-(N)]"]
    )
    assert moves_from(on103({**far, "17": "b"}, "W"), "17") == sorted(
        ["[17-C]", "[17-G]", "[17-(W)]", "[17-(N)]"]
    )
    # F (-2,0) is not a manoeuvre square.
    assert moves_from(on103({**far, "F": "S"}), "F") == ["[F-16]", "[F-17]"]
    match = on103({**far, "G": "S"})
    match.play("[G-(N)]")
    assert match.squares() == {**far, "(N)": "S"}
    assert match.points(True) == 18 + 12
    assert not moves_from(on103({**far, "(N)": "S", "G": "b"}, "N"), "(N)")


def test_standby_pawn_steps_onto_the_board() -> None:
    far = {"A": "B", "D": "b"}
    assert moves_from(on103({**far, "#S": "P"}), "#S") == ["[#S-38]", "[#S-40]", "[#S-P]"]
    assert moves_from(on103({**far, "#W": "p"}, "W"), "#W") == ["[#W-21]", "[#W-27]"]
    assert moves_from(on103({**far, "#S": "P", "P": "p", "40": "p"}), "#S") == ["[#S-38]"]
    match = on103({**far, "#S": "P"})
    match.play("[#S-P]")
    assert match.squares()["P"] == "P"
    assert match.points(True) == 14


# ---------------------------------------------------------------------- passes


def test_engine_passes_for_a_seat_without_a_move() -> None:
    # W has no move: its side's only pieces are E's.
    match = on88({"A": "B", "60": "P", "O": "b"}, "S", declared=["W"])
    assert match.play("[60-59]") == ["W"]
    assert match.to_act() == "N"
    assert match.turn == 3
    assert match.quiet == 2
    assert match.declared == {"W"}  # a pass by the engine does not cancel a declaration


def test_engine_passes_at_the_start() -> None:
    match = on88({"A": "B", "O": "b"}, "S")
    assert match.to_act() == "N"
    assert match.turn == 3


# ---------------------------------------------------------------------- ends


def test_end_a_when_the_middle_is_full() -> None:
    match = on88({"X": "Sbs", "P": "B", "1": "P", "F": "b"}, "S")
    match.play("[P-(X)]")
    # White 36 + 18 + 2 = 56, Black 36 + 18 + 12 = 66.
    assert match.outcome() == {
        "winners": ["W", "E"],
        "termination": "middle-full",
        "scores": {"S": -10, "W": 10, "N": -10, "E": 10},
    }
    assert match.to_act() is None
    assert match.legal() == []
    with pytest.raises(ValueError, match="over"):
        match.play("[1-2]")
    match = on103({"(N)": "B", "(E)": "B", "(S)": "s", "G": "S", "D": "b", "1": "P"}, "S")
    match.play("[G-(W)]")
    assert termination(match) == "middle-full"


def test_end_b_when_no_castle_is_outside() -> None:
    match = on88({"X": "b", "P": "B", "1": "P", "13": "p"}, "S")
    match.play("[P-(X)]")
    assert match.outcome() == {
        "winners": [],
        "termination": "no-entry",
        "scores": {"S": 0, "W": 0, "N": 0, "E": 0},
    }
    # The last castle outside is taken.
    match = on88({"5": "P", "6": "b", "X": "B", "13": "p"}, "N")
    match.play("[5:B]")
    assert termination(match) == "no-entry"


def test_end_b_when_nobody_can_move() -> None:
    # 103, packed full: S steps from #S to the last vacant square, and nobody can move any more.
    squares = {}
    for (x, y), label in parse_map(MAPS["lanko-103"]).items():
        if (x + y) % 2 == 0 and label != "38":
            squares[label] = "P" if abs(y) >= abs(x) else "p"
    match = on103({**squares, "39": "B", "14": "b", "#S": "P"}, "S")
    assert sorted(match.legal()) == ["[#S-38]", "[40-38]", "[P-38]"]
    match.play("[#S-38]")
    assert termination(match) == "no-entry"
    # A blockade of one colour is not enough.
    match = on103({**squares, "39": "B", "14": "b", "#S": "P"}, "W")
    assert termination(match) is None
    assert match.to_act() == "S"
    assert match.turn == 4


def test_end_c_when_one_colour_is_annihilated() -> None:
    match = on88({"X": "b", "5": "P", "6": "p", "A": "B"}, "N")
    match.play("[5:B]")
    assert match.outcome() == {
        "winners": ["W", "E"],
        "termination": "annihilated",
        "scores": {"S": 14 - 36, "W": 36 - 14, "N": 14 - 36, "E": 36 - 14},
    }
    # c comes before b, a before c.
    match = on88({"5": "P", "6": "b", "X": "B"}, "N")
    match.play("[5:B]")
    assert termination(match) == "annihilated"
    match = on88({"X": "BbS", "P": "S", "F": "b"}, "S")
    match.play("[P-(X)]")
    assert termination(match) == "middle-full"
    # Burning one's last piece.
    match = on88({"X": "B", "P": "P", "F": "b"}, "S")
    match.play("[P-(X)]")
    assert termination(match) == "annihilated"
    # A standby pawn is a piece left outside.
    match = on103({"#S": "P", "G": "S", "D": "b"}, "S")
    match.play("[G-(N)]")
    assert termination(match) is None


def test_end_d_needs_both_of_two_players() -> None:
    match = on88({"A": "B", "T": "S", "F": "b", "O": "s"}, "S", players=2)
    match.play("[T-63]", declare=True)
    assert termination(match) is None
    match.declare("E")
    assert termination(match) == "agreed"


def test_end_d_is_cancelled_by_the_next_move_of_any_own_seat() -> None:
    squares = {"A": "B", "T": "S", "F": "b", "O": "s"}
    match = on88(squares, "S", players=2)
    match.play("[T-S]", declare=True)
    match.play("[F-G]")
    match.play("[A-B]")  # N is White's too
    match.declare("W")
    assert termination(match) is None
    match = on88(squares, "S", players=4)
    match.play("[T-S]", declare=True)
    match.play("[F-G]", declare=True)
    match.play("[A-B]")
    assert match.declared == {"S", "W"}
    match.declare("N")
    assert termination(match) is None
    match.play("[O-N]", declare=True)
    assert termination(match) == "agreed"


def test_end_d_needs_players_with_castles_and_their_opponents() -> None:
    # Both S and N could move the castle on the strip. W and E have pieces, so they count too.
    match = on88({"H": "B", "14": "p", "21": "p"}, "S", declared=["S", "W", "E"])
    assert termination(match) is None
    match.declare("N")
    assert termination(match) == "agreed"
    # N has no castle and no side opposed to it has any: it need not declare.
    match = on88({"T": "B", "1": "P", "14": "p"}, "S", declared=["S"])
    assert termination(match) is None
    match.declare("W")  # E has no piece left outside
    assert termination(match) == "agreed"
    # Apart from standby pawns: E's only piece is one.
    match = on103({"P": "B", "1": "P", "D": "p", "#E": "p"}, "S", declared=["S", "W"])
    assert termination(match) == "agreed"
    match = on103({"P": "B", "1": "P", "D": "p", "L": "p"}, "S", declared=["S", "W"])
    assert termination(match) is None
    # Three players: W and E are one player.
    match = on88({"T": "B", "1": "P", "14": "p", "21": "p"}, "S", players=3, declared=["S", "E"])
    assert termination(match) == "agreed"


def to_and_fro(match: NaiveLanko, laps: int) -> None:
    """Let all four seats shuttle, S between T and 62."""
    there = ["[T-62]", "[F-23]", "[A-2]", "[O-32]"]
    back = ["[62-T]", "[23-F]", "[2-A]", "[32-O]"]
    for lap in range(laps):
        for text in back if lap % 2 else there:
            assert termination(match) is None
            match.play(text)


def test_end_e_after_three_shuttles() -> None:
    squares = {"A": "B", "T": "B", "F": "b", "O": "b"}
    match = on88(squares, "S", repetition=False)
    to_and_fro(match, 5)
    assert termination(match) is None
    match.play("[62-T]")
    assert termination(match) == "shuttle"
    # With the repetition on, that comes first if all four shuttle.
    match = on88(squares, "S")
    to_and_fro(match, 4)
    assert termination(match) == "repetition"
    # A seat that can also move another piece does not count.
    match = on88({**squares, "61": "P", "1": "P", "13": "p", "22": "p"}, "S", repetition=False)
    for lap in range(7):
        for text in (
            ("[63-T]", "[23-F]", "[3-A]", "[32-O]")
            if lap % 2
            else ("[T-63]", "[F-23]", "[A-3]", "[O-32]")
        ):
            match.play(text)
    assert termination(match) is None
    # Another move in between restarts the count.
    match = on88(squares, "S", repetition=False)
    to_and_fro(match, 4)
    for text in ("[T-63]", "[F-33]", "[A-3]", "[O-42]", "[63-T]", "[33-F]", "[3-A]", "[42-O]"):
        match.play(text)
    to_and_fro(match, 5)
    assert termination(match) is None
    match.play("[62-T]")
    assert termination(match) == "shuttle"


def test_end_e_pass_restarts_the_count() -> None:
    # S shuttles 61-62. After four of its moves W and E shut it in for one turn.
    squares = {"61": "S", "57": "p", "53": "p", "54": "p", "58": "s", "63": "s"}
    squares |= {"A": "B", "1": "P", "F": "b", "O": "b"}
    match = on88(squares, "S", repetition=False)
    there, back = ["[F-23]", "[A-B]", "[O-32]"], ["[23-F]", "[B-C]", "[32-O]"]
    passes: list[list[str]] = []
    laps = [there, back, ["[F-23]", "[C-11]", "[O-32]"], ["[58-62]", "[11-C]", "[63-T]"]]
    for lap, others in enumerate(laps):
        match.play("[62-61]" if lap % 2 else "[61-62]")
        assert len(match.shuttles["S"]) == lap + 1
        passes = [match.play(text) for text in others]
    assert passes == [[], [], ["S"]]
    assert match.shuttles["S"] == []
    for text in ("[62-58]", "[C-11]", "[T-S]"):
        match.play(text)
    laps = [
        ["[23-F]", "[11-C]", "[32-O]"],
        ["[F-23]", "[C-11]", "[O-32]"],
        ["[23-F]", "[11-C]", "[32-O]"],
        ["[F-23]", "[C-11]", "[O-32]"],
        ["[23-F]", "[11-C]", "[32-O]"],
    ]
    for lap, others in enumerate(laps):
        match.play("[62-61]" if lap % 2 else "[61-62]")
        for text in others:
            match.play(text)
    assert termination(match) is None
    match.play("[62-61]")
    assert termination(match) == "shuttle"


def test_end_f_at_the_third_repetition() -> None:
    match = on88({"A": "B", "T": "B", "F": "b", "O": "b"}, "S")
    there = ["[T-62]", "[F-23]", "[A-2]", "[O-32]"]
    back = ["[62-T]", "[23-F]", "[2-A]", "[32-O]"]
    plies = (there + back) * 2
    for text in plies[:-1]:
        match.play(text)
        assert termination(match) is None
    match.play(plies[-1])
    assert termination(match) == "repetition"  # the initial position was the first occurrence
    match = on88({"A": "B", "T": "B", "F": "b", "O": "b"}, "S", repetition=False)
    for text in plies:
        match.play(text)
    assert termination(match) is None
    # At the quiet limit too, the termination is repetition.
    match = on88({"A": "B", "T": "B", "F": "b", "O": "b"}, "S", quiet_limit=16)
    for text in plies:
        match.play(text)
    assert termination(match) == "repetition"


def test_end_f_at_the_quiet_limit() -> None:
    squares = {"A": "B", "T": "B", "F": "b", "O": "b"}
    match = on88(squares, "S", quiet_limit=200, quiet=199)
    match.play("[T-S]")
    assert termination(match) == "quiet"
    match = on88(squares, "S", quiet_limit=0, quiet=1999)
    match.play("[T-S]")
    assert termination(match) is None
    # Reached by a pass: W has no piece.
    match = on88({"A": "B", "T": "B", "O": "b"}, "S", quiet=198)
    assert match.play("[T-S]") == ["W"]
    assert termination(match) == "quiet"
    # Reached at the move: nobody passes any more.
    match = on88({"A": "B", "T": "B", "O": "b"}, "S", quiet=199)
    assert match.play("[T-S]") == []
    assert termination(match) == "quiet"


# ---------------------------------------------------------------------- score


def test_score_matches_the_source() -> None:
    pawns = ["1", "4", "5", "6", "7", "8", "9"]
    squares = dict.fromkeys(pawns, "P")
    squares |= dict.fromkeys(("13", "43", "14", "44"), "p")
    squares |= {"X": "Bbs"}
    match = on88(squares)
    assert match.points(True) == 50
    assert match.points(False) == 62
    assert match.outcome() == {
        "winners": ["W", "E"],
        "termination": "no-entry",
        "scores": {"S": -12, "W": 12, "N": -12, "E": 12},
    }


# ---------------------------------------------------------------------- games


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", (2, 3, 4))
def test_random_matches_end_consistently(board: str, players: int) -> None:
    rng = random.Random(f"{board} {players}")
    match = NaiveLanko(board, players)
    while (texts := match.legal()) != []:
        assert len(set(texts)) == len(texts)
        turn, seat = match.turn, match.to_act()
        twin = match.copy()
        passes = match.play(rng.choice(texts), rng.random() < 0.05)
        assert match.turn == turn + 1 + len(passes)
        assert twin.turn == turn
        assert twin.to_act() == seat
        assert sorted(twin.legal()) == sorted(texts)
    outcome = match.outcome()
    assert outcome is not None
    assert match.to_act() is None
    again = NaiveLanko.from_squares(board, players, match.squares())
    assert again.squares() == match.squares()
