"""Lanko's notation: canonical texts, lenient reading, shortened captures, refusals.

Rulebook, "Lenient reading" and Lanko, "Moves".
"""

from __future__ import annotations

import pytest

from pbem.games import game_of
from pbem.games.api import AmbiguousActionError, IllegalActionError, InvalidActionError, Seat
from pbem.games.lanko.position import LankoPosition
from pbem.games.phrases import ENGLISH
from tests.games.lanko.drawing import drawn, placed
from tests.games.lanko.playing import game, legal, play, refusal

LANKO = game_of("lanko-88")
PAWNS_88 = placed("lanko-88", "P:7 P:8 B:E B:A b:F", "N")
CAPTURE_88 = placed("lanko-88", "P:9 p:10 p:D B:A b:F", "N")
MIDDLE_88 = placed("lanko-88", "S:D p:E B:A b:F", "N")
G_103 = placed("lanko-103", "S:G P:37 B:A b:D", "S")
CAPTURE_103 = placed("lanko-103", "P:G p:24 p:25 b:D", "S")
STANDBY_103 = placed("lanko-103", "P:#S b:D", "S")


def actions(text: str) -> list[str]:
    """Return the texts of the actions in an email."""
    return [action for line in LANKO.read(text) for action in line.actions]


def read(position: LankoPosition, text: str) -> list[str]:
    """Return canonical texts of an email's actions, each read in the same position."""
    rules = game(position)
    return [
        rules.format(position, rules.parse(position, action, position.seat))
        for action in actions(text)
    ]


# ------------------------------------------------------------------ canonical texts


@pytest.mark.parametrize(
    ("position", "text"),
    (
        (PAWNS_88, "[7-B]"),
        (PAWNS_88, "[8-B]"),
        (PAWNS_88, "[8-B +++]"),
        (PAWNS_88, "[E-(X)]"),
        (PAWNS_88, "[N+++]"),
        (placed("lanko-88", "P:9 p:10", "N"), "[9:C]"),
        (CAPTURE_88, "[9:C:E]"),
        (MIDDLE_88, "[D:(X)]"),
        (placed("lanko-103", "P:P P:38"), "[P-36]"),
        (G_103, "[G-(N)]"),
        (G_103, "[37-N]"),
        (STANDBY_103, "[#S-P]"),
    ),
)
def test_examples_of_the_rulebook_are_canonical(position: LankoPosition, text: str) -> None:
    rules = game(position)
    action = rules.parse(position, text, position.seat)
    assert rules.format(position, action) == text
    assert read(position, text) == [text]


# ------------------------------------------------------------------ lenient reading


@pytest.mark.parametrize(
    "text",
    (
        *("[8-B]", "[8-b]", "8-B", "8-b", " 8-B ", "\t[8-B]", "[ 8-B ]", "8 - B", "[8 -B]"),
        *("8-B.", "[8-B].", "[8-B.]", "8-B .", "8-B;", "* 8-B", "- 8-B", "* [8-B]", "  - [8-b]."),
        *("8–B", "8—B", "8−B", "8‐B", "8‑B", "8 – B", "[8–B]", "- 8–B"),
        *("\u00a08-B\u00a0", "8\u00a0-\u00a0B", "8-B\u200b", "\ufeff8-B"),
    ),
    ids=ascii,
)
def test_step_or_jump_is_read(text: str) -> None:
    assert read(PAWNS_88, text) == ["[8-B]"]


@pytest.mark.parametrize(
    "text",
    (
        *("[9:C:E]", "9:c:e", "9 : C : E", "9: C :E", "9xCxE", "9xcxe", "9XCXE", "9×C×E"),
        *("[9×C×E]", "9 x C x E", "9 × C × E", "9xC:E", "9:CxE.", "[9x C xE]", "- 9xCxE"),
    ),
    ids=ascii,
)
def test_capture_is_read(text: str) -> None:
    assert read(CAPTURE_88, text) == ["[9:C:E]"]


@pytest.mark.parametrize("text", ("30xG", "30×G", "30:G", "[30 x g]", "30 X G", "30:g."), ids=ascii)
def test_capture_on_103_is_read(text: str) -> None:
    assert read(placed("lanko-103", "P:30 p:24 b:D"), text) == ["[30:G]"]


@pytest.mark.parametrize(
    "text",
    (*("[E-(X)]", "E-X", "e-x", "[e-x]", "E-(x)", "E - (X)", "E-( X )", "E–X.", "E - x"),),
    ids=ascii,
)
def test_step_into_the_middle_is_read(text: str) -> None:
    assert read(PAWNS_88, text) == ["[E-(X)]"]


@pytest.mark.parametrize(
    "text",
    (*("[D:(X)]", "D:X", "d:x", "DxX", "dxx", "D×X", "Dx(X)", "D x X", "D : ( x )", "D×(x)."),),
    ids=ascii,
)
def test_capture_into_the_middle_is_read(text: str) -> None:
    """An `x` between two labels is a colon. After a separator it is the middle."""
    assert read(MIDDLE_88, text) == ["[D:(X)]"]


@pytest.mark.parametrize(
    "text", ("[G-(N)]", "G-(N)", "G-N", "g-n", "g-(n)", "[G-( N )]", "G – N"), ids=ascii
)
def test_parentheses_of_an_end_square_are_optional(text: str) -> None:
    assert read(G_103, text) == ["[G-(N)]"]


def test_n_without_parentheses_is_the_legal_one_of_two_squares() -> None:
    # N is a strip square, too. With parentheses it is only the end square.
    assert read(G_103, "37-n") == ["[37-N]"]
    assert isinstance(refusal(G_103, "37-(N)"), IllegalActionError)


@pytest.mark.parametrize("text", ("[#S-P]", "#s-p", "#S - P"))
def test_standby_square_is_read(text: str) -> None:
    assert read(STANDBY_103, text) == ["[#S-P]"]


def test_standby_square_needs_its_sign() -> None:
    assert isinstance(refusal(STANDBY_103, "S-P"), IllegalActionError)
    assert actions("# S-P") == []


@pytest.mark.parametrize(
    "text",
    (
        *("[8-B +++]", "[8-B+++]", "8-B +++", "8-b+++", "[8-B] [+++]", "[8-B][+++]", "8-B. +++"),
        *("[8-B]\n[+++]", "8-B\n\n+++", "8-B; +++", "- 8-B\n- +++", "[8–B  +++]."),
    ),
    ids=ascii,
)
def test_declaration_with_a_move_is_read(text: str) -> None:
    assert read(PAWNS_88, text) == ["[8-B +++]"]


@pytest.mark.parametrize("text", ("[N+++]", "[+++]", "+++", "n+++", "[ N +++ ]", "+++."), ids=ascii)
def test_declaration_alone_is_read(text: str) -> None:
    assert read(PAWNS_88, text) == ["[N+++]"]


def test_several_actions_may_be_on_one_line_or_on_several() -> None:
    for text in ("8-B 7-11", "8-B; 7-11", "8-B;7-11.", "8-B. 7-11.", "8-B\n7-11", "[8-B][7-11]"):
        assert [action.strip("[]") for action in actions(text)] == ["8-B", "7-11"]


def test_only_bracketed_actions_count_if_there_are_any() -> None:
    assert actions("8-B\n[7-11]") == ["7-11"]
    assert actions("[7-11]\n8-B") == ["7-11"]
    assert actions("8-B [7-11]") == ["7-11"]
    assert actions("[8-B] 7-11 [E-D]") == ["8-B", "E-D"]
    assert actions("I thought of 8-B.\n[7-11]") == ["7-11"]
    assert actions("[8-B] +++") == ["8-B"]


def test_brackets_in_prose_do_not_count() -> None:
    lines = LANKO.read("I looked at [8-B] for an hour,\n7-11")
    assert [line.counts for line in lines] == [False, True]
    assert actions("I looked at [8-B] for an hour,\n7-11") == ["7-11"]


@pytest.mark.parametrize("text", ("[8]", "[hello]", "[]", "[8-B-9]", "[8-B] [so]", "[---]"))
def test_brackets_without_an_action_refuse_the_email(text: str) -> None:
    with pytest.raises(InvalidActionError) as caught:
        LANKO.read(text)
    assert "A move looks like [7-B]" in ENGLISH.text(caught.value.reason)


@pytest.mark.parametrize(
    "line",
    (
        *("Hello", "I play 8-B, thanks", "8-B thanks", "-- ", "--", "---", "8", "8-", "-B", "8B"),
        *("8-B-9", "8--B", "9:C-E", "AB-12", "1234-B", "8-B,", "(8-B)", "> 8-B", "", "   ", "++"),
        *("On 3-4 May I am away", "Max", "tel. 555-1234", "a-ha", "x", "....", "E-mail: a@b.c"),
    ),
)
def test_prose_lines_do_not_count(line: str) -> None:
    (reading,) = LANKO.read(line) or LANKO.read(" ")
    assert not reading.counts
    assert reading.actions == ()


@pytest.mark.parametrize(
    ("line", "words"),
    (
        ("I play 8-B, thanks", ("8-B",)),
        ("I play [8-B], thanks!", ("8-B",)),
        ("either 9:C:E or 9xC", ("9:C:E", "9xC")),
        ("then g-(n).", ("g-(n)",)),
        ("#S-P is what I want", ("#S-P",)),
        ("a coaxed axe, Max, and T-shirts", ()),
        ("call 555-1234 on 2026-11-21", ()),
        ("8–B it is", ("8-B",)),
    ),
)
def test_action_like_words_in_prose_are_found(line: str, words: tuple[str, ...]) -> None:
    assert LANKO.mentioned(line) == words


# ------------------------------------------------------------------ shortened captures


RING = placed("lanko-88", "P:H p:G p:23 p:14 p:25 b:O B:A")
BOTH_WAYS_ROUND = ("[H:15:13:F:H]", "[H:F:13:15:H]")


def test_landings_may_be_omitted_if_one_capture_fits() -> None:
    for text in ("9:C:E", "9:E", "9:C"):
        assert read(CAPTURE_88, text) == ["[9:C:E]"]
    assert read(RING, "H:F:15") == ["[H:F:13:15:H]"]
    assert read(RING, "H:15:F") == ["[H:15:13:F:H]"]


@pytest.mark.parametrize("text", ("H:H", "H:13", "H:F", "H:F:H", "hxh", "[H:15]"))
def test_text_that_fits_two_captures_is_answered_with_both(text: str) -> None:
    error = refusal(RING, text)
    assert isinstance(error, AmbiguousActionError)
    assert sorted(error.candidates) == sorted(BOTH_WAYS_ROUND)


def test_full_text_of_a_capture_is_unambiguous() -> None:
    for text in BOTH_WAYS_ROUND:
        assert read(RING, text) == [text]


def test_exact_full_text_wins_over_a_shortened_one() -> None:
    # C takes D and enters the middle, or goes round by 14 and J and enters from there.
    position = drawn(
        "lanko-68",
        """
            . . B . .
            . . . . .
        . . . . S p . . .
        . . . . p . p . .
        b . . . X p . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
        "N",
    )
    assert sorted(legal(position)) == ["[C:(X)]", "[C:14:J:(X)]"]
    assert read(position, "C:X") == ["[C:(X)]"]
    assert read(position, "CxX") == ["[C:(X)]"]
    for text in ("C:14", "C:J", "C:J:X", "C:14:X"):
        assert read(position, text) == ["[C:14:J:(X)]"]


def test_landing_out_of_order_or_off_the_way_is_refused() -> None:
    for text in ("9:E:C", "9:D", "9:C:C", "9:C:E:J"):
        error = refusal(CAPTURE_88, text)
        assert isinstance(error, IllegalActionError)
        assert error.candidates == ("[9:C:E]",)


def test_step_and_capture_are_not_interchangeable() -> None:
    assert isinstance(refusal(CAPTURE_88, "9-C"), IllegalActionError)
    assert isinstance(refusal(PAWNS_88, "8:B"), IllegalActionError)
    assert isinstance(refusal(PAWNS_88, "8:7"), IllegalActionError)


# ------------------------------------------------------------------ refusals


def test_text_without_the_form_of_an_action_is_invalid() -> None:
    for text in ("", "hello", "8", "8-", "8-B-C", "8+B", "---", "++++", "8-B ++"):
        assert isinstance(refusal(PAWNS_88, text), InvalidActionError), text


@pytest.mark.parametrize(
    ("key", "text", "label"),
    (
        ("lanko-88", "65-B", "65"),
        ("lanko-88", "8-U", "U"),
        ("lanko-88", "0-B", "0"),
        ("lanko-88", "08-B", "08"),
        ("lanko-88", "#S-T", "#S"),
        ("lanko-88", "E-(N)", "(N)"),
        ("lanko-68", "A-Q", "Q"),
        ("lanko-103", "8-I", "I"),
        ("lanko-103", "G-X", "X"),
        ("lanko-103", "41-G", "41"),
    ),
)
def test_square_that_the_board_lacks_is_invalid(key: str, text: str, label: str) -> None:
    position = game_of(key).initial(4, {})
    error = refusal(position, text)
    assert isinstance(error, InvalidActionError)
    assert ENGLISH.text(error.reason) == f"there is no square {label} on this board"


OPENING = game_of("lanko-88").initial(4, {})
HOME_103 = placed("lanko-103", "B:(N) P:N p:17 b:D", "S")


@pytest.mark.parametrize(
    ("position", "seat", "text", "reason"),
    (
        (OPENING, "S", "48-38", "square 48 is vacant"),
        (OPENING, "S", "13-14", "the piece on 13 belongs to the other side"),
        (OPENING, "S", "9-C", "the piece on 9 is on N's half of the board, so N moves it"),
        (OPENING, "S", "53-54", "square 54 is occupied"),
        (OPENING, "S", "54-38", "the pawn on 54 cannot move like that"),
        (OPENING, "S", "62-46", "the castle on 62 cannot move like that"),
        (OPENING, "S", "54:46", "the pawn on 54 cannot capture like that"),
        (OPENING, "N", "9-16", "it is S's turn, not N's"),
        (OPENING, "S", "X-P", "square X is vacant"),
        (OPENING, "W", "54-46", "it is S's turn, not W's"),
        (CAPTURE_88, "N", "A-2", "you can capture, so you must"),
        (placed("lanko-88", "B:X P:60"), "S", "(X)-P", "a castle that has come home stays there"),
        (HOME_103, "S", "(N)-18", "a castle that has come home stays there"),
        (HOME_103, "S", "N-40", "the pawn on N cannot move like that"),
        (HOME_103, "S", "(E)-18", "square (E) is vacant"),
    ),
)
def test_refusal_gives_the_reason(
    position: LankoPosition, seat: Seat, text: str, reason: str
) -> None:
    error = refusal(position, text, seat)
    assert isinstance(error, IllegalActionError)
    assert ENGLISH.text(error.reason) == reason
    assert error.text == text


def test_refusal_lists_legal_alternatives() -> None:
    assert set(refusal(OPENING, "54-38").candidates) == {"[54-46]", "[54-47]", "[54-Q]"}
    # Nothing from there: moves to the same square.
    assert set(refusal(OPENING, "48-47").candidates) == {"[54-47]", "[53-47]", "[R-47]", "[58-47]"}
    # Another capture is required.
    assert refusal(CAPTURE_88, "A-2").candidates == ("[9:C:E]",)


def test_nothing_is_read_after_the_end() -> None:
    over = play(placed("lanko-68", "B:M P:1 b:X p:9"), "[M-(X)]")
    error = refusal(over, "1-5", "N")
    assert isinstance(error, IllegalActionError)
    assert ENGLISH.text(error.reason) == "the match is over"


def test_errors_have_three_kinds() -> None:
    assert refusal(RING, "hello").kind == "invalid"
    assert refusal(RING, "H-I").kind == "illegal"
    assert refusal(RING, "H:H").kind == "ambiguous"
    assert str(refusal(RING, "H-I")) == "H-I: you can capture, so you must"
