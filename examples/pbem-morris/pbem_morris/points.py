"""The points of the board, its lines, and who is beside whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

ROWS = (
    ("a7", "d7", "g7"),
    ("b6", "d6", "f6"),
    ("c5", "d5", "e5"),
    ("a4", "b4", "c4"),
    ("e4", "f4", "g4"),
    ("c3", "d3", "e3"),
    ("b2", "d2", "f2"),
    ("a1", "d1", "g1"),
)
FILES = (
    ("a1", "a4", "a7"),
    ("b2", "b4", "b6"),
    ("c3", "c4", "c5"),
    ("d1", "d2", "d3"),
    ("d5", "d6", "d7"),
    ("e3", "e4", "e5"),
    ("f2", "f4", "f6"),
    ("g1", "g4", "g7"),
)
DIAGONALS = (
    ("a1", "b2", "c3"),
    ("a7", "b6", "c5"),
    ("g1", "f2", "e3"),
    ("g7", "f6", "e5"),
)
POINTS = tuple(sorted({point for line in ROWS for point in line}))

Line = tuple[str, str, str]


class Net:
    """The lines of a board: three men on one of them are a mill."""

    def __init__(self, lines: Iterable[Line]) -> None:
        """Find the lines through each point, and the points beside it."""
        self.lines = tuple(lines)
        self.steps = tuple(step for a, b, c in self.lines for step in ((a, b), (b, c)))
        self.through: Mapping[str, tuple[Line, ...]] = {
            point: tuple(line for line in self.lines if point in line) for point in POINTS
        }
        both = self.steps + tuple((to, start) for start, to in self.steps)
        self.beside: Mapping[str, tuple[str, ...]] = {
            point: tuple(sorted(to for start, to in both if start == point)) for point in POINTS
        }

    def in_mill(self, point: str, men: Collection[str]) -> bool:
        """Return whether a man on a point is in a mill of these men."""
        return any(all(place in men for place in line) for line in self.through[point])


PLAIN = Net(ROWS + FILES)
CROSSED = Net(ROWS + FILES + DIAGONALS)
