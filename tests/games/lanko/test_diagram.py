"""Diagrams read back: a reader who knows only the legend sees the whole position."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from pbem.games import game_of
from pbem.games.api import Seat
from pbem.games.lanko.position import LankoPosition
from pbem.games.phrases import ENGLISH
from pbem.games.text_diagram import paint
from tests.games.lanko import diagram_reader
from tests.games.lanko.diagram_reader import Group, Seen
from tests.games.lanko.drawing import drawn
from tests.games.lanko.naive import MAPS, Square, parse_map, rotate

BOARDS = ("lanko-88", "lanko-68", "lanko-103")
SEATS = ("S", "W", "N", "E")
MATCHES = 5
VALUES = {"B": 12, "S": 6, "P": 2}
KINDS = {"B": "big castle", "S": "small castle", "P": "pawn"}
BACK_ROWS = {
    ("lanko-88", "S"): "61 62 T 63 64",
    ("lanko-88", "W"): "13 23 F 33 43",
    ("lanko-88", "N"): "4 3 A 2 1",
    ("lanko-88", "E"): "52 42 O 32 22",
    ("lanko-68", "S"): "45 46 P 47 48",
    ("lanko-68", "W"): "9 17 E 25 33",
    ("lanko-68", "N"): "4 3 A 2 1",
    ("lanko-68", "E"): "40 32 L 24 16",
    ("lanko-103", "S"): "39 P #S 40",
    ("lanko-103", "W"): "9 D #W 27",
    ("lanko-103", "N"): "2 A #N 1",
    ("lanko-103", "E"): "32 L #E 14",
}
"""Lowest row from the left; on 103 without its idle squares."""
QUARTERS = {"S": 0, "E": 1, "N": 2, "W": 3}
"""Quarter turns, clockwise, that bring a seat's arm to the bottom."""


def labels_of(key: str) -> dict[Square, str]:
    """Return the label of every labelled square by its coordinates on the rulebook's map."""
    return {at: label for at, label in parse_map(MAPS[key]).items() if label != "."}


def seen_by(position: LankoPosition, seat: Seat) -> Seen:
    """Return what a reader at a seat sees of a position."""
    game = game_of(position.terms.board.key)
    return diagram_reader.read(paint(game.diagram(position, seat), {}, ENGLISH))


@cache
def sample(key: str) -> tuple[tuple[LankoPosition, str], ...]:
    """Return positions of random matches with the text of the last turn, special turns included."""
    return tuple(_sample(key))


def _sample(key: str) -> Iterator[tuple[LankoPosition, str]]:
    game = game_of(key)
    yield game.initial(4, {}), ""
    for seed in range(MATCHES):
        chance = random.Random(f"{key} {seed}")
        position = game.initial(4, {})
        while moves := list(game.legal_actions(position)):
            entries = [move for move in moves if move.path[-1] in position.terms.board.home]
            move = chance.choice(entries if entries and chance.random() < 0.4 else moves)
            text = game.format(position, move)
            position = game.play(position, move)
            if text.count(":") > 1 or "(" in text or position.ending or chance.random() < 0.03:
                yield position, text.strip("[]")


@cache
def read_by(key: str, viewer: Seat) -> tuple[tuple[LankoPosition, str, Seen], ...]:
    """Return the sample with what a viewer reads."""
    return tuple((position, text, seen_by(position, viewer)) for position, text in sample(key))


every_board = pytest.mark.parametrize("key", BOARDS)
every_viewer = pytest.mark.parametrize("viewer", SEATS)


@every_board
def test_sample_has_all_difficult_cases(key: str) -> None:
    positions = sample(key)
    texts = [text for _, text in positions]
    squares = [game_of(key).squares(position)["squares"] for position, _ in positions]
    home = [men.get("X", "") + men.get("(N)", "") + men.get("(W)", "") for men in squares]
    assert any("-(" in text for text in texts)
    assert any(text.count(":") > 1 for text in texts)
    assert any(set(men) & set("BS") for men in home)
    assert any(set(men) & set("bs") for men in home)
    if key != "lanko-103":
        assert any(len(men) > 1 for men in home)
        assert any("X" in text and "X" not in men for text, men in zip(texts, squares, strict=True))
        assert any(":(X)" in text for text in texts)


@every_board
@every_viewer
def test_every_square_and_piece_is_read_back(key: str, viewer: Seat) -> None:
    labels = sorted(labels_of(key).values())
    for position, _, seen in read_by(key, viewer):
        assert sorted(seen.labels) == labels
        assert seen.pieces == game_of(key).squares(position)["squares"]


@every_board
@every_viewer
def test_every_square_is_where_the_viewer_expects_it(key: str, viewer: Seat) -> None:
    turned = {rotate(at, QUARTERS[viewer]): label for at, label in labels_of(key).items()}
    half = max(x for x, _ in turned)
    expected = {label: (x + half, half - y) for (x, y), label in turned.items()}
    for _, _, seen in read_by(key, viewer):
        assert seen.places == expected
        lowest = [label for label in seen.labels if seen.places[label][1] == 2 * half]
        assert lowest == BACK_ROWS[key, viewer].split()


@every_board
@every_viewer
def test_every_barrier_is_read_back(key: str, viewer: Seat) -> None:
    # Rulebook, Barriers: at each inner corner of the plus, on the two sides of the corner square of
    # the central 5x5 block that face the arms.
    labels = labels_of(key)
    barriers = {
        frozenset({labels[(2 * sx, 2 * sy)], labels[beyond]})
        for sx in (1, -1)
        for sy in (1, -1)
        for beyond in ((2 * sx, 3 * sy), (3 * sx, 2 * sy))
        if key != "lanko-103"
    }
    assert len(barriers) == (0 if key == "lanko-103" else 8)
    for _, _, seen in read_by(key, viewer):
        assert seen.barriers == barriers


@every_board
@every_viewer
def test_last_turn_is_read_back(key: str, viewer: Seat) -> None:
    for _, text, seen in read_by(key, viewer):
        if not text:
            assert (seen.start, seen.end) == (None, None)
            continue
        path = text.replace("(X)", "X").replace("-", ":").split(":")
        assert (seen.start, seen.end) == (path[0], path[-1])


@every_board
@every_viewer
def test_lists_agree_with_the_board(key: str, viewer: Seat) -> None:
    for _, _, seen in read_by(key, viewer):
        men = [(label, piece) for label, pieces in seen.pieces.items() for piece in pieces]
        white, black = (
            [(label, piece.upper()) for label, piece in men if piece.isupper() is capital]
            for capital in (True, False)
        )
        assert list(seen.groups) == ["White", "Black"]
        check_group(seen.groups["White"], white, "SN", key)
        check_group(seen.groups["Black"], black, "WE", key)


def check_group(group: Group, men: Sequence[tuple[str, str]], seats: str, key: str) -> None:
    """Check that the list of a colour agrees with its pieces, each a label and one of `B S P`."""
    where = {label: at for at, label in labels_of(key).items()}
    home = [(label, kind) for label, kind in men if label == "X" or label[0] == "("]
    outside = [(label, kind) for label, kind in men if (label, kind) not in home]
    places = [f"{KINDS[k]} {'in the middle' if n == 'X' else f'on {n}'}" for n, k in home]
    assert sorted(group.threefold) == sorted(places)
    assert group.points == sum(VALUES[k] for _, k in outside) + 3 * sum(VALUES[k] for _, k in home)
    assert list(group.pieces) == list(seats)
    for seat in seats:
        listed = [(n, name) for name, labels in group.pieces[seat].items() for n in labels]
        own = [(n, KINDS[k]) for n, k in outside if mine(seat, where[n])]
        assert sorted(listed) == sorted(own)


@every_board
def test_lists_name_the_players(key: str) -> None:
    game = game_of(key)
    names = {
        "S": "Anna",
        "W": "Bert",
        "N": "Carla of the Long Meadows by the River",
        "E": "Bert",
    }
    seen = diagram_reader.read(paint(game.diagram(game.initial(3, {}), "S"), names, ENGLISH))
    assert list(seen.groups["White"].pieces) == ["S (Anna)", f"N ({names['N']})"]
    assert list(seen.groups["Black"].pieces) == ["W (Bert)", "E (Bert)"]


def mine(seat: Seat, at: Square) -> bool:
    """Rulebook, "Whose piece is it to move"."""
    x, y = at
    return {"S": y <= 0, "N": y >= 0, "W": x <= 0, "E": x >= 0}[seat]


@every_viewer
def test_capture_that_returns_to_its_start_is_read_back(viewer: Seat) -> None:
    position = drawn(
        "lanko-88",
        """
              . . B . .
              . . . . .
              . . . . .
        . p . . . . . . . . .
        p . p . . . . . . . .
        . p P . . X . . . . b
        . . . . . . . . . . .
        . . . . . . . . . . .
              . . . . .
              . . . . .
              . . . . .
        """,
    )
    game = game_of("lanko-88")
    seen = seen_by(game.play(position, game.parse(position, "[H:F:13:15:H]", "S")), viewer)
    assert (seen.start, seen.end) == ("H", "H")
    assert seen.pieces == {"A": "B", "H": "P", "O": "b"}


@every_viewer
def test_four_castles_in_the_middle_are_read_back_with_the_mark(viewer: Seat) -> None:
    position = drawn(
        "lanko-88",
        """
              . . . . .
              . . . . .
              . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        p . . . B XSbs . . . . p
        . . . . . . . . . . .
        . . . . . . . . . . .
              . . . . .
              . . . . .
              P . . . P
        """,
    )
    game = game_of("lanko-88")
    seen = seen_by(game.play(position, game.parse(position, "[J-(X)]", "S")), viewer)
    assert seen.pieces == {"X": "BSbs", "F": "p", "O": "p", "61": "P", "64": "P"}
    assert (seen.start, seen.end) == ("J", "X")
    assert seen.groups["White"].threefold == [
        "big castle in the middle",
        "small castle in the middle",
    ]
    assert seen.groups["White"].points == 36 + 18 + 2 + 2
    assert seen.groups["Black"].points == 36 + 18 + 2 + 2
    assert seen.groups["Black"].pieces == {"W": {"pawn": ["F"]}, "E": {"pawn": ["O"]}}


@every_viewer
def test_mark_between_two_squares_belongs_to_the_first(viewer: Seat) -> None:
    position = drawn(
        "lanko-103",
        """
                . . B _ .
                . . . . .
                . . . . .
                . . . . .
        . . . . . . . . . . . . .
        . . . . . . S . . . . . .
        b . . . P b . b . . . . b
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
                . . . . .
                . . . . .
                . . . . .
                . _ . . .
        """,
    )
    game = game_of("lanko-103")
    after = game.play(position, game.parse(position, "[F-17]", "S"))
    assert any("17P<(N)S" in paint(game.diagram(after, seat), {}, ENGLISH) for seat in SEATS)
    seen = seen_by(after, viewer)
    assert (seen.start, seen.end) == ("F", "17")
    home = {"(N)": "S", "(W)": "b", "(E)": "b"}
    assert seen.pieces == {"A": "B", "17": "P", "D": "b", "L": "b", **home}
