"""Barriers of Lanko-88 and Lanko-68: what they block and what passes them."""

from __future__ import annotations

import pytest

from pbem.games.api import Seat
from tests.games.lanko.drawing import drawn, placed
from tests.games.lanko.naive import MAPS, Square, parse_map
from tests.games.lanko.playing import legal, legal_from

SEATS = ("S", "W", "N", "E")


CORNERS = [(sx, sy) for sx in (1, -1) for sy in (1, -1)]


def barriers(key: str) -> list[tuple[Square, Square]]:
    """Return the squares on both sides of each barrier, the corner of the central block first."""
    assert key != "lanko-103"
    return [
        ((2 * sx, 2 * sy), beyond)
        for sx, sy in CORNERS
        for beyond in ((2 * sx, 3 * sy), (3 * sx, 2 * sy))
    ]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("key", ("lanko-88", "lanko-68"))
def test_no_orthogonal_move_crosses_a_barrier(key: str, seat: Seat) -> None:
    labels = parse_map(MAPS[key])
    white = seat in "SN"
    pawn, castle, adverse = ("P", "S", "p") if white else ("p", "s", "P")
    for inner, outer in barriers(key):
        dx, dy = outer[0] - inner[0], outer[1] - inner[1]
        line = [(inner[0] + n * dx, inner[1] + n * dy) for n in (-1, 0, 1, 2)]
        far_in, here, there, far_out = (labels[square] for square in line)
        for start, over, to in (
            (far_in, here, there),
            (here, there, far_out),
            (far_out, there, here),
            (there, here, far_in),
        ):
            crossed = over if (start, over) in ((here, there), (there, here)) else to
            before = start if crossed == over else over
            for piece in (pawn, castle):
                step = placed(key, f"{piece}:{before}", seat)
                assert f"-{crossed}" not in legal_from(step, before)
                take = placed(key, f"{piece}:{start} {adverse}:{over}", seat)
                assert not any(":" in text for text in legal(take))
            jump = placed(key, f"{pawn}:{start} {pawn}:{over}", seat)
            assert f"-{to}" not in legal_from(jump, start)


def test_same_moves_are_open_without_a_barrier() -> None:
    # One file further in: 7 (1,4), 11 (1,3), 18 (1,2), 28 (1,1).
    assert "-11" in legal_from(placed("lanko-88", "P:7", "N"), "7")
    assert "-18" in legal_from(placed("lanko-88", "P:7 P:11", "N"), "7")
    assert legal(placed("lanko-88", "P:7 p:11", "N")) == ["[7:18]"]
    assert legal(placed("lanko-88", "P:28 p:18", "N")) == ["[28:11]"]


@pytest.mark.parametrize(
    ("key", "moves"),
    (
        ("lanko-88", "N12-20 E20-12 N9-15 W15-9 S53-45 W45-53 S56-50 E50-56"),
        ("lanko-68", "N8-15 E15-8 N5-10 W10-5 S41-34 W34-41 S44-39 E39-44"),
    ),
)
def test_diagonal_step_passes_from_arm_to_arm(key: str, moves: str) -> None:
    for move in moves.split():
        seat, (start, to) = move[0], move[1:].split("-")
        pawn, castle = "PS" if seat in "SN" else "ps"
        assert f"-{to}" in legal_from(placed(key, f"{pawn}:{start}", seat), start)
        assert f"-{to}" not in legal_from(placed(key, f"{castle}:{start}", seat), start)


def test_capture_goes_round_a_barrier() -> None:
    # 14 is behind barriers from 8, 15 and (when jumped from 22) towards 8.
    position = drawn(
        "lanko-68",
        """
            . . . . .
            . . . p P
        . . . . p . p . .
        . . . . . p . p .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
            . . . . .
            . . . . .
        """,
        "N",
    )
    assert legal(position) == ["[8:B:D:22:24]"]
