"""End d, the agreed end: who has to declare `+++`, and what cancels it."""

from __future__ import annotations

import pytest

from pbem.games.api import IllegalActionError
from pbem.games.lanko.position import LankoPosition
from pbem.games.phrases import ENGLISH
from pbem.games.replay import play_one
from tests.games.lanko.drawing import drawn
from tests.games.lanko.playing import ended, game, goes_on, legal, play, refusal

EACH_A_CASTLE = """
            . . B . .
            . . . . .
        . . . . . . . . .
        . . . . . . . . .
        b . . . X . . . b
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . S . .
"""
# White 12 + 6 = 18, Black 12 + 12 = 24.


def standing(position: LankoPosition, seats: str) -> LankoPosition:
    """Return the position after these seats have sent `[+++]` alone."""
    for seat in seats:
        position = play(position, "[+++]", seat)
    return position


# ------------------------------------------------------------------ two, three and four players


def test_two_players_agree_with_one_declaration_each() -> None:
    position = play(drawn("lanko-68", EACH_A_CASTLE, players=2), "[P-46 +++]")
    assert goes_on(position)
    assert ended(play(position, "[+++]", "W")) == ("agreed", -6)
    assert ended(play(position, "[E+++]", "W")) == ("agreed", -6)
    assert ended(play(position, "[E-17 +++]")) == ("agreed", -6)


def test_move_of_either_seat_cancels_it_with_two_players() -> None:
    position = play(drawn("lanko-68", EACH_A_CASTLE, players=2), "[P-46 +++] [E-17] [A-B]")
    position = standing(position, "W")
    assert goes_on(position)
    assert ended(standing(position, "S")) == ("agreed", -6)


def test_solo_player_declares_for_both_seats_with_three_players() -> None:
    position = play(drawn("lanko-68", EACH_A_CASTLE, players=3), "[P-46 +++] [E-17 +++]")
    assert goes_on(position)
    assert ended(play(position, "[A-B +++]")) == ("agreed", -6)
    # E's move without it cancels W's declaration.
    position = play(position, "[A-B] [L-24]")
    assert goes_on(standing(position, "N"))
    assert ended(standing(position, "NE")) == ("agreed", -6)


def test_each_of_the_pair_declares_separately_with_three_players() -> None:
    position = drawn("lanko-68", EACH_A_CASTLE, players=3)
    assert goes_on(standing(position, "SW"))
    assert goes_on(standing(position, "SE"))
    assert ended(standing(position, "SEN")) == ("agreed", -6)
    # N's move does not cancel S's declaration.
    position = play(position, "[P-46 +++] [E-17 +++] [A-B] [L-24 +++]")
    assert goes_on(position)
    assert ended(standing(position, "N")) == ("agreed", -6)


def test_all_four_players_must_declare() -> None:
    position = drawn("lanko-68", EACH_A_CASTLE)
    for seats in ("SWN", "WNE", "SNE", "SWE"):
        assert goes_on(standing(position, seats))
    assert ended(standing(position, "ENWS")) == ("agreed", -6)


def test_only_the_players_own_move_cancels_it_with_four_players() -> None:
    position = play(drawn("lanko-68", EACH_A_CASTLE), "[P-46 +++] [E-17] [A-2] [L-24]")
    assert ended(standing(position, "WNE")) == ("agreed", -6)
    position = standing(play(position, "[46-P]"), "WNE")
    assert goes_on(position)
    assert ended(standing(position, "S")) == ("agreed", -6)


# ------------------------------------------------------------------ who must declare


def test_player_without_castles_facing_none_need_not_declare() -> None:
    # S has the only castle outside. W has a pawn that might take it. N and E need not declare.
    position = drawn(
        "lanko-68",
        """
            P . . . .
            . . . . .
        . . . . . . . . .
        p . . . . . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . S . .
        """,
    )
    assert goes_on(standing(position, "S"))
    assert goes_on(standing(position, "WNE"))
    assert ended(standing(position, "SW")) == ("agreed", 8 - 2)


def test_every_opponent_of_a_castle_with_a_piece_outside_must_declare() -> None:
    position = drawn(
        "lanko-68",
        """
            P . . . .
            . . . . .
        . . . . . . . . .
        p . . . . . . . p
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . S . .
        """,
    )
    assert goes_on(standing(position, "SWN"))
    assert goes_on(standing(position, "SEN"))
    assert ended(standing(position, "SWE")) == ("agreed", 8 - 4)


def test_castle_at_home_is_not_outside() -> None:
    # Black's castle E is the only one outside: S and N, who might take it, and W must declare.
    position = drawn(
        "lanko-68",
        """
            P . . . .
            . . . . .
        . . . . . . . . .
        . . . . . . . . p
        b . . . XB . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            P . . . .
        """,
    )
    assert goes_on(standing(position, "SNE"))
    assert goes_on(standing(position, "WNE"))
    assert goes_on(standing(position, "SWE"))
    assert ended(standing(position, "SWN")) == ("agreed", 36 + 4 - 14)


def test_castle_on_the_common_strip_concerns_both() -> None:
    position = drawn(
        "lanko-68",
        """
            . . . . .
            . . . . .
        p . . . . . . . p
        . . . . . . . . .
        . . B . X . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    assert goes_on(standing(position, "SWE"))
    assert goes_on(standing(position, "NWE"))
    assert ended(standing(position, "SWEN")) == ("agreed", 12 - 4)
    # With a pawn on the strip both are opponents of Black's castle, and have a piece.
    position = drawn(
        "lanko-68",
        """
            . . . . .
            . . . . .
        b . . . . . . . .
        . . . . . . . . .
        . . P . X . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
    )
    assert goes_on(standing(position, "WSE"))
    assert ended(standing(position, "WSN")) == ("agreed", 2 - 12)


def test_standby_pawns_do_not_count() -> None:
    drawing = """
                P . . _ .
                . . . . .
                . . . . .
                . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . {0}
        p . . . . . . . . . . . {1}
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
                . _ B . .
    """
    # E's only piece is its standby pawn, then one that has stepped onto the board.
    waiting = drawn("lanko-103", drawing.format("p", "."))
    assert ended(standing(waiting, "SW")) == ("agreed", 14 - 4)
    stepped = drawn("lanko-103", drawing.format(".", "p"))
    assert goes_on(standing(stepped, "SW"))
    assert ended(standing(stepped, "SWE")) == ("agreed", 14 - 4)


def test_lost_turn_does_not_cancel_it() -> None:
    # W's castle on 33 is shut in: right of it is a barrier before 34, above it E is occupied.
    position = drawn(
        "lanko-68",
        """
            . . B . .
            . . . . .
        . . . . . . . . .
        . . . . . . . . .
        P . . . X . . . b
        P . . . . . . . .
        b P . . . . . . .
            . . . . .
            . . B . .
        """,
    )
    after = play(standing(position, "W"), "[P-46 +++]")
    assert after.passed == ("W",)
    # White 24 + 6 = 30, Black 24.
    assert ended(play(after, "[A-B +++] [L-24 +++]")) == ("agreed", 6)
    after = play(position, "[P-46 +++] [A-B +++] [L-24 +++]")
    assert goes_on(after)
    assert ended(standing(after, "W")) == ("agreed", 6)


# ------------------------------------------------------------------ declarations


def test_declaration_makes_no_turn() -> None:
    before = drawn("lanko-68", EACH_A_CASTLE, quiet=7)
    for seat in "SWNE":
        after = standing(before, seat)
        assert (after.seat, after.turn, after.quiet) == ("S", 1, 7)
        assert legal(after) == legal(before)
        assert after != before
        assert standing(after, seat) == after


@pytest.mark.parametrize(
    ("text", "canonical"),
    (("[P-46] [+++]", "[P-46 +++]"), ("P-46+++", "[P-46 +++]"), ("+++", "[S+++]")),
)
def test_declaration_has_a_canonical_text(text: str, canonical: str) -> None:
    position = drawn("lanko-68", EACH_A_CASTLE)
    rules = game(position)
    (written,) = [action for line in rules.read(text) for action in line.actions]
    assert rules.format(position, rules.parse(position, written, "S")) == canonical
    assert rules.parse(position, canonical, "S") == rules.parse(position, written, "S")


def test_only_a_declaration_alone_is_marked_as_one() -> None:
    position = drawn("lanko-68", EACH_A_CASTLE)
    assert play_one(game(position), position, "N", "[+++]").declaration
    assert not play_one(game(position), position, "S", "[P-46 +++]").declaration


def test_declaration_is_for_own_seats_only() -> None:
    position = drawn("lanko-68", EACH_A_CASTLE)
    error = refusal(position, "[W+++]", "S")
    assert isinstance(error, IllegalActionError)
    assert ENGLISH.text(error.reason) == "W is another player's seat. Yours is S"
    assert isinstance(refusal(position, "[N+++]", "S"), IllegalActionError)
    pair = drawn("lanko-68", EACH_A_CASTLE, players=2)
    assert ended(standing(play(pair, "[N+++]", "S"), "E")) == ("agreed", -6)


def test_declaration_after_the_end_is_refused() -> None:
    over = standing(drawn("lanko-68", EACH_A_CASTLE), "SWNE")
    error = refusal(over, "[+++]", "S")
    assert isinstance(error, IllegalActionError)
    assert ENGLISH.text(error.reason) == "the match is over"


def test_declaration_is_not_among_the_legal_actions() -> None:
    position = standing(drawn("lanko-68", EACH_A_CASTLE), "S")
    assert not any("+++" in text for text in legal(position))
