"""The board below the pieces: frame, squares, names, links, barriers and marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from itertools import count
from typing import NamedTuple

from pbem.games.diagram import Diagram, Place, Trail
from pbem.painters.palette import (
    FRAME,
    GRID,
    IDLE,
    INK,
    LINKED,
    PAPER,
    QUIET,
    Paint,
    ground_of,
    paint_of,
)

SIDE = 48
"""Width of a square, in units of the picture."""


def centre(place: Place) -> tuple[int, int]:
    """Return the middle of a square."""
    column, row = place
    return column * SIDE + SIDE // 2, row * SIDE + SIDE // 2


def hull(diagram: Diagram) -> frozenset[Place]:
    """Return the squares of the board, including idle ones inside it."""
    places = frozenset(diagram.cells)
    return _filled(places) if diagram.links else places


@lru_cache(16)  # few boards have any
def _filled(places: frozenset[Place]) -> frozenset[Place]:
    columns, rows = defaultdict(set), defaultdict(set)
    for column, row in places:
        columns[row].add(column)
        rows[column].add(row)
    across = frozenset((c, r) for r, cs in columns.items() for c in range(min(cs), max(cs) + 1))
    return across | {(c, r) for c, rs in rows.items() for r in range(min(rs), max(rs) + 1)}


def name_size(diagram: Diagram) -> int:
    """Return the size of the letters at the edges, which look equally large on all boards."""
    return max(15, round(1.5 * diagram.columns))


def margin(diagram: Diagram) -> int:
    """Return the width of the frame."""
    return round(1.5 * name_size(diagram))


def ground(diagram: Diagram) -> str:
    """Return everything that stays when pieces move."""
    return board(diagram) + names(diagram)


def board(diagram: Diagram) -> str:
    """Return its squares, and everything on and around them except their names."""
    return "".join(
        [
            _frame(diagram),
            _squares(diagram),
            _bounds(diagram),
            _marked(diagram),
            _edge_names(diagram),
            _walls(diagram),
        ]
    )


def _frame(diagram: Diagram) -> str:
    """Return the shape of the board in the colour of its lines, within a rounded frame."""
    shape = _runs(hull(diagram))
    width = 2 * margin(diagram) - 4
    return (
        f'<path d="{shape}" fill="{FRAME}" stroke="{FRAME}" stroke-width="{width}"'
        f' stroke-linejoin="round"/><path d="{shape}" fill="{GRID}" stroke="{GRID}"/>'
    )


@lru_cache(32)  # a board changes few of them
def _runs(places: frozenset[Place]) -> str:
    """Return squares as one path, with adjoining ones merged into rectangles."""
    path = ""
    for column, row in sorted(places):
        if (column - 1, row) not in places:
            end = next(c for c in count(column) if (c, row) not in places)
            path += f"M{column * SIDE} {row * SIDE}H{end * SIDE}v{SIDE}H{column * SIDE}z"
    return path


@lru_cache(128)
def _tiles(places: frozenset[Place]) -> str:
    """Return squares as one path, with gaps of one line's width."""
    size = SIDE - 1
    return "".join(
        f"M{column * SIDE + 0.5} {row * SIDE + 0.5}h{size}v{size}h-{size}z"
        for column, row in sorted(places)
    )


def _squares(diagram: Diagram) -> str:
    by_ground: dict[str, list[Place]] = defaultdict(list)
    for place, cell in diagram.cells.items():
        by_ground[ground_of(diagram, place, cell)].append(place)
    idle = hull(diagram) - set(diagram.cells)
    parts = [f'<path d="{_runs(idle)}" fill="{IDLE}"/>'] if idle else []
    tiles = (f'<path d="{_tiles(frozenset(at))}" fill="{fill}"/>' for fill, at in by_ground.items())
    return "".join([*parts, _links(diagram), *tiles])


def _links(diagram: Diagram) -> str:
    """Return necks between linked squares, which may touch only at a corner."""
    if not diagram.links:
        return ""
    lines = "".join(
        f"M{centre(a)[0]} {centre(a)[1]}L{centre(b)[0]} {centre(b)[1]}"
        for a, b in sorted(sorted(link) for link in diagram.links)
    )
    return f'<path d="{lines}" stroke="{LINKED}" stroke-width="13" fill="none"/>'


def _sides(pairs: Iterable[frozenset[Place]]) -> Iterator[tuple[int, int, str]]:
    """Yield the start and direction of the side between two neighbouring squares."""
    for pair in sorted(sorted(each) for each in pairs):
        (column, row), (other, _) = pair[1], pair[0]
        yield column * SIDE, row * SIDE, f"h{SIDE}" if other == column else f"v{SIDE}"


def _bounds(diagram: Diagram) -> str:
    path = "".join(f"M{x} {y}{way}" for x, y, way in _sides(diagram.bounds))
    line = f'fill="none" stroke="{FRAME}" stroke-width="2" stroke-linecap="square"'
    return f'<path d="{path}" {line}/>' if path else ""


def _walls(diagram: Diagram) -> str:
    path = "".join(f"M{x} {y}{way}" for x, y, way in _sides(diagram.walls))
    line = f'fill="none" stroke="{INK}" stroke-width="7" stroke-linecap="round"'
    return f'<path d="{path}" {line}/>' if path else ""


def _marked(diagram: Diagram) -> str:
    """Return the mark of Lanrick: rings around the middle of its square."""
    marks = [centre(place) for place, cell in diagram.cells.items() if cell.ground == "mark"]
    ring = f'fill="none" stroke="{FRAME}" stroke-width="2"'
    return "".join(f'<circle cx="{x}" cy="{y}" r="{r}" {ring}/>' for x, y in marks for r in (20, 5))


def name_spot(diagram: Diagram) -> tuple[float, float, int]:
    """Return the position and size of a square's name, in a corner that pieces leave visible."""
    if diagram.column_names:
        return 5, SIDE - 5, 11 if diagram.columns < 10 else 10
    return 5, 16, 14


def names(diagram: Diagram) -> str:
    """Return the name of each square, unless names along the edges are enough."""
    if diagram.only_edges_named:
        return ""
    x, y, size = name_spot(diagram)
    named = "".join(
        f'<text x="{column * SIDE + x:g}" y="{row * SIDE + y:g}">{escape(label)}</text>'
        for (column, row), cell in diagram.cells.items()
        if (label := cell.label.strip() or cell.name)
    )
    return f'<g font-size="{size}" fill="{QUIET}">{named}</g>' if named else ""


def _edge_names(diagram: Diagram) -> str:
    size, away = name_size(diagram), margin(diagram) / 2
    below = diagram.rows * SIDE + away
    right = diagram.columns * SIDE + away
    texts = [
        (name, x * SIDE + SIDE / 2, y)
        for x, name in enumerate(diagram.column_names)
        for y in (-away, below)
    ]
    texts += [
        (name, x, y * SIDE + SIDE / 2)
        for y, name in enumerate(diagram.row_names)
        for x in (-away, right)
    ]
    texts += _around(diagram, below, right, -away)
    drawn = "".join(
        f'<text x="{x:g}" y="{y + size * 0.36:g}">{escape(name)}</text>' for name, x, y in texts
    )
    return f'<g font-size="{size}" fill="{PAPER}" text-anchor="middle">{drawn}</g>'


def _around(
    diagram: Diagram, below: float, right: float, before: float
) -> list[tuple[str, float, float]]:
    middle = diagram.columns * SIDE / 2, diagram.rows * SIDE / 2
    places = ((middle[0], below), (before, middle[1]), (middle[0], before), (right, middle[1]))
    return [(seat, x, y) for seat, (x, y) in zip(diagram.around, places, strict=False)]


Ways = list[list[Place]]


def ways(diagram: Diagram, trail: Trail) -> Ways:
    """Return the paths of a turn as places, without squares that the diagram does not show."""
    named: Mapping[str, Place] = diagram.named
    found = [[named[name] for name in path if name in named] for path in trail.paths]
    return [path for path in found if path]


def paint(diagram: Diagram, trail: Trail) -> Paint:
    """Return the colours of the seat whose turn it was."""
    return paint_of(diagram.colours.get(trail.seat, "black"))


class Touch(NamedTuple):
    """The last turn that touched a square, and whether a piece arrived there."""

    turn: int
    arrived: bool


def touched(diagram: Diagram) -> dict[Place, Touch]:
    """Return the last touch of each square."""
    found: dict[Place, Touch] = {}
    for trail in diagram.trails:
        paths = ways(diagram, trail)
        found |= {path[0]: Touch(trail.turn, arrived=False) for path in paths}
        arrived = {path[-1]: not _is_removal(diagram, path) for path in paths}
        found |= {place: Touch(trail.turn, arrived=here) for place, here in arrived.items()}
    return found


def marks(diagram: Diagram) -> str:
    """Return the marks below the pieces: paths, dots and frames."""
    return "".join(
        _marks_marked(diagram, ways(diagram, trail), paint(diagram, trail))
        for trail in diagram.trails
    )


def _is_removal(diagram: Diagram, path: list[Place]) -> bool:
    """Return whether a path of one square is that of a piece that is gone."""
    return len(path) == 1 and not diagram.cells[path[0]].tokens


def _marks_marked(diagram: Diagram, found: Ways, of: Paint) -> str:
    if not found:
        return ""
    lines = "".join(_line(path) for path in found)
    ends = "".join(
        (_cross if _is_removal(diagram, path) else _marks_frame)(path[-1]) for path in found
    )
    starts = "".join(_dot(path[0], of) for path in found if len(path) > 1)
    return (
        f'<g fill="none" stroke-linejoin="round"><path d="{lines}{ends}" stroke="{of.edge}"'
        f' stroke-width="4.6"/><path d="{lines}{ends}" stroke="{of.fill}" stroke-width="2.4"/>'
        f"{starts}</g>"
    )


def _line(path: list[Place]) -> str:
    if len(path) < 2:
        return ""
    return "M" + "L".join("{} {}".format(*centre(place)) for place in path)


def _dot(place: Place, of: Paint) -> str:
    x, y = centre(place)
    return (
        f'<circle cx="{x}" cy="{y}" r="5" fill="{of.fill}" stroke="{of.edge}" stroke-width="1.5"/>'
    )


def _cross(place: Place) -> str:
    x, y = centre(place)
    return f"M{x - 9} {y - 9}l18 18m0-18l-18 18"


def _marks_frame(place: Place) -> str:
    x, y = place[0] * SIDE, place[1] * SIDE
    return f"M{x + 2} {y + 2}h44v44h-44z"


def badges(diagram: Diagram) -> str:
    """Return the marks above the pieces: the numbers of the turns."""
    drawn = "".join(
        _badge(_last(diagram, found), str(trail.turn), paint(diagram, trail))
        for trail in diagram.trails
        if (found := ways(diagram, trail))
    )
    return f'<g font-size="13" text-anchor="middle">{drawn}</g>' if drawn else ""


def _last(diagram: Diagram, found: Ways) -> Place:
    """Return where the last piece arrived, or was removed if none arrived."""
    arrived = [path[-1] for path in found if not _is_removal(diagram, path)]
    return arrived[-1] if arrived else found[-1][-1]


def _badge(place: Place, number: str, of: Paint) -> str:
    width = 10 + 8 * len(number)
    right, top = (place[0] + 1) * SIDE + 7, place[1] * SIDE - 7
    return (
        f'<rect x="{right - width}" y="{top}" width="{width}" height="17" rx="8.5"'
        f' fill="{of.fill}" stroke="{of.edge}" stroke-width="1.5"/>'
        f'<text x="{right - width / 2:g}" y="{top + 13}" fill="{of.charge}">{number}</text>'
    )
