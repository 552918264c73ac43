"""Boards of points and lines: lines in text, and marks of pieces that were removed."""

from __future__ import annotations

from pbem.games.diagram import Cell, Diagram, PieceToken, Trail
from pbem.games.text_diagram import paint_board
from pbem.painters.ground import touched
from pbem.painters.svg import svg

MAN = PieceToken("man", "white")
POINTS = {"a3": (0, 0), "c3": (2, 0), "b2": (1, 1), "a1": (0, 2), "c1": (2, 2)}
LINES = ("a3 c3", "a3 a1", "c3 c1", "a1 c1", "a3 b2", "c3 b2")


def board(men: str) -> Diagram:
    cells = {
        place: Cell(
            name,
            "O" if name in men else ".",
            frame=(" ", " "),
            name=name,
            tokens=(MAN,) if name in men else (),
        )
        for name, place in POINTS.items()
    }
    links = frozenset(frozenset(POINTS[name] for name in line.split()) for line in LINES)
    return Diagram(3, 3, cells, (), links=links, links_in_text=True, colours={"white": "white"})


def test_text_shows_lines_between_points() -> None:
    assert paint_board(board("a3 c1")).splitlines() == [
        "a3 O--------c3 .",
        "   |  \\     /  |",
        "   |  b2 .     |",
        "   |           |",
        "a1 .--------c1 O",
    ]


def test_piece_that_was_removed_is_crossed_out_and_not_framed() -> None:
    placed, removed = (("a3",),), (("a3",), ("c1",))
    diagram = board("a3")
    both = svg(diagram.marked([Trail(5, "white", removed)]), "")
    alone = svg(diagram.marked([Trail(5, "white", placed)]), "")
    assert both.count("h44v44h-44z") == alone.count("h44v44h-44z") == 2
    assert both.count("l18 18m0-18l-18 18") == 2
    assert "l18 18" not in alone
    marks = touched(diagram.marked([Trail(5, "white", removed)]))
    assert {place: mark.arrived for place, mark in marks.items()} == {(0, 0): True, (2, 2): False}
