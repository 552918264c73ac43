"""Steps of Lanrick, each made once; which of them are free is looked up by the squares occupied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import compress
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import RAYS, along_an_edge, mask_of, subsets


class Ray(NamedTuple):
    """The steps of a man in one direction."""

    squares: int
    """Mask of where they go."""
    free: Mapping[int, tuple[Action, ...]]
    """Steps over vacant squares, the nearest first, by the mask of those that are occupied."""


class Steps(NamedTuple):
    """The steps of a man from one square."""

    rays: tuple[Ray, ...]
    """Clockwise from north, without those that have no square."""
    lines: tuple[tuple[Ray, ...], ...]
    """Rays of each of the four lines."""
    inland: tuple[Ray, ...]
    """Rays that do not go along an edge."""


@cache
def steps_from(seat: Seat, start: int) -> Steps:
    """The steps of a seat's man from a square."""
    ways = RAYS[start]
    rays = [_ray(seat, start, way) for way in ways]
    inland = [bool(way) and not along_an_edge(start, way[0]) for way in ways]
    lines = (compress(rays[line::4], ways[line::4]) for line in range(4))
    return Steps(
        tuple(compress(rays, ways)), tuple(map(tuple, lines)), tuple(compress(rays, inland))
    )


def _ray(seat: Seat, start: int, squares: Sequence[int]) -> Ray:
    steps = tuple(Action(seat, "-", (start, square)) for square in squares)
    free = {0: steps}
    for count, nearest in enumerate(squares):
        beyond = mask_of(tuple(squares[count + 1 :]))
        occupied = (1 << nearest | others for others in subsets(beyond))
        free.update(dict.fromkeys(occupied, steps[:count]))
    return Ray(mask_of(tuple(squares)), free)


def free_steps(rays: Sequence[Ray], occupied: int, reach: int) -> list[Action]:
    """Steps over vacant squares, of so many squares at most."""
    steps: list[Action] = []
    for squares, free in rays:
        steps += free[occupied & squares][:reach]
    return steps
