"""Hand-made checks of the naive Lancelot against the rulebook."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from tests.games.lancelot.naive import (
    AREAS,
    SEATS,
    NaiveLancelot,
    area_of,
    label_of,
    lines_of,
    perft,
    square_of,
)

PLAYERS = (2, 3, 4, 5)


def at(text: str, to_act: str = "red", players: int = 2, **options: Any) -> NaiveLancelot:
    """`r D4 E4, b F4, * D11`: return a position, with Excalibur if it names one."""
    squares: dict[str, str] = {}
    for group in filter(None, (part.split() for part in text.split(","))):
        squares.update(dict.fromkeys(group[1:], group[0]))
    options.setdefault("excalibur", "*" in squares.values())
    return NaiveLancelot.from_squares(players, squares, to_act, **options)


def squares(match: NaiveLancelot) -> str:
    """Return the position in the form `at` reads, pieces in the order r b y g v *."""
    board = match.board()["squares"]
    groups = []
    for piece in "rbygv*":
        labels = [label for label, other in board.items() if other == piece]
        if labels:
            groups.append(" ".join([piece, *labels]))
    return ", ".join(groups)


def defeated(match: NaiveLancelot, seat: str = "red") -> int:
    return int(match.board()["defeated"][seat])


def full(vacant: str) -> dict[str, str]:
    """Fill the two players' area like a chessboard, except these squares. Blue has ranks 4 and 11.

    Blue may place nowhere in those two.
    """
    board = {label_of((x, y)): "rb"[(x + y) % 2] for x, y in area_of(2)}
    board |= {f"{file}{rank}": "b" for file in "EFGHI" for rank in (4, 11)}
    return {label: piece for label, piece in board.items() if label not in vacant.split()}


# ---------------------------------------------------------------------- area and lines


@pytest.mark.parametrize(("players", "width"), ((2, 8), (3, 10), (4, 12), (5, 14)))
def test_area_and_opening_are_right(players: int, width: int) -> None:
    match = NaiveLancelot(players)
    low, high = AREAS[players]
    assert len(match.legal()) == width**2
    assert match.legal() == match.plain()
    assert {low, high} <= set(match.legal())
    assert match.to_act() == "red"
    assert match.turn == 1
    assert match.outcome() is None
    assert match.board() == {"squares": {}, "defeated": dict.fromkeys(SEATS[:players], 0)}
    assert match.target == 5 + players


@pytest.mark.parametrize("label", ("C4", "D3", "L4", "D12", "d4", "D04", "K4 ", "", "--", "*D4"))
def test_placement_outside_the_area_is_refused_for_two(label: str) -> None:
    with pytest.raises(ValueError, match="not legal"):
        NaiveLancelot(2).play(label)


def test_labels_convert_there_and_back() -> None:
    labels = [label_of(square) for square in area_of(5)]
    assert len(labels) == len(set(labels)) == 196
    assert [label_of(square_of(label)) for label in labels] == labels
    assert square_of("A1") == (1, 1)
    assert square_of("N14") == (14, 14)


@pytest.mark.parametrize("players", PLAYERS)
def test_lines_have_the_right_lengths(players: int) -> None:
    area, width = area_of(players), 4 + 2 * players
    straight = lines_of(area, diagonals=False)
    assert [len(line) for line in straight] == [width] * (2 * width)
    everything = lines_of(area, diagonals=True)
    lengths = [len(line) for line in everything[2 * width :]]
    ways = [*range(4, width), *range(4, width), width]  # both sides of the long one
    assert sorted(lengths) == sorted(ways + ways)
    for line in everything:
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(line)}
        assert len(steps) == 1
        assert steps <= {(1, 0), (0, 1), (1, 1), (1, -1)}


def test_diagonals_are_measured_in_the_area() -> None:
    """D6 E5 F4 are a whole diagonal with two players, and part of a longer one with three."""
    position = "r D6 E5"
    assert "F4" in at(position, diagonals=True).legal()
    assert "F4" not in at(position, players=3, diagonals=True).legal()
    # Four squares are enough: D7 E6 F5 G4.
    assert "G4" not in at("r D7 E6", diagonals=True).legal()
    assert "G4" in at("r D7 E6").legal()


# ---------------------------------------------------------------------- judging a line


def test_example_2_judges_a_rank_and_a_file_at_once() -> None:
    match = at("r E4 G4 K6 K8, b I4 K10 D11")
    assert match.play("K4") == []
    assert squares(match) == "r E4 G4 K4 K6 K8, b D11"
    assert match.board()["defeated"] == {"red": 2, "blue": 0}
    assert match.to_act() == "blue"
    assert match.turn == 2


FOUR_LINES = "r D7 E7 G4 G5 E5 F6 E9 H6, b F7 G9 H8 I5 J11"


def test_four_lines_are_judged_at_once_with_diagonals() -> None:
    match = at(FOUR_LINES, diagonals=True)
    match.play("G7")
    assert squares(match) == "r D7 E5 E7 E9 F6 G4 G5 G7 H6, b J11"
    assert defeated(match) == 4


def test_two_of_four_lines_are_judged_without_diagonals() -> None:
    match = at(FOUR_LINES)
    match.play("G7")
    assert squares(match) == "r D7 E5 E7 E9 F6 G4 G5 G7 H6, b H8 I5 J11"
    assert defeated(match) == 2


def test_two_against_none_is_legal_and_takes_nothing() -> None:
    match = at("r D4, b K11")
    match.play("E4")
    assert squares(match) == "r D4 E4, b K11"
    assert defeated(match) == 0


def test_example_1_three_against_none_is_illegal() -> None:
    match = at("r D4 E4, b K11")
    rank_4 = {f"{file}4" for file in "DEFGHIJK"}
    assert rank_4.isdisjoint(match.legal())
    assert len(match.legal()) == 64 - 8 - 1
    with pytest.raises(ValueError, match="not legal for red: F4"):
        match.play("F4")
    assert squares(match) == "r D4 E4, b K11"
    # Only the placing seat's advantage is judged.
    assert set(at("r D4 E4, b K11", "blue").legal()) >= rank_4 - {"D4", "E4"}


def test_three_against_one_defeats_the_one() -> None:
    match = at("r D4 E4, b K4 K11")
    match.play("G4")
    assert squares(match) == "r D4 E4 G4, b K11"


def test_too_great_an_advantage_on_one_line_makes_it_illegal() -> None:
    match = at("r E4 G4 K6 K8, b I4")
    assert "K4" not in match.legal()


def test_example_3_victory_leaves_a_larger_advantage() -> None:
    match = at("r E4 G4 K6 K8, b I4 K10 D11")
    match.play("K4")  # both lines are 3 against 0 now
    line = {f"{file}4" for file in "DFHIJ"} | {f"K{rank}" for rank in (5, 7, 9, 10, 11)}
    # Blue may place there, and is not removed.
    assert set(match.legal()) >= line
    match.play("I4")
    assert match.board()["squares"]["I4"] == "b"
    # Red may place neither in rank 4 again, as 4 - 1 = 3 would be too much, nor in file K: 4 - 0.
    assert line.isdisjoint(match.legal())
    match.play("D5")
    match.play("J4")
    # Here 4 - 2 = 2.
    assert "D4" in match.legal()
    match.play("D4")
    assert {"I4", "J4"}.isdisjoint(match.board()["squares"])
    assert defeated(match) == 4


def test_knights_of_all_other_seats_count_and_fall_together() -> None:
    match = at("r D4 E4 F4, y G4, g H4", players=4, to_act="red")
    match.play("I4")
    assert squares(match) == "r D4 E4 F4 I4"
    assert defeated(match) == 2
    # For yellow the same rank is 2 - 4.
    match = at("r D4 E4 F4, y G4, g H4", players=4, to_act="yellow")
    match.play("I4")
    assert squares(match) == "r D4 E4 F4, y G4 I4, g H4"


def test_only_lines_through_the_placed_square_are_judged() -> None:
    """A defeat on a rank leaves a file of three against none, which is not judged."""
    match = at("r D4 E4 K6 K7 K8, b K4 K9")
    match.play("F4")  # K4 falls. File K is 3 - 1 = 2 now and stays unchanged.
    assert squares(match) == "r D4 E4 F4 K6 K7 K8, b K9"
    assert defeated(match) == 1


def test_freed_square_is_vacant() -> None:
    match = at("r D4 E4, b G4 K11")
    match.play("F4")
    assert "G4" in match.legal()


# ---------------------------------------------------------------------- passing and the end


def test_target_ends_the_match_at_once() -> None:
    match = at("r D4 E4, b G4 K11", defeated={"red": 6, "blue": 6})
    assert match.play("F4") == []
    assert match.to_act() is None
    assert match.legal() == []
    assert match.outcome() == {
        "winners": ["red"],
        "termination": "target",
        "scores": {"red": 7, "blue": 6},
    }
    with pytest.raises(ValueError, match="over"):
        match.play("D11")
    with pytest.raises(ValueError, match="over"):
        match.resign("blue")


def test_target_may_be_exceeded_and_lowered() -> None:
    match = at("r E4 G4 K6 K8, b I4 K10 D11", target=1)
    match.play("K4")
    outcome = match.outcome()
    assert outcome is not None
    assert outcome["scores"] == {"red": 2, "blue": 0}
    assert outcome["termination"] == "target"


def test_seat_without_a_legal_square_passes() -> None:
    match = NaiveLancelot.from_squares(
        2, full(vacant="D4 K11"), "red", turn=40, left={"red": 3, "blue": 3}
    )
    assert set(match.legal()) == {"D4", "K11"}
    assert match.play("D4") == ["blue"]
    assert match.to_act() == "red"
    assert match.turn == 42
    # The last square: now neither can place, and the seat that acted last passes last.
    assert match.play("K11") == ["blue", "red"]
    assert match.outcome() == {
        "winners": ["red", "blue"],
        "termination": "exhausted",
        "scores": {"red": 0, "blue": 0},
    }


def test_seat_that_passed_plays_again_when_it_can() -> None:
    board = full(vacant="D4") | {f"D{rank}": "rrrrbbb"[rank - 5] for rank in range(5, 12)}
    match = NaiveLancelot.from_squares(2, board, "blue", turn=7, left={"red": 3, "blue": 3})
    assert match.to_act() == "red"  # blue has passed
    assert match.turn == 8
    # File D: 5 - 3 = 2. Blue can place where its own three were.
    assert match.play("D4") == []
    assert match.to_act() == "blue"
    assert match.legal()
    assert set(match.legal()) <= {"D9", "D10", "D11"}


def test_seat_with_neither_a_plain_square_nor_a_legal_force_passes() -> None:
    """Blue is too far ahead on the lines of K11, the only vacant square."""
    board = full(vacant="D4 K11") | {"G7": "*"}
    match = NaiveLancelot.from_squares(
        2, board, "red", turn=40, excalibur=True, left={"red": 3, "blue": 3}
    )
    assert match.play("D4") == ["blue"]


def test_seat_without_knights_passes() -> None:
    match = at("", left={"red": 2, "blue": 1})
    assert match.play("D4") == []
    assert match.play("E5") == []
    assert match.play("F6") == ["blue", "red"]
    assert match.turn == 6
    assert match.to_act() is None
    outcome = match.outcome()
    assert outcome is not None
    assert outcome["termination"] == "exhausted"


def test_defeated_knight_does_not_come_back() -> None:
    match = at("r D4 E4, b G4 K11", left={"red": 2, "blue": 0})
    assert match.play("F4") == ["blue"]
    assert match.left == {"red": 1, "blue": 0}


@pytest.mark.parametrize(
    ("scores", "winners"),
    (
        ((3, 2, 1), ["red"]),
        ((3, 3, 1), ["red", "blue"]),
        ((0, 0, 0), ["red", "blue", "yellow"]),
        ((0, 1, 4), ["yellow"]),
    ),
)
def test_most_knights_win_an_exhausted_match(scores: tuple[int, ...], winners: list[str]) -> None:
    match = at(
        "r D4",
        players=3,
        left=dict.fromkeys(SEATS[:3], 0),
        defeated=dict(zip(SEATS, scores, strict=False)),
    )
    outcome = match.outcome()
    assert outcome is not None
    assert outcome["winners"] == winners
    assert outcome["termination"] == "exhausted"


# ---------------------------------------------------------------------- resigning


def test_resigning_ends_a_match_of_two() -> None:
    for seat, other in (("red", "blue"), ("blue", "red")):
        match = at("r D4, b E5")
        assert match.resign(seat) == []
        outcome = match.outcome()
        assert outcome is not None
        assert outcome["winners"] == [other]
        assert outcome["termination"] == "resignation"


def test_resigning_out_of_turn_in_a_match_of_three_passes_later() -> None:
    match = NaiveLancelot(3)
    assert match.resign("blue") == []
    assert match.to_act() == "red"
    assert match.turn == 1
    assert match.play("D4") == ["blue"]
    assert match.to_act() == "yellow"
    assert match.turn == 3
    with pytest.raises(ValueError, match="has resigned"):
        match.resign("blue")
    with pytest.raises(ValueError, match="no such seat"):
        match.resign("green")
    assert match.resign("red") == []
    outcome = match.outcome()
    assert outcome is not None
    assert outcome["winners"] == ["yellow"]


def test_resigning_in_turn_passes_at_once() -> None:
    match = NaiveLancelot(4)
    match.play("D4")
    assert match.resign("yellow") == []
    assert match.resign("blue") == ["blue", "yellow"]
    assert match.to_act() == "green"
    assert match.turn == 4


def test_knights_of_a_resigned_seat_stay_and_can_be_defeated() -> None:
    match = at("r D4 E4, b G4, y K11", players=3)
    assert match.resign("blue") == []
    assert match.play("F4") == ["blue"]
    assert squares(match) == "r D4 E4 F4, y K11"
    assert defeated(match) == 1


def test_resigned_seat_does_not_win_an_exhausted_match() -> None:
    match = at("", players=3, left=dict.fromkeys(SEATS[:3], 1), defeated={"blue": 5, "yellow": 1})
    match.resign("blue")
    assert match.play("D4") == ["blue"]
    assert match.play("E5") == ["red", "blue", "yellow"]
    assert match.outcome() == {
        "winners": ["yellow"],
        "termination": "exhausted",
        "scores": {"red": 0, "blue": 5, "yellow": 1},
    }


def test_passes_before_a_resignation_count() -> None:
    match = at("", players=3, left={"red": 2, "blue": 0, "yellow": 0})
    assert match.play("D4") == ["blue", "yellow"]
    # With Red's pass that is every seat in a row.
    assert match.resign("red") == ["red"]
    outcome = match.outcome()
    assert outcome is not None
    assert outcome["termination"] == "exhausted"
    assert outcome["winners"] == ["blue", "yellow"]


# ---------------------------------------------------------------------- Excalibur


@pytest.mark.parametrize("players", PLAYERS)
def test_last_seat_sets_excalibur(players: int) -> None:
    match = NaiveLancelot(players, excalibur=True)
    assert match.to_act() == SEATS[players - 1]
    assert match.turn == 1
    assert len(match.legal()) == (4 + 2 * players) ** 2
    assert all(text.startswith("*") for text in match.legal())
    assert match.plain() == []
    assert list(match.forces()) == []
    with pytest.raises(ValueError, match="not legal"):
        match.play("G7")
    assert match.play("*G7") == []
    assert match.to_act() == "red"
    assert match.turn == 2
    assert match.board()["squares"] == {"G7": "*"}
    assert "G7" not in match.plain()
    with pytest.raises(ValueError, match="not legal"):
        match.play("*G7")  # its current square
    assert match.left[SEATS[players - 1]] == 30


def test_excalibur_alone_is_a_turn_and_uses_no_knight() -> None:
    match = at("r D7 E7, b F7 K11 K10, * D11")
    assert match.play("*G7") == []  # 2 + 1 - 1 = 2
    assert squares(match) == "r D7 E7, b K10 K11, * G7"
    assert defeated(match) == 1
    assert match.left == {"red": 28, "blue": 27}
    assert match.to_act() == "blue"
    assert match.turn == 2
    match.play("J4")
    assert match.alone() == []  # once in a game
    assert list(match.forces()) == []


def test_excalibur_alone_defeats_a_single_knight_only_at_two_ahead() -> None:
    match = at("r D7, b F7 K11, * D11")
    match.play("*G7")  # 1 + 1 - 1 = 1
    assert defeated(match) == 0
    assert not at("r D7 E7, b K11, * D11").is_legal("*G7")  # 2 + 1


def test_excalibur_alone_can_reach_the_target() -> None:
    match = at("r D7 E7, b F7 K11, * D11", target=1)
    match.play("*G7")
    assert match.outcome() == {
        "winners": ["red"],
        "termination": "target",
        "scores": {"red": 1, "blue": 0},
    }


def test_seat_without_knights_may_move_excalibur_once() -> None:
    match = at("r D4, b K11, * G7", left={"red": 0, "blue": 0})
    assert match.to_act() == "red"
    assert match.legal() == match.alone()
    assert len(match.legal()) == 64 - 3
    assert match.play("*H8") == []
    assert match.to_act() == "blue"
    # Now all have moved it: the game ends.
    assert match.play("*G7") == ["red", "blue"]
    outcome = match.outcome()
    assert outcome is not None
    assert outcome["termination"] == "exhausted"


def test_seat_without_a_plain_square_may_move_excalibur() -> None:
    board = {label_of(square): "*b"[square != (7, 7)] for square in area_of(2)}
    board |= {"D4": "r", "E5": "r"}
    del board["K11"]
    # Red in K11 would be too far behind to be illegal. It is Blue's turn, and Blue is too far
    # ahead.
    match = NaiveLancelot.from_squares(
        2, board, "red", excalibur=True, left={"red": 0, "blue": 3}, forced=["blue"]
    )
    assert match.to_act() == "red"
    assert match.legal() == ["*K11"]


def test_resigned_seat_cannot_move_excalibur() -> None:
    match = at("r D4, b K11, y C3, * G7", players=3)
    assert match.resign("red") == ["red"]
    assert match.to_act() == "blue"


def test_force_needs_the_option() -> None:
    with pytest.raises(ValueError, match="not legal"):
        NaiveLancelot(2).play("*D4+E4")


def test_setting_falls_to_the_last_seat_not_resigned() -> None:
    match = NaiveLancelot(4, excalibur=True)
    assert match.resign("red") == []
    assert match.resign("green") == []
    assert match.to_act() == "yellow"
    assert match.turn == 1
    assert match.play("*G7") == ["red"]
    assert match.to_act() == "blue"
    assert match.turn == 3


def test_excalibur_counts_against_everybody() -> None:
    # Example 7: the knights are defeated, Excalibur remains. 4 - 1 - 1 = 2.
    match = at("r D7 E7 F7, b G7 K11, * H7")
    match.play("I7")
    assert squares(match) == "r D7 E7 F7 I7, b K11, * H7"
    assert defeated(match) == 1
    # Without Excalibur that is 3.
    assert "I7" not in at("r D7 E7 F7, b G7 K11").legal()
    # For blue: 2 + 1 - 1 - 1 = 1.
    match = at("r D7, b F7 G7, * H7", "blue")
    match.play("I7")
    assert squares(match) == "r D7, b F7 G7 I7, * H7"


def test_two_ahead_of_excalibur_alone_defeats_nothing() -> None:
    match = at("r D7 E7, b K11, * H7")
    match.play("I7")
    assert squares(match) == "r D7 E7 I7, b K11, * H7"
    assert defeated(match) == 0


def test_force_counts_for_its_turn_and_against_the_next() -> None:
    match = at("r E7, b F7 K11, * D11")
    match.play("*G7+H7")  # 1 + 1 - 1 = 1, then 2 + 1 - 1 = 2
    assert squares(match) == "r E7 H7, b K11, * G7"
    assert defeated(match) == 1
    match.play("D4")
    # 3 - 1 = 2. If it still counted for Red, this would be 4.
    assert "I7" in match.plain()
    # Once in a game.
    assert list(match.forces()) == []
    with pytest.raises(ValueError, match="not legal"):
        match.play("*D11+I7")
    match.play("I7")
    assert len(list(match.forces())) > 1000  # blue has not called it


def test_example_6_halves_work_in_either_order() -> None:
    position = "r E7, b F7 K11, * D11"
    first = at(position)
    first.play("H7+*G7")  # 2 - 1 = 1, then Excalibur's half: 2 + 1 - 1 = 2
    second = at(position)
    second.play("*G7+H7")
    assert first.board() == second.board()
    assert first.left == {"red": 28, "blue": 28}


def test_excalibur_half_can_win_alone() -> None:
    match = at("r D7 E7, b F7 K11 K10, * D11")
    match.play("*G7+K4")
    assert squares(match) == "r D7 E7 K4, b K10 K11, * G7"
    assert defeated(match) == 1


def test_excalibur_half_too_far_ahead_is_illegal() -> None:
    match = at("r D7 E7, b K11, * D11")
    assert "*G7+K4" not in match.legal()
    assert "K4+*G7" not in match.legal()


def test_excalibur_counts_for_the_seat_from_its_old_square_too() -> None:
    match = at("r D7, b K11, * G7")
    legal = match.legal()
    assert "H7" in legal  # 2 - 1
    assert "H7+*D11" not in legal  # 2 + 1 in the first half
    assert "*D11+H7" in legal  # 2
    # And it wins from there.
    match = at("r D7, b F7 K11, * G7")
    match.play("H7+*D11")
    assert squares(match) == "r D7 H7, b K11, * D11"
    assert defeated(match) == 1


def test_lines_that_excalibur_leaves_are_not_judged() -> None:
    """Red has 3 against Excalibur. It leaves, and Red has 3 against none."""
    match = at("r D7 E7 F7, b K11 K10, * G7")
    assert "*K4+J5" in match.legal()
    # 2 against 0 once Excalibur, which protected Blue's line, has left: not judged either.
    match = at("r D7 E7 F7, b H7 K11 K10, * G7")
    match.play("*K4+J5")
    assert match.board()["squares"]["H7"] == "b"


def test_halves_of_a_force_may_go_only_to_certain_squares() -> None:
    match = at("r D4, b K11, * G7")
    legal = set(match.legal())
    assert "*E10+G7" in legal  # the square Excalibur has just left
    assert "G7+*E10" not in legal  # it is still on it
    assert "*G7+E10" not in legal  # its own square
    assert "E10+*G7" not in legal
    assert "*E10+E10" not in legal
    assert "E10+*E10" not in legal
    assert "*K11+E10" not in legal  # occupied
    assert "*L12+E10" not in legal  # out of the area
    assert "E10+*L12" not in legal
    assert "*E10" in legal  # half of it
    assert "E10" in legal


def test_removals_happen_between_the_halves() -> None:
    position = "r D7 E7 F4 F6, b F5 F7 K11, * D11"
    match = at(position)
    match.play("G7+*F9")  # rank 7: 3 - 1 takes F7; then file F: 2 + 1 - 1 takes F5
    assert squares(match) == "r D7 E7 F4 F6 G7, b K11, * F9"
    assert defeated(match) == 2
    match = at(position)
    match.play("*F9+G7")  # file F: 2 + 1 - 2 takes none; then F7 falls
    assert squares(match) == "r D7 E7 F4 F6 G7, b F5 K11, * F9"
    assert defeated(match) == 1


def test_removal_may_forbid_the_second_half() -> None:
    match = at("r D7 E7 F4 F6, b F7 K11 K10, * D11")
    assert match.is_legal("J4+*F9")  # file F: 2 + 1 - 1
    assert not match.is_legal("G7+*F9")  # F7 has fallen: 2 + 1
    assert not match.is_legal("*F9+G7")  # it has here too. Rank 7: 3


def test_square_freed_by_a_defeat_is_of_no_use() -> None:
    """After the defeat the line has an advantage of 3 or more."""
    match = at("r D7 E7, b F7 K11 K10, * D11")
    assert match.is_legal("*G7+K4")
    assert not match.is_legal("*G7+F7")
    assert match.is_legal("G7+*K4")
    assert not match.is_legal("G7+*F7")


def test_both_halves_need_a_knight() -> None:
    match = at("r D4, * G7", left={"red": 0, "blue": 1})
    assert match.to_act() == "red"
    assert match.is_legal("*E10")
    assert not match.is_legal("*E10+F9")
    assert not match.is_legal("F9+*E10")


def test_first_half_that_reaches_the_target_is_completed() -> None:
    position = "r D7 E7 J4 J5, b F7 J6 K11, * D11"
    match = at(position, target=1)
    with pytest.raises(ValueError, match="not legal"):
        match.play("*G7+H7")  # a bad second half, though the first would win
    match.play("*G7+J11")  # both win
    assert match.outcome() == {
        "winners": ["red"],
        "termination": "target",
        "scores": {"red": 2, "blue": 0},
    }


@pytest.mark.parametrize("diagonals", (False, True))
def test_forces_equal_those_found_by_trying_every_pair(diagonals: bool) -> None:
    match = at("r D7 E7 H5, b F7 K11 K10 H9 H10, * G7", diagonals=diagonals)
    labels = [label_of(square) for square in match.area]
    pairs = [f"*{a}+{b}" for a in labels for b in labels]
    pairs += [f"{a}+*{b}" for a in labels for b in labels]
    forces = list(match.forces())
    assert sorted(forces) == sorted(text for text in pairs if match.is_legal(text))
    assert len(set(forces)) == len(forces)
    assert match.legal() == match.plain() + match.alone() + forces


# ---------------------------------------------------------------------- set up, copy, perft


@pytest.mark.parametrize(
    ("board", "options"),
    (
        ({"C3": "r"}, {}),
        ({"D4": "y"}, {}),
        ({"D4": "*"}, {}),
        ({"D4": "r"}, {"excalibur": True}),
        ({"D4": "*", "D5": "*"}, {"excalibur": True}),
        ({"D4": "r"}, {"to_act": "yellow"}),
        ({"D4": "r"}, {"forced": ["yellow"]}),
        ({"D4": "r"}, {"target": 0}),
    ),
)
def test_impossible_positions_are_refused(board: dict[str, str], options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        NaiveLancelot.from_squares(2, board, **options)


def test_number_of_players_is_checked() -> None:
    for players in (1, 6):
        with pytest.raises(ValueError, match="2 to 5"):
            NaiveLancelot(players)


def test_copy_is_independent() -> None:
    match = at("r D4 E4, b F4 K11, * D11", players=3)
    before = (match.board(), match.turn, match.to_act(), dict(match.left))
    twin = match.copy()
    twin.play("*K5+G4")
    twin.resign("yellow")
    twin.resign("blue")
    assert (match.board(), match.turn, match.to_act(), match.left) == before
    assert list(match.forces())
    assert match.outcome() is None


@pytest.mark.parametrize("players", PLAYERS)
def test_perft_of_the_opening_is_right(players: int) -> None:
    area = (4 + 2 * players) ** 2
    assert perft(NaiveLancelot(players), 2) == [area, area * (area - 1)]
    assert perft(NaiveLancelot(players), 0) == []


def test_perft_does_not_count_passes() -> None:
    match = at("", left={"red": 1, "blue": 0})
    assert perft(match, 2) == [64, 0]


# ---------------------------------------------------------------------- random matches


@pytest.mark.thorough
@pytest.mark.parametrize("diagonals", (False, True), ids=("straight", "diagonals"))
@pytest.mark.parametrize("excalibur", (False, True), ids=("plain", "excalibur"))
@pytest.mark.parametrize("players", PLAYERS)
def test_random_matches_end(players: int, excalibur: bool, diagonals: bool) -> None:
    chance = random.Random(f"{players} {excalibur} {diagonals}")
    match = NaiveLancelot(players, diagonals=diagonals, excalibur=excalibur)
    placed = dict.fromkeys(match.seats, 0)
    turns = 1
    while (seat := match.to_act()) is not None:
        text = choose(match, chance)
        placed[seat] += 0 if text.startswith("*") and "+" not in text else 1
        passes = match.play(text)
        turns += 1 + len(passes)
        assert match.turn == turns
        board = match.board()
        knights = [piece for piece in board["squares"].values() if piece != "*"]
        assert sum(placed.values()) == len(knights) + sum(board["defeated"].values())
        assert list(board["squares"].values()).count("*") == int(excalibur)
        assert match.left == {seat: 30 - n for seat, n in placed.items()}
    outcome = match.outcome()
    assert outcome is not None
    assert outcome["termination"] in ("target", "exhausted")
    assert outcome["winners"]


def choose(match: NaiveLancelot, chance: random.Random) -> str:
    """Choose any plain action, and sometimes a king's force found by guessing."""
    plain = [*match.plain(), *match.alone()]
    if chance.random() < 0.05:
        labels = [label_of(square) for square in match.area]
        for _ in range(100):
            one, two = chance.choice(labels), chance.choice(labels)
            text = chance.choice([f"*{one}+{two}", f"{one}+*{two}"])
            if match.is_legal(text):
                return text
    return chance.choice(plain)
