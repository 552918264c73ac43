"""The last turn of each player as a picture marks it: a way, where it ended, and the turn's number.

A ring is where a piece was, a frame where it is now; the number stands in the corner of the frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.games.diagram import Diagram, Place, Trail
from pbem.painters.ground import SIDE, centre
from pbem.painters.palette import Paint, paint_of

Ways = list[list[Place]]


def ways(diagram: Diagram, trail: Trail) -> Ways:
    """Ways of a turn by place; squares that the diagram does not show are left out."""
    named: Mapping[str, Place] = diagram.named
    found = [[named[name] for name in path if name in named] for path in trail.paths]
    return [path for path in found if path]


def paint(diagram: Diagram, trail: Trail) -> Paint:
    """Colours of the seat whose turn it was."""
    return paint_of(diagram.colours.get(trail.seat, "black"))


class Touch(NamedTuple):
    """The turn that touched a square last, and whether a piece came to stand there."""

    turn: int
    arrived: bool


def touched(diagram: Diagram) -> dict[Place, Touch]:
    """What the last turns touched."""
    found: dict[Place, Touch] = {}
    for trail in diagram.trails:
        paths = ways(diagram, trail)
        found |= {path[0]: Touch(trail.turn, arrived=False) for path in paths}
        found |= {path[-1]: Touch(trail.turn, arrived=True) for path in paths}
    return found


def marks(diagram: Diagram) -> str:
    """What lies below the pieces: ways, rings and frames."""
    return "".join(_marked(ways(diagram, trail), paint(diagram, trail)) for trail in diagram.trails)


def _marked(found: Ways, of: Paint) -> str:
    if not found:
        return ""
    lines = "".join(_line(path) for path in found)
    ends = "".join(_frame(path[-1]) for path in found)
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


def _frame(place: Place) -> str:
    x, y = place[0] * SIDE, place[1] * SIDE
    return f"M{x + 2} {y + 2}h44v44h-44z"


def badges(diagram: Diagram) -> str:
    """What lies above them: the numbers of the turns."""
    drawn = "".join(
        _badge(found[-1][-1], str(trail.turn), paint(diagram, trail))
        for trail in diagram.trails
        if (found := ways(diagram, trail))
    )
    return f'<g font-size="13" text-anchor="middle">{drawn}</g>' if drawn else ""


def _badge(place: Place, number: str, of: Paint) -> str:
    width = 10 + 8 * len(number)
    right, top = (place[0] + 1) * SIDE + 7, place[1] * SIDE - 7
    return (
        f'<rect x="{right - width}" y="{top}" width="{width}" height="17" rx="8.5"'
        f' fill="{of.fill}" stroke="{of.edge}" stroke-width="1.5"/>'
        f'<text x="{right - width / 2:g}" y="{top + 13}" fill="{of.charge}">{number}</text>'
    )
