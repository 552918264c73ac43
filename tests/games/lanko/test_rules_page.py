"""The player's RULES.md: its maps are the boards, its examples are legal."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from pbem.games import game_of, keys
from pbem.games.api import IllegalActionError
from pbem.games.lanko.board import load_board
from pbem.games.replay import Played, play_one, replay

PAGE = game_of("lanko-68").rules("en")


def part(heading: str, end: str = "\n#") -> str:
    """Return the text below a heading or a line, up to the next heading."""
    return PAGE.split(f"\n{heading}\n", 1)[1].split(end, 1)[0]


def block(text: str) -> list[str]:
    """Return the first indented block of a text."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("    "))
    rest = [*lines[first:], ""]
    return rest[: next(i for i, line in enumerate(rest) if not line.startswith("    "))]


def example(key: str) -> list[Played]:
    """Play the example round of a board. The seats must take turns."""
    text = part(f"## A first round on {key.capitalize()}")
    turns = re.findall(r"^ +(\d+)\. ([SWNE])  (\[[^\]]+\])", text, re.MULTILINE)
    assert [(int(number), seat) for number, seat, _ in turns] == [
        (number, "SWNE"[(number - 1) % 4]) for number in range(1, 9)
    ]
    played = list(replay(game_of(key), 4, {}, [(seat, text) for _, seat, text in turns]))
    assert [action.text for action in played] == [text for _, _, text in turns]
    return played


def pieces(played: Sequence[Played], piece: str) -> int:
    return int(played[-1].position.cells.count(piece))


def test_every_lanko_has_the_same_page() -> None:
    assert {game_of(key).rules("en") for key in keys() if key.startswith("lanko")} == {PAGE}


def test_page_can_be_mailed() -> None:
    assert PAGE.isascii()
    assert max(map(len, PAGE.splitlines())) <= 72
    assert not [line for line in PAGE.splitlines() if line != line.rstrip()]


@pytest.mark.parametrize(
    ("key", "above"),
    (("lanko-88", "Lanko-88:"), ("lanko-68", "Lanko-68:"), ("lanko-103", "## Lanko-103")),
)
def test_maps_are_the_boards(key: str, above: str) -> None:
    board = load_board(key)
    rows = block(part(above))
    assert [label for row in rows for label in row.split() if label != "."] == list(board.labels)
    # A square is four columns wide, so a label ends where its column does.
    ends = {found[0]: found.end() for row in rows for found in re.finditer(r"[^ .]+", row)}
    for label, (x, _) in zip(board.labels, board.points, strict=True):
        assert ends[label] == ends[board.labels[0]] + 4 * (x - board.points[0][0]), label


def test_pieces_at_the_start_are_counted_right() -> None:
    for key, pieces_a_seat in (("lanko-88", 15), ("lanko-68", 10), ("lanko-103", 11)):
        opening = load_board(key).opening
        assert sum(cell != "." for cell in opening) == 4 * pieces_a_seat
        assert f"{pieces_a_seat}" in PAGE


def test_squares_round_the_middle_are_named_right() -> None:
    for key, corners in (
        ("lanko-88", ("27", "28", "37", "38")),
        ("lanko-68", ("20", "21", "28", "29")),
    ):
        board = load_board(key)
        at = dict(zip(board.labels, board.points, strict=True))
        assert {at[label] for label in corners} == {(-1, 1), (1, 1), (-1, -1), (1, -1)}


def test_barred_corners_are_named_right() -> None:
    for key, corners in (
        ("lanko-88", ("16", "19", "46", "49")),
        ("lanko-68", ("11", "14", "35", "38")),
    ):
        board = load_board(key)
        at = dict(zip(board.labels, board.points, strict=True))
        assert {at[label] for label in corners} == {(-2, 2), (2, 2), (-2, -2), (2, -2)}
        assert all(barrier & {at[label] for label in corners} for barrier in board.barriers)


def test_steps_round_a_corner_exist() -> None:
    # 12 and 8 are (2,3), N's. 20 and 15 are (3,2): diagonally forward for N.
    for key, start, to in (("lanko-88", "12", "20"), ("lanko-68", "8", "15")):
        board = load_board(key)
        square, goal = board.labels.index(start), board.labels.index(to)
        assert goal in board.steps("N", "P", square)


def test_example_of_lanko_68_is_right() -> None:
    # White has 14 pawns. W takes two and E one, and no others are taken.
    played = example("lanko-68")
    assert pieces(played[:5], "P") == 14
    assert pieces(played[:6], "P") == 12
    assert pieces(played, "P") == 11
    assert pieces(played, "p") == 14


def test_barrier_protects_the_pawn_on_38_after_the_example() -> None:
    game, position = game_of("lanko-68"), example("lanko-68")[-1].position
    with pytest.raises(IllegalActionError):
        play_one(game, position, "S", "[44:30]")
    assert not any(action.taken for action in game.legal_actions(position))


def test_next_turn_of_n_after_the_example_is_a_capture() -> None:
    game, position = game_of("lanko-68"), example("lanko-68")[-1].position
    for seat, text in (("S", "[P-O]"), ("W", "[34-27]")):
        position = play_one(game, position, seat, text).position
    assert [game.format(position, action) for action in game.legal_actions(position)] == ["[B:D]"]


def test_example_of_lanko_103_is_right() -> None:
    # White has 16 pawns, including standby pawns. W takes one and E two.
    played = example("lanko-103")
    assert pieces(played[:5], "P") == 16
    assert pieces(played[:6], "P") == 15
    assert pieces(played, "P") == 13
    assert pieces(played, "p") == 16
