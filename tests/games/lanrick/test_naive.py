"""Hand-made checks of the two naive Lanricks against the rulebook."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from tests.games.lanrick import naive_1881, naive_1893
from tests.games.lanrick.naive_1881 import Naive1881
from tests.games.lanrick.naive_1893 import OPENING, RING, Naive1893, perft
from tests.games.lanrick.naive_board import BORDER, FIELD, SQUARES, NaiveMatch, beside


def men(**squares: str) -> dict[str, str]:
    """men(w="a1 b2", b="h8") -> {"a1": "w", ...}"""
    return {square: letter for letter, where in squares.items() for square in where.split()}


def play_all(match: NaiveMatch, texts: str) -> list[str]:
    passed = []
    for text in texts.split():
        passed += match.play(text)
    return passed


def termination(match: NaiveMatch) -> str | None:
    outcome = match.outcome()
    return None if outcome is None else str(outcome["termination"])


def phase(match: NaiveMatch) -> str:
    return str(match.board()["phase"])


def squares_of(match: NaiveMatch, letter: str) -> str:
    squares = match.board()["squares"]
    return " ".join(sorted(one for one in squares if squares[one] == letter))


# ---------------------------------------------------------------------- the board


def test_border_and_field_are_right() -> None:
    assert len(BORDER) == 28
    assert len(FIELD) == 36
    assert FIELD[0] == "b2"
    assert FIELD[-1] == "g7"
    assert len(RING) == len(set(RING)) == 28
    assert set(RING) == set(BORDER)
    for one, following in pairwise([*RING, RING[0]]):
        assert following in [beside(one, way) for way in ((0, 1), (1, 0), (0, -1), (-1, 0))]


# ---------------------------------------------------------------------- 1881: place and mark

PLACED = "a1 h8 a2 h7 a3 h6 a4 h5 a5 h4"  # White on the a-file, Black on the h-file


def test_1881_place_and_mark() -> None:
    match = Naive1881()
    assert match.to_act() == "white"
    assert phase(match) == "place"
    assert sorted(match.legal()) == sorted(BORDER)
    with pytest.raises(ValueError, match="not legal"):
        match.play("d5")
    for number, text in enumerate(PLACED.split(), start=1):
        assert match.turn == number
        assert match.to_act() == ("white" if number % 2 else "black")
        assert match.play(text) == []
    assert phase(match) == "mark"
    assert match.to_act() == "white"
    assert match.turn == 11
    assert "@b2" not in match.legal()  # own men in it
    assert (
        len(match.legal()) == 36 - 5
    )  # b2 to b6. The men of the c-file cannot all step in within one turn
    match.play("@d5")
    assert match.board()["mark"] == "d5"
    assert match.board()["rendezvous"] == ["c4", "c5", "c6", "d4", "d5", "d6", "e4", "e5", "e6"]
    assert match.to_act() == "black"
    assert match.turn == 12
    assert "." not in match.legal()


def test_1881_opening_has_the_right_counts() -> None:
    assert naive_1881.perft(Naive1881(), 2) == [28, 28 * 27]
    # Counted by hand: h4 8, h5 6, h6 6, h7 5, h8 4 steps of one or two squares.
    match = Naive1881()
    play_all(match, PLACED + " @d5")
    assert naive_1881.perft(match, 1) == [29]


def test_1881_marker_bar_needs_a_matching() -> None:
    def barred(white: str, black: str) -> bool:
        """Return whether the mark on d4 (c3 to e5) is barred."""
        match = Naive1881.from_squares(men(w=white, b=black), phase="mark")
        return "@d4" not in match.legal()

    assert barred("b3 b4 b5 c6 d6", "h1 h2 h3 h4 h5")  # to c3 c4 c5 d5 e5
    assert not barred("b3 b4 b5 c6 d7", "h1 h2 h3 h4 h5")  # d7 is a step too far away
    # b5 and b6: to c4 and c5, or both to c5 only.
    assert barred("b5 b6 f3 f4 e2", "h1 h2 h3 h4 h5")
    assert not barred("b5 b6 f3 f4 e2", "c4 h2 h3 h4 h5")


def wins_in_one_turn(match: Naive1881, tried: set[object]) -> bool:
    """Return whether any way to play the turn wins."""
    for text in match.legal():
        after = match.copy()
        after.play(text)
        if after.phase == "remove":
            return True
        state = (frozenset(after.men.items()), frozenset(after.line_of.items()))
        if after.turn == match.turn and (state, after.squares_left) not in tried:
            tried.add((state, after.squares_left))
            if wins_in_one_turn(after, tried):
                return True
    return False


@pytest.mark.thorough
def test_1881_marker_bar_means_all_in_one_turn() -> None:
    """The player could "bring all his men in one turn (of as many squares as he has men)"."""
    chance = random.Random(1881)
    found = []
    for number in [2] * 60 + [3]:
        # Men on the squares two away from d4 (c3 to e5), some adverse men inside.
        ring = [one for one in SQUARES if one[0] in "bcdef" and one[1] in "23456"]
        inside = naive_1881.rendezvous_of("d4")
        own = chance.sample([one for one in ring if one not in inside] + ["a4", "d7"], number)
        adverse = chance.sample(sorted(inside), chance.choice([2, 5]))
        squares = men(w=" ".join(own), b=" ".join([*adverse, "h8"]))
        barred = "d4" not in Naive1881.from_squares(squares, phase="mark").marks("white")
        match = Naive1881.from_squares(squares, "white", mark="d4")
        assert wins_in_one_turn(match, set()) == barred
        found.append(barred)
    assert 10 < sum(found) < 51


def test_1881_marker_bar_has_fallbacks() -> None:
    # Only d4's rendezvous holds none of them, and they could all step into it.
    around = "b2 b4 b6 d6 f6 f4 f2 d2"
    match = Naive1881.from_squares(men(w=around, b="h7 h8"), phase="mark")
    assert match.all_in_one_turn("white", "d4")
    assert match.legal() == ["@d4"]
    # Every rendezvous has one of them in it.
    match = Naive1881.from_squares(men(w=around + " d4", b="h7 h8"), phase="mark")
    assert match.legal() == ["@" + square for square in FIELD]


# ---------------------------------------------------------------------- 1881: play

APART = men(w="a1 a2 a3 a4 a5", b="h8 h7 h6 h5 h4")


def test_1881_first_turn_has_two_squares() -> None:
    match = Naive1881.from_squares(APART, "black", mark="d5", first_turn=True)
    assert "h4-f4" in match.legal()
    assert "h4-e4" not in match.legal()
    assert match.play("h4-g4") == []
    assert match.to_act() == "black"
    assert "." in match.legal()
    match.play("h5-g5")  # no squares are left
    assert match.to_act() == "white"
    assert match.turn == 2
    assert "a4-f4" in match.legal()  # five squares, over and into the rendezvous
    assert "a4-g4" not in match.legal()
    match.play("a4-b4")
    match.play(".")
    assert match.to_act() == "black"
    assert "h6-c6" in match.legal()


def test_1881_turn_has_as_many_squares_as_men() -> None:
    match = Naive1881.from_squares(men(w="a1 a2 a3", b="h8 h7 h6"), mark="d5")
    assert "a3-d3" in match.legal()
    assert "a3-e3" not in match.legal()


def test_1881_steps_of_one_man_keep_to_one_line() -> None:
    match = Naive1881.from_squares(APART, mark="d5")
    match.play("a4-b4")
    assert sorted(t for t in match.legal() if t.startswith("b4")) == sorted(
        ["b4-a4", "b4-c4", "b4-d4", "b4-e4", "b4-f4"]
    )
    match.play("a3-a4")  # another man, another line
    assert sorted(t for t in match.legal() if t.startswith("b4")) == ["b4-c4", "b4-d4", "b4-e4"]
    assert [t for t in match.legal() if t.startswith("a4")] == ["a4-a3"]
    match.play("b4-c4")
    match.play("c4-b4")  # back on the same line
    assert match.to_act() == "white"
    match.play("b4-c4")  # the fifth square
    assert match.to_act() == "black"
    # A new turn forgets the lines.
    match.play("h4-g4")
    match.play(".")
    assert "c4-c5" in match.legal()


def test_1881_man_on_the_old_square_of_a_stepped_man_is_free() -> None:
    match = Naive1881.from_squares(APART, mark="f6")
    match.play("a4-b4")
    match.play("b4-a4")
    assert {t for t in match.legal() if t.startswith("a4")} == {"a4-b4", "a4-c4", "a4-d4"}
    match = Naive1881.from_squares(APART, mark="f6")
    play_all(match, "a4-b5 a3-a4 b5-c6 a5-b5")  # the old square of the first one
    assert {t for t in match.legal() if t.startswith("b5")} == {"b5-a5", "b5-c5"}


def test_1881_turn_ends_automatically_when_no_squares_are_left() -> None:
    # With squares left there is always a step: the man that has stepped can step back.
    match = Naive1881.from_squares(men(w="a1 b1 c1", b="a2 b2 c2 d2 e1 e2"), mark="f6")
    play_all(match, "c1-d1 b1-c1")
    assert set(match.legal()) == {"a1-b1", "c1-b1", "."}
    match.play("a1-b1")
    assert match.to_act() == "black"
    assert match.turn == 2


def test_1881_engine_passes_for_a_hemmed_in_seat() -> None:
    squares = men(w="a1 a2", b="a3 b1 b2 b3 h8")
    match = Naive1881.from_squares(squares, "black", mark="e5", turn=7)
    match.play("h8-h7")
    assert match.play(".") == ["white"]
    assert match.to_act() == "black"
    assert match.turn == 9
    assert len({t[:2] for t in match.legal()}) == 5
    assert "h7-c7" in match.legal()


def test_1881_pass_is_the_first_turn_of_the_rendezvous() -> None:
    squares = men(w="a1 a2", b="a3 b1 b2 b3 h8")
    match = Naive1881.from_squares(squares, "black", "mark", turn=7)
    assert match.play("@e6") == ["white"]
    assert match.turn == 9
    assert "h8-h3" in match.legal()


def test_1881_stuck_match_ends() -> None:
    # With ten men on the board somebody can always step. A full board shows the rule.
    full = {square: "wb"[i % 2] for i, square in enumerate(SQUARES)}
    match = Naive1881.from_squares(full, mark="d5")
    assert termination(match) == "stuck"
    assert match.outcome() == {
        "winners": [],
        "termination": "stuck",
        "scores": {"white": 0, "black": 0},
    }
    assert match.to_act() is None
    assert match.legal() == []
    with pytest.raises(ValueError, match="over"):
        match.play(".")


# ---------------------------------------------------------------------- 1881: a rendezvous is won

NEARLY = men(w="c4 c5 c6 d4 b5", b="e6 h1 f6 g4 e7")


def test_1881_step_after_the_winning_one_is_an_error() -> None:
    match = Naive1881.from_squares(NEARLY | men(w="b5"), mark="d5")
    match.play("d4-d5")
    match.play("c5-d4")
    match.play("b5-c5")
    assert phase(match) == "remove"
    assert match.to_act() == "white"
    for text in ("c6-d6", "."):
        with pytest.raises(ValueError, match="not legal"):
            match.play(text)
    assert match.turn == 1


def test_1881_won_rendezvous_is_followed_by_its_phases() -> None:
    match = Naive1881.from_squares(NEARLY, mark="d5")
    match.play("c5-d6")
    match.play("b5-c5")
    assert sorted(match.legal()) == ["xe7", "xf6", "xg4", "xh1"]  # not e6: it is in
    match.play("xe7")
    assert match.board()["mark"] == "d5"
    # e6 is in, h1 on the border: f6 and g4 are moved out.
    assert {t[:2] for t in match.legal()} == {"f6", "g4"}
    assert "f6>f8" in match.legal()
    assert "f6>c3" not in match.legal()
    match.play("f6>f8")
    assert {t[:2] for t in match.legal()} == {"g4"}
    match.play("g4>h4")
    # In the field White has five, Black one.
    assert phase(match) == "equalise"
    assert match.board()["mark"] is None
    assert match.board()["rendezvous"] == []
    assert match.to_act() == "white"
    assert match.turn == 1
    play_all(match, "c4>c1 c5>a5 c6>c8")
    assert phase(match) == "equalise"
    match.play("d4>d1")
    # Black has four men, White five: Black first.
    assert phase(match) == "muster"
    assert match.to_act() == "black"
    assert match.turn == 2
    match.play("e6>h6")
    assert match.to_act() == "white"
    match.play("d6>d8")
    assert phase(match) == "mark"
    assert match.to_act() == "black"
    assert match.turn == 4
    match.play("@c4")
    assert match.to_act() == "white"
    assert "a5-b6" in match.legal()
    assert "a5-a8" not in match.legal()
    assert termination(match) is None


def test_1881_rendezvous_may_have_border_squares() -> None:
    # Mark b2: a1 to c3. Black's a2 is in and on the border, a5 is only on the border.
    squares = men(w="a1 b1 c1 c2 d3", b="a2 a5 e5 b7 h8")
    match = Naive1881.from_squares(squares, mark="b2")
    match.play("d3-c3")
    assert sorted(match.legal()) == ["xa5", "xb7", "xe5", "xh8"]
    match.play("xe5")
    assert {t[:2] for t in match.legal()} == {"b7"}
    match.play("b7>a7")
    # Field: White c2 and c3, Black none. a1, b1, c1 are on the border.
    assert phase(match) == "equalise"
    assert {t[:2] for t in match.legal()} == {"c2", "c3"}
    match.play("c2>h2")
    match.play("c3>h3")
    assert phase(match) == "mark"
    assert match.to_act() == "black"


def test_1881_win_needs_a_step_by_the_winner() -> None:
    # Black has set the mark round all of White's men.
    squares = men(w="c4 c5", b="a1 a2 a3 a4 h8")
    match = Naive1881.from_squares(squares, "black", "mark")
    match.play("@c5")
    assert phase(match) == "play"
    assert match.to_act() == "white"
    before = match.copy()
    match.play("c4-d4")  # a step inside
    assert phase(match) == "remove"
    # Out of it, and the turn continues.
    before.play("c4-c3")
    assert phase(before) == "play"
    assert before.to_act() == "white"


def test_1881_nobody_is_removed_if_all_are_inside() -> None:
    # Black's two men are in (a1 to c3) and cannot step. White's last man comes in.
    squares = men(w="b1 b2 b3 c3 a4", b="a1 a2")
    match = Naive1881.from_squares(squares, mark="b2", quiet=7)
    match.play("a4-a3")
    # Nobody is taken, nobody dispersed. In the field White has three men, Black none.
    assert phase(match) == "equalise"
    assert match.to_act() == "white"
    assert {t[:2] for t in match.legal()} == {"b2", "b3", "c3"}
    play_all(match, "b2>h2 b3>b8")
    assert phase(match) == "equalise"
    match.play("c3>h8")
    # Black has fewer men. Nobody has one to muster.
    assert phase(match) == "mark"
    assert match.to_act() == "black"
    assert match.quiet == 8


def test_1881_four_men_taken_wins() -> None:
    squares = men(w="c4 c5 b6", b="h1 h2")
    match = Naive1881.from_squares(squares, mark="d5")
    match.play("b6-c6")
    match.play("xh1")
    assert match.outcome() == {
        "winners": ["white"],
        "termination": "four-taken",
        "scores": {"white": 4, "black": 2},
    }


def test_1881_disperse_skips_a_man_without_a_clear_line() -> None:
    # f5 is walled in by men that have to move too.
    squares = men(w="b2 b3 c4", b="e4 e5 e6 f4 f5 f6 g4 g5 g6")
    match = Naive1881.from_squares(squares, "white", "disperse", mark="b2")
    assert "f5" not in {t[:2] for t in match.legal()}
    match.play("g5>h5")
    assert "f5" not in {t[:2] for t in match.legal()}  # h5 is occupied now
    match.play("f6>f8")
    assert "f5>f8" not in match.legal()
    match.play("g6>h6")
    assert {t for t in match.legal() if t.startswith("f5")} == {"f5>h7"}


def test_1881_disperse_leaves_a_man_that_none_can_free() -> None:
    # f6 is walled in by White's men, which stay.
    squares = men(w="e5 e6 e7 f5 f7 g5 g6 g7", b="b6 f6")
    match = Naive1881.from_squares(squares, "white", "disperse", mark="c4")
    assert {t[:2] for t in match.legal()} == {"b6"}
    match.play("b6>a6")
    assert phase(match) == "equalise"
    assert match.board()["squares"]["f6"] == "b"


def test_1881_loser_equalises() -> None:
    # Black's man in the rendezvous stays. Black has three in the field, White one.
    squares = men(w="a1 a2 a3 b1 b2", b="c3 c2 c1 h8")
    match = Naive1881.from_squares(squares, "white", "disperse", mark="b2", turn=30)
    assert phase(match) == "equalise"
    assert match.to_act() == "black"
    assert match.turn == 31
    match.play("c3>c8")
    assert phase(match) == "muster"
    # Black is first: fewer men. Its turn continues.
    assert match.to_act() == "black"
    assert match.turn == 31
    match.play("c2>h2")
    assert match.to_act() == "white"
    assert match.turn == 32
    match.play("b2>b8")
    assert match.to_act() == "black"
    assert match.turn == 33
    assert phase(match) == "mark"


def test_1881_equalise_ends_if_none_can_reach_the_border() -> None:
    # b2 is White's only man. Black is at the end of all its lines.
    squares = men(w="b2", b="a1 a2 a3 b1 c1 h2 b8 h8")
    match = Naive1881.from_squares(squares, "black", "equalise")
    # Nor can it muster. White, who has fewer men, marks.
    assert phase(match) == "mark"
    assert match.to_act() == "white"
    # With one way out White has to equalise.
    del squares["h8"]
    match = Naive1881.from_squares(squares, "black", "equalise")
    assert phase(match) == "equalise"
    assert match.to_act() == "white"
    assert match.legal() == ["b2>h8"]


def test_1881_muster_asks_a_passed_seat_again() -> None:
    # White lost, the numbers are equal: White is first. b2 has no clear line until c3 has left.
    squares = men(w="b2 a1 a2 a3 b1", b="c1 h2 b8 c3 e6")
    match = Naive1881.from_squares(squares, "white", "muster", turn=40)
    assert match.to_act() == "black"
    assert match.turn == 41
    match.play("e6>e8")
    assert match.to_act() == "black"  # White was passed over once more
    assert match.turn == 41
    match.play("c3>h3")
    assert match.to_act() == "white"
    assert match.turn == 42
    assert match.legal() == ["b2>h8"]
    match.play("b2>h8")
    assert phase(match) == "mark"
    assert match.to_act() == "white"
    assert match.turn == 42
    # Neither can move: b2 is shut in for good.
    squares = men(w="b2 a1 a2 a3 b1", b="c1 h2 b8 h8 e1")
    assert phase(Naive1881.from_squares(squares, "black", "muster")) == "mark"


def test_1881_first_to_muster_has_fewer_men_or_lost() -> None:
    even = men(w="b2 c2", b="b7 c7")
    assert Naive1881.from_squares(even, "black", "muster").to_act() == "black"
    assert Naive1881.from_squares(even, "white", "muster").to_act() == "white"
    fewer = men(w="b2 c2", b="b7 c7 a1")
    assert Naive1881.from_squares(fewer, "black", "muster").to_act() == "white"
    assert Naive1881.from_squares(fewer, "white", "muster").to_act() == "white"


# ---------------------------------------------------------------------- endless play


def shuttle_1881(match: Naive1881, turns: int) -> None:
    """Move White a1-b1, Black h8-g8, and both back again."""
    for number in range(turns):
        there = {"white": ("a1-b1", "b1-a1"), "black": ("h8-g8", "g8-h8")}[str(match.to_act())]
        match.play(there[number // 2 % 2])
        match.play(".")


def test_1881_repetition_ends_the_match() -> None:
    match = Naive1881.from_squares(APART, mark="d5")
    shuttle_1881(match, 7)
    assert termination(match) is None
    match.play("g8-h8")
    match.play(".")
    assert termination(match) == "repetition"
    assert match.turn == 9
    match = Naive1881.from_squares(APART, mark="d5", repetition=False)
    shuttle_1881(match, 40)
    assert termination(match) is None


def test_1881_first_turn_is_another_position() -> None:
    match = Naive1881.from_squares(APART, mark="d5", first_turn=True)
    shuttle_1881(match, 8)
    assert termination(match) is None
    match.play("a1-b1")
    match.play(".")
    assert termination(match) == "repetition"  # after White's first move, for the third time


def test_1881_quiet_limit_ends_the_match() -> None:
    match = Naive1881.from_squares(APART, mark="d5", quiet_limit=5)
    shuttle_1881(match, 4)
    assert termination(match) is None
    match.play("a1-b1")
    match.play(".")
    assert termination(match) == "quiet"
    # Both at once.
    match = Naive1881.from_squares(APART, mark="d5", quiet_limit=8)
    shuttle_1881(match, 8)
    assert termination(match) == "repetition"
    # The turns of placing count.
    match = Naive1881(quiet_limit=3)
    play_all(match, "a1 a2 a3")
    assert termination(match) == "quiet"


def test_1881_quiet_counts_passes_and_restarts_after_a_capture() -> None:
    squares = men(w="a1 a2", b="a3 b1 b2 b3 h8")
    match = Naive1881.from_squares(squares, "black", mark="e5", quiet_limit=2)
    match.play("h8-h7")
    assert match.play(".") == ["white"]
    assert termination(match) == "quiet"
    match = Naive1881.from_squares(NEARLY, mark="d5", quiet_limit=10, quiet=9)
    play_all(match, "c5-d6 b5-c5 xe7 f6>f8 g4>h4 c4>c1 c5>a5 c6>c8 d4>d1")
    assert match.to_act() == "black"
    assert match.quiet == 0


# ---------------------------------------------------------------------- 1893: opening and marks


def test_1893_opening_position() -> None:
    match = Naive1893()
    assert squares_of(match, "y") == "a1 a7 e8 g1 h5"
    assert squares_of(match, "b") == "a4 b8 d1 h2 h8"
    assert match.legal() == ["@c6", "@d5", "@e4", "@f3"]
    # "three squares apart and two across the corners a8 and h1"
    places = sorted(RING.index(square) for square in OPENING)
    gaps = [later - one for one, later in pairwise([*places, places[0] + 28])]
    assert sorted(gaps) == [2, 2] + [3] * 8
    letters = [OPENING[RING[place]] for place in places]
    assert all(one != following for one, following in pairwise([*letters, letters[0]]))
    # "colours exchange under reflection in the diagonal a8–h1"
    files, ranks = "abcdefgh", "12345678"
    for square, letter in OPENING.items():
        mirrored = files[7 - ranks.index(square[1])] + ranks[7 - files.index(square[0])]
        assert {letter, OPENING[mirrored]} == {"y", "b"}


def test_1893_rendezvous_have_sizes_and_kinds() -> None:
    def at(mark: str, size: int, sign: str = "") -> str:
        return " ".join(sorted(naive_1893.rendezvous_of(mark, size, sign)))

    assert at("d5", 9) == "c4 c5 c6 d4 d5 d6 e4 e5 e6"
    assert at("c4", 8) == "a2 a4 a6 c1 c8 f1 g8 h4"
    assert at("d5", 7) == "c4 c6 d4 d5 d6 e4 e6"
    assert at("c4", 6) == "a2 a6 c1 c8 f1 g8"
    assert at("d5", 5) == "c4 c6 d5 e4 e6"
    assert at("c4", 4) == "a2 a6 f1 g8"
    assert at("d5", 3, "-") == "c5 d5 e5"
    assert at("d5", 3, "|") == "d4 d5 d6"
    assert at("d5", 3, "/") == "c4 d5 e6"
    assert at("d5", 3, "\\") == "c6 d5 e4"
    for size in range(4, 10):
        for mark in FIELD:
            squares = naive_1893.rendezvous_of(mark, size)
            assert len(squares) == size  # no two queen lines end on the same square
            if size % 2 == 0:
                assert squares <= set(BORDER)
                assert mark not in squares


def test_1893_later_marks() -> None:
    match = Naive1893.from_squares(men(y="a1 d5 c3", b="h8 h7 h6"), "yellow", "mark")
    assert sorted(match.legal()) == sorted("@" + square for square in FIELD)
    match.play("@d5")  # occupied or not
    assert match.board()["rendezvous"] == ["c4", "c6", "d5", "e4", "e6"]
    match = Naive1893.from_squares(men(y="a1 a2", b="h8 h7"), "yellow", "mark")
    assert len(match.legal()) == 36 * 4 + 24  # an edge square but not a corner: along the edge
    assert "@a4|" in match.legal()
    assert "@a4-" not in match.legal()
    assert "@d1-" in match.legal()
    assert not [text for text in match.legal() if text.startswith("@a1")]
    match.play("@d5\\")
    assert match.board()["mark"] == "d5"
    assert match.board()["rendezvous"] == ["c6", "d5", "e4"]


def test_1893_size_depends_on_the_men_when_the_mark_is_set() -> None:
    match = Naive1893()
    match.play("@d5")
    assert len(match.board()["rendezvous"]) == 9
    assert match.to_act() == "black"


# ---------------------------------------------------------------------- 1893: interchange


def test_1893_interchange_of_equal_numbers() -> None:
    match = Naive1893()
    match.play("@e4")
    assert "ix" in match.legal()
    assert "." not in match.legal()
    assert match.play("ix") == []
    assert squares_of(match, "b") == "a1 a7 e8 g1 h5"
    assert squares_of(match, "y") == "a4 b8 d1 h2 h8"
    assert match.to_act() == "black"
    assert match.turn == 2
    assert phase(match) == "play"
    assert "ix" not in match.legal()
    assert "h5-f5" in match.legal()
    assert "h5-e5" not in match.legal()
    match.play("h5-f5")
    assert match.to_act() == "yellow"
    assert "ix" not in match.legal()


def test_1893_interchange_comes_before_the_first_step() -> None:
    match = Naive1893()
    match.play("@e4")
    match.play("a4-b4")
    assert "ix" not in match.legal()
    match.play(".")
    assert "ix" not in match.legal()


def test_1893_interchange_of_unequal_numbers() -> None:
    match = Naive1893.from_squares(men(y="a1 c5", b="h8 f7 h6 b2"), "yellow", "mark", turn=20)
    match.play("@d5")
    assert match.to_act() == "black"
    match.play("ix")
    assert match.to_act() == "yellow"
    assert phase(match) == "interchange"
    assert match.board()["mark"] == "d5"
    assert match.turn == 22
    assert sorted(match.legal()) == [
        "swap b2 f7",
        "swap b2 h6",
        "swap b2 h8",
        "swap f7 h6",
        "swap f7 h8",
        "swap h6 h8",
    ]
    match.play("swap b2 h8")
    assert squares_of(match, "y") == "b2 h8"
    assert squares_of(match, "b") == "a1 c5 f7 h6"
    assert match.to_act() == "black"
    assert match.turn == 23
    assert "ix" not in match.legal()
    assert "f7-f5" in match.legal()  # the first turn: two squares
    assert "f7-f4" not in match.legal()


def test_1893_claim_can_be_the_only_action() -> None:
    # Yellow is hemmed in and has nothing but `ix`. (By hand: the marker never has more men.)
    match = Naive1893.from_squares(men(y="a1 a2", b="a3 b1 b2 b3"), "black", "mark")
    assert match.play("@d5") == []
    assert match.to_act() == "yellow"
    assert match.legal() == ["ix"]


# ---------------------------------------------------------------------- 1893: steps


@pytest.mark.parametrize(("number", "squares"), ((5, 5), (4, 4), (3, 3), (2, 3)))
def test_1893_turn_has_a_number_of_squares(number: int, squares: int) -> None:
    own = " ".join(f"b{rank}" for rank in range(1, number + 1))
    match = Naive1893.from_squares(men(y=own, b="h1 h2 h3 h4"), mark="f7", size=9)
    assert max(step.cost for step in match.steps().values()) == 3
    match.play("b1-e1")
    left = squares - 3
    if left:
        assert match.to_act() == "yellow"
        assert max(step.cost for step in match.steps().values()) == left
        match.play(f"b2-{'bcde'[left]}2")
    assert match.to_act() == "black"


def test_1893_each_man_steps_once_and_the_turn_ends_automatically() -> None:
    match = Naive1893.from_squares(men(y="a1 a8 c1", b="h1 h2 h4"), mark="f6", size=9)
    match.play("a1-b1")
    assert not [t for t in match.legal() if t.startswith("b1")]
    match.play("a8-b8")
    assert {t[:2] for t in match.legal()} == {"c1", "."}
    match.play("c1-d1")
    assert match.to_act() == "black"
    # Squares are left, but every man has stepped.
    match = Naive1893.from_squares(men(y="a1 a8", b="h1 h2 h4"), mark="f6", size=9)
    match.play("a1-b1")
    match.play("a8-b8")
    assert match.to_act() == "black"


def test_1893_step_is_limited_to_three_squares() -> None:
    squares = men(y="d5 d6 e5 c5 a1", b="h1 h2 h3 h4 h5")
    match = Naive1893.from_squares(squares, mark="d5")
    assert "a1-c3" in match.legal()
    assert "a1-b1" in match.legal()
    assert "a1-f1" in match.legal()  # five: the only man outside
    two = men(y="d5 d6 e5 b1 a1", b="h1 h2 h3 h4 h5")
    match = Naive1893.from_squares(two, mark="d5")
    assert "a1-a4" in match.legal()
    assert "a1-a5" not in match.legal()
    assert "d5-g5" not in match.legal()  # blocked by its own e5
    assert "d5-d2" in match.legal()  # with a man inside: three at most
    assert "d5-d1" not in match.legal()


def test_1893_limit_ends_in_the_middle_of_a_turn() -> None:
    squares = men(y="d5 d6 e5 b5 h6", b="h1 h2 h3 h4 g8")
    match = Naive1893.from_squares(squares, mark="d5")
    assert "h6-e6" in match.legal()
    assert "h6-h8" in match.legal()
    assert "b5-c5" in match.legal()
    match = Naive1893.from_squares(men(y="d5 d6 e5 b5 a1", b="h1 h2 h3 h4 g8"), mark="d5")
    assert "a1-e1" not in match.legal()
    match.play("b5-c5")
    assert "a1-e1" in match.legal()  # four squares are left
    assert "a1-f1" not in match.legal()
    # It comes back when a second man steps out.
    match = Naive1893.from_squares(men(y="d5 d6 e5 c5 a1", b="h1 h2 h3 h4 g8"), mark="d5")
    assert "a1-e1" in match.legal()
    match.play("c5-b5")
    assert "a1-d1" in match.legal()
    assert "a1-e1" not in match.legal()


# ---------------------------------------------------------------------- 1893: border runs


def runs_from(match: Naive1893, square: str) -> set[str]:
    return {text for text in match.legal() if text.startswith(square + "~")}


def cost(match: Naive1893, text: str) -> int:
    return match.steps()[text].cost


def open_eight(yellow: str, black: str) -> Naive1893:
    """Mark c4 of 8 squares: a2 a4 a6 c1 c8 f1 g8 h4."""
    return Naive1893.from_squares(men(y=yellow, b=black), mark="c4", size=8)


def test_1893_run_goes_to_and_past_the_first_rendezvous_square() -> None:
    match = open_eight("a7 d5 d6 d7 e3", "h8")
    # Clockwise: a8, b8, and c8 is the first rendezvous square. The other way it is a6.
    assert cost(match, "a7~a8") == cost(match, "a7~b8") == cost(match, "a7~c8") == 1
    assert cost(match, "a7~a6") == 1
    assert cost(match, "a7~a5") == 2
    assert cost(match, "a7~a4") == 3
    assert "a7~a3" not in match.legal()  # four, and the limit is three
    assert "a7~d8" not in match.legal()  # past c8: four squares
    match = open_eight("a8 d5 d6 d7 e3", "h8")
    assert cost(match, "a8~d8") == 3
    assert cost(match, "a8~c8") == 1


def test_1893_starting_square_is_not_the_first_one() -> None:
    match = open_eight("a4 d5 d6 d7 e3", "h8")
    assert cost(match, "a4~a5") == cost(match, "a4~a6") == 1
    assert cost(match, "a4~a7") == 3
    assert cost(match, "a4~a3") == cost(match, "a4~a2") == 1
    assert cost(match, "a4~a1") == 3


def test_1893_runs_are_blocked_by_men() -> None:
    # An occupied first rendezvous square still blocks.
    match = open_eight("a8 d5 d6 d7 e3", "c8 a7")
    assert runs_from(match, "a8") == {"a8~b8"}
    match = open_eight("a8 d5 d6 d7 e3", "d8 a7")
    assert runs_from(match, "a8") == {"a8~b8", "a8~c8"}


def test_1893_run_goes_round_two_corners() -> None:
    # Mark g5 of 4 squares.
    match = Naive1893.from_squares(men(y="b1 c5", b="c2 b5 d5"), mark="g5")
    assert match.board()["rendezvous"] == ["c1", "d8", "h4", "h6"]
    # Clockwise round a1 and a8 to d8, all for one square. The other way c1 is the first one.
    assert runs_from(match, "b1") == {
        *("b1~" + end for end in RING[: RING.index("d8") + 1]),
        *("b1~c1", "b1~d1", "b1~e1"),
    }
    assert cost(match, "b1~d8") == cost(match, "b1~a1") == 1
    assert [cost(match, "b1~" + end) for end in ("c1", "d1", "e1")] == [1, 2, 3]
    # Round them the other way, from c8 to c1.
    match = Naive1893.from_squares(men(y="c8 c5", b="d8 b5 d5"), mark="g5")
    assert runs_from(match, "c8") == {
        *("c8~" + end for end in RING[: RING.index("c8")]),
        *("c8~b1", "c8~c1"),
    }
    # A man on the way ends the run.
    match = Naive1893.from_squares(men(y="c8 c5", b="d8 a4 d5"), mark="g5")
    assert runs_from(match, "c8") == {"c8~" + end for end in ("b8", "a8", "a7", "a6", "a5")}


def test_1893_runs_go_in_both_directions() -> None:
    # Mark b2 of 4: from b1 clockwise a1, a2, a3, the other way c1, d1, e1.
    match = Naive1893.from_squares(men(y="b1 f4 f5", b="d5 e5"), mark="b2")
    assert match.board()["rendezvous"] == ["a1", "a3", "c1", "h8"]
    assert runs_from(match, "b1") == {"b1~a1", "b1~a2", "b1~a3", "b1~c1", "b1~d1", "b1~e1"}
    assert [cost(match, "b1~" + end) for end in ("a1", "a2", "a3")] == [1, 2, 3]


def test_1893_no_square_can_be_reached_both_ways() -> None:
    """Both directions to one square: the more expensive one always costs over five squares.

    So the arrow occurs only round a rendezvous set up by hand.
    """
    match = open_eight("d4 d5", "e5")
    for size in (8, 6, 4):
        for mark in FIELD:
            match.rendezvous = naive_1893.rendezvous_of(mark, size)
            match.squares_left = 5
            for start in RING:
                match.men = {start: "y"}
                ends = [run.end for run in match.runs(start)]
                assert len(ends) == len(set(ends))


def test_1893_arrow_is_used_if_both_ways_are_legal() -> None:
    match = Naive1893.from_squares(men(y="d1 f4 f5", b="e5 e6"), mark="b2")
    match.rendezvous = frozenset(["d8"])
    # The same cost both ways: clockwise is the default.
    assert match.steps()["d1~d8"] == ("d1", "d8", 1, ">")
    assert match.steps()["d1~<d8"] == ("d1", "d8", 1, "<")
    assert "d1~>d8" not in match.legal()
    # Past the first square, clockwise is too dear.
    assert match.steps()["d1~e8"] == ("d1", "e8", 1, "<")
    assert "d1~<e8" not in match.legal()
    # An unnecessary arrow is read anyway.
    before = match.copy()
    before.play("d1~>d8")
    assert squares_of(before, "y") == "d8 f4 f5"
    with pytest.raises(ValueError, match="not legal"):
        match.play("d1~>e8")
    match.play("d1~<e8")
    assert squares_of(match, "y") == "e8 f4 f5"


def test_1893_hyphen_along_an_edge_is_a_run_that_way() -> None:
    match = open_eight("a7 d5 d6 d7 e3", "h8")
    assert "a7-a5" not in match.legal()
    match.play("a7-a5")
    assert squares_of(match, "y") == "a5 d5 d6 d7 e3"
    assert match.squares_left == 3  # past a6: two squares
    match = open_eight("a7 d5 d6 d7 e3", "h8")
    with pytest.raises(ValueError, match="not legal"):
        match.play("a7-b8-c8")
    match.play("a7-b8")  # across the corner, an ordinary step
    assert match.squares_left == 4
    match = open_eight("a7 d5 d6 d7 e3", "h8")
    with pytest.raises(ValueError, match="not legal"):
        match.play("a7-c8")


def test_1893_cheaper_way_is_the_default() -> None:
    # Clockwise to a4 past a2: three squares. The other way round a4 itself is the first one.
    match = Naive1893.from_squares(men(y="a1 f4 f5", b="e5 e6"), mark="b2")
    match.rendezvous = frozenset(["a2", "a4"])
    assert match.steps()["a1~a4"] == ("a1", "a4", 1, "<")
    assert match.steps()["a1~>a4"] == ("a1", "a4", 3, ">")
    assert match.steps()["a1~a3"] == ("a1", "a3", 2, ">")
    # `-` is read in the direction of the edge, not of the default.
    before = match.copy()
    before.play("a1-a4")
    assert before.to_act() == "black"  # all three squares
    # The default is chosen among the legal ones: clockwise is too dear, or barred.
    match.squares_left = 2
    assert match.steps()["a1~a4"].way == "<"
    assert "a1~>a4" not in match.steps()
    match.squares_left = 3
    match.men["b1"] = "b"
    assert match.steps()["a1~a4"] == ("a1", "a4", 3, ">")


def test_1893_moves_off_the_border_or_across_a_corner_do_not_count_as_runs() -> None:
    # Off the border, or across a corner, during an open rendezvous.
    match = open_eight("a2 d5 d6 d7 e3", "h7")
    assert {"a2-b1", "a2-b2", "a2-b3", "a2~b1", "a2~a3"} <= set(match.legal())
    assert "a2-a3" not in match.legal()
    assert runs_from(match, "d5") == set()
    # There are none for a close rendezvous.
    close = Naive1893.from_squares(men(y="a2 d5 d6 d7 e3", b="h7"), mark="c4", size=9)
    assert "a2-a5" in close.legal()
    assert not [text for text in close.legal() if "~" in text]
    with pytest.raises(ValueError, match="not legal"):
        close.play("a2~a5")


def test_1893_limit_of_a_run_applies_to_its_cost() -> None:
    # Mark c4 of 8 squares. From a7 past a6: a4 is three squares, a3 four.
    match = open_eight("a7 c1 f1 g8 d5", "e5")
    assert {"a7~a4", "a7~c8"} <= set(match.legal())
    assert "a7~a3" not in match.legal()
    # The last man outside has five: a2 is the fifth square of the walk.
    match = open_eight("a7 c1 f1 g8", "e5 e6 e7 d5 d6")
    assert match.squares_left == 4
    assert cost(match, "a7~a3") == 4
    assert "a7~a2" not in match.legal()
    match = open_eight("a7 c1 f1 g8 h4", "e5 e6 e7 d5")
    assert cost(match, "a7~a2") == 5
    # A run of eight squares for one counts as one square.
    match = open_eight("h1 d5 d6 d7 c5", "e5")
    assert cost(match, "h1~f1") == 1
    match.squares_left = 1
    assert "h1~h4" in match.legal()


# ---------------------------------------------------------------------- 1893: end of a turn


def test_1893_worked_example_of_a_full_rendezvous() -> None:
    # § 4, first diagram, mark d5. e4 is vacant: A d5, D e6, E f6.
    squares = men(y="c6 d6 e6 d5 f6", b="c5 e5 c4 d4 f5")
    match = Naive1893.from_squares(squares, mark="d5", quiet=11)
    play_all(match, "d5-e4 e6-d5")
    assert match.to_act() == "yellow"
    match.play("f6-e6")
    # Full: f5 is removed, and Black, who has fewer men now, marks.
    assert squares_of(match, "y") == "c6 d5 d6 e4 e6"
    assert squares_of(match, "b") == "c4 c5 d4 e5"
    assert phase(match) == "mark"
    assert match.to_act() == "black"
    assert match.board()["mark"] is None
    assert match.quiet == 0
    assert len(match.legal()) == 36
    match.play("@c4")
    assert match.board()["rendezvous"] == ["a2", "a4", "a6", "c1", "c8", "f1", "g8", "h4"]
    assert match.to_act() == "yellow"


def test_1893_worked_example_of_five_steps() -> None:
    # § 4, second diagram, mark d5 (with c on it). e4 is vacant.
    squares = men(y="c5 d4 d6 e6 f6", b="c6 d5 e5 f5 c4")
    match = Naive1893.from_squares(squares, mark="d5")
    play_all(match, "d4-e4 c5-d4 d6-c5")
    with pytest.raises(ValueError, match="not legal"):
        match.play("d4-e3")  # a man that has stepped
    play_all(match, "e6-d6 f6-e6")
    assert squares_of(match, "y") == "c5 d4 d6 e4 e6"
    assert squares_of(match, "b") == "c4 c6 d5 e5"
    assert phase(match) == "mark"


def test_1893_worked_example_of_an_open_rendezvous() -> None:
    # § 4, third diagram, mark c4. A f1, B c1, C a2, D b3. h4 is vacant.
    squares = men(y="f1 c1 a2 b3", b="b4 b5 b6 c7 d7")
    match = Naive1893.from_squares(squares, mark="c4")
    play_all(match, "f1~h4 c1~f1 a2~c1")
    assert match.squares_left == 1
    match.play("b3-a2")
    assert phase(match) == "replace"
    assert match.legal() == ["*b4", "*b5", "*b6", "*c7", "*d7"]


def test_1893_replace_takes_an_outlying_man() -> None:
    squares = men(y="c4 d5 e7", b="c6 h2 h3")
    match = Naive1893.from_squares(squares, mark="d5", quiet=3)
    assert match.board()["rendezvous"] == ["c4", "c6", "d5", "e4", "e6"]
    match.play("e7-e6")
    assert phase(match) == "replace"
    assert match.to_act() == "yellow"
    assert match.turn == 1
    assert match.board()["mark"] == "d5"
    assert match.legal() == ["*h2", "*h3"]
    match.play("*h3")
    assert squares_of(match, "y") == "c4 d5 e6 h3"
    assert squares_of(match, "b") == "c6 h2"
    assert match.board()["rendezvous"] == ["c4", "c6", "d5", "e4", "e6"]
    assert phase(match) == "play"
    assert match.to_act() == "black"
    assert match.quiet == 0
    assert match.turn == 2


def test_1893_replacing_down_to_the_last_man_wins() -> None:
    match = Naive1893.from_squares(men(y="c5 b4", b="h2 h3"), mark="d5-")
    assert match.board()["rendezvous"] == ["c5", "d5", "e5"]
    play_all(match, "c5-d5 b4-c5 *h3")
    assert match.outcome() == {
        "winners": ["yellow"],
        "termination": "last-man",
        "scores": {"yellow": 3, "black": 1},
    }
    assert match.to_act() is None


def test_1893_full_rendezvous_down_to_the_last_man_wins() -> None:
    match = Naive1893.from_squares(men(y="c5 b4", b="e5 h3"), mark="d5-")
    match.play("c5-d5")
    match.play("b4-c5")
    assert match.outcome() == {
        "winners": ["yellow"],
        "termination": "last-man",
        "scores": {"yellow": 2, "black": 1},
    }


def test_1893_seat_with_fewer_men_marks_after_a_full_rendezvous() -> None:
    # Mark d5 of 5 squares: c4 c6 d5 e4 e6. Two against three then: Yellow, in the same turn.
    match = Naive1893.from_squares(men(y="c6 b4", b="d5 e6 e4 h1"), mark="d5", turn=9)
    match.play("b4-c4")
    assert squares_of(match, "b") == "d5 e4 e6"
    assert phase(match) == "mark"
    assert match.to_act() == "yellow"
    assert match.turn == 9
    match.play("@c4")
    assert match.to_act() == "black"
    assert match.turn == 10
    # Three against two: Black.
    match = Naive1893.from_squares(men(y="c6 d5 b4", b="e6 e4 h1"), mark="d5", turn=9)
    match.play("b4-c4")
    assert squares_of(match, "b") == "e4 e6"
    assert match.to_act() == "black"
    assert match.turn == 10
    # Two each (mark c4 of 4 squares: a2 a6 f1 g8): Black, who has just lost a man.
    match = Naive1893.from_squares(men(y="a2 f7", b="a6 f1 d5"), mark="c4", turn=9)
    match.play("f7-g8")
    assert squares_of(match, "b") == "a6 f1"
    assert match.to_act() == "black"
    assert len(match.legal()) == 36 * 4 + 24


def test_1893_step_inside_ends_a_turn_that_starts_all_in() -> None:
    squares = men(y="c4 c5", b="h1 h2 h3 h4 h5 h6 h7 h8")
    match = Naive1893.from_squares(squares, mark="d5")
    assert "." not in match.legal()
    inside, out = match.copy(), match.copy()
    inside.play("c5-d5")  # a step inside ends the turn at once
    assert phase(inside) == "replace"
    out.play("c5-b5")  # out: the turn continues, and nobody is rewarded
    assert phase(out) == "play"
    assert out.to_act() == "yellow"
    out.play("c4-d4")
    assert out.to_act() == "black"
    assert phase(out) == "play"


def test_1893_only_the_seat_of_the_turn_is_examined() -> None:
    # Yellow is all in. Black's turn ends without a reward for anybody.
    squares = men(y="c4 c5", b="h1 h2 h3 h4 h5 h6 h7 h8")
    match = Naive1893.from_squares(squares, "black", mark="d5")
    match.play("h1-g1")
    match.play(".")
    assert phase(match) == "play"
    assert match.to_act() == "yellow"


def test_1893_passed_seat_is_examined() -> None:
    # Yellow's two men are in and hemmed in: the engine passes, and Yellow replaces in the same
    # turn.
    squares = men(y="a1 b1", b="a2 b2 c1 c2 h8 h7 h6 h5")
    match = Naive1893.from_squares(squares, "black", mark="b2", turn=5)
    match.play("h8-g8")
    assert match.play(".") == ["yellow"]
    assert match.to_act() == "yellow"
    assert phase(match) == "replace"
    assert match.turn == 6
    assert match.legal() == ["*g8", "*h5", "*h6", "*h7"]
    match.play("*h7")
    assert match.to_act() == "black"
    assert match.turn == 7
    # Full: the outlying man is removed without an action, and the passed seat, having fewer, marks.
    squares = men(y="a1 b1", b="a2 b2 c1 c2 c3 a3 b3 h8")
    match = Naive1893.from_squares(squares, "black", mark="b2", turn=5)
    match.play("h8-g8")
    assert match.play(".") == ["yellow"]
    assert squares_of(match, "b") == "a2 a3 b2 b3 c1 c2 c3"
    assert phase(match) == "mark"
    assert match.to_act() == "yellow"
    # Not all in: passed for, and nothing more.
    squares = men(y="a1 b1", b="a2 b2 c1 c2 h8 h7 h6 h5")
    match = Naive1893.from_squares(squares, "black", mark="e5", turn=5)
    match.play("h8-g8")
    assert match.play(".") == ["yellow"]
    assert match.to_act() == "black"
    assert match.turn == 7


def test_1893_stuck_match_ends() -> None:
    full = {square: "yb"[i % 2] for i, square in enumerate(SQUARES)}
    match = Naive1893.from_squares(full, mark="d5", size=9)
    assert termination(match) == "stuck"
    assert match.outcome() == {
        "winners": [],
        "termination": "stuck",
        "scores": {"yellow": 32, "black": 32},
    }


def test_1893_repetition_and_quiet_limit_end_the_match() -> None:
    squares = men(y="a1 a3", b="h8 h6")

    def shuttle(match: Naive1893, turns: int) -> None:
        for number in range(turns):
            there = {"yellow": ("a1-b1", "b1-a1"), "black": ("h8-g8", "g8-h8")}
            match.play(there[str(match.to_act())][number // 2 % 2])
            match.play(".")

    match = Naive1893.from_squares(squares, mark="d5-")
    shuttle(match, 7)
    assert termination(match) is None
    match.play("g8-h8")
    match.play(".")
    assert termination(match) == "repetition"
    match = Naive1893.from_squares(squares, mark="d5-", repetition=False, quiet_limit=12)
    shuttle(match, 11)
    assert termination(match) is None
    match.play("g8-h8")
    match.play(".")
    assert termination(match) == "quiet"


# ---------------------------------------------------------------------- random matches


def check(match: NaiveMatch) -> None:
    legal = match.legal()
    assert len(legal) == len(set(legal))
    assert bool(legal) == (match.to_act() is not None) == (match.outcome() is None)
    board = match.board()
    assert board["rendezvous"] == sorted(board["rendezvous"])
    assert (board["mark"] is None) == (not board["rendezvous"])


def random_match(match: NaiveMatch, chance: random.Random) -> NaiveMatch:
    """Play at random, but mostly enter the rendezvous if possible, so that every phase occurs."""
    while match.to_act() is not None:
        check(match)
        legal = match.legal()
        if "ix" in legal and chance.random() < 0.5:
            match.play("ix")
            continue
        if match.phase == "play" and match.rendezvous and chance.random() < 0.9:
            entering = [t for t in legal if t[-2:] in match.rendezvous]
            entering = [t for t in entering if t[:2] not in match.rendezvous]
            legal = entering or [t for t in legal if t[:2] not in match.rendezvous] or legal
        match.play(chance.choice(legal))
    check(match)
    return match


@pytest.mark.parametrize("kind", (Naive1881, Naive1893))
def test_random_matches_end(kind: type[NaiveMatch]) -> None:
    ends = set()
    for seed in range(3):
        match = random_match(kind(quiet_limit=(100, 40, 0)[seed]), random.Random(seed))
        ends.add(termination(match))
    assert ends <= {"four-taken", "last-man", "repetition", "quiet"}


@pytest.mark.parametrize("kind", (Naive1881, Naive1893))
def test_copy_is_another_match(kind: type[NaiveMatch]) -> None:
    match = kind()
    before = match.board()
    random_match(match.copy(), random.Random(3))
    assert match.board() == before
    assert match.turn == 1


def test_1893_opening_has_the_right_counts() -> None:
    # Counted by hand: a4 10, b8 7, d1 10, h2 7, h8 6 steps of one or two squares, and `ix`.
    assert perft(Naive1893(), 2) == [4, 4 * (40 + 1)]
