"""Actions, steps and runs of Lanrick, under both sets of rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import compress
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.lanrick.board import NAMES, RAYS, RING, along_an_edge, mask_of, subsets


class LanrickAction(NamedTuple):
    """An action by its sign and squares. See `text`."""

    seat: Seat
    sign: str
    """`` place, `@` mark, `-` step, `~` run, `.` end the turn, `x` remove, `>` move to the
    border, `*` replace, `ix` interchange, `swap` choose squares for the interchange.
    """
    squares: tuple[int, ...] = ()
    detail: str = ""
    """Direction of a mark for three squares, or the arrow with which a run is printed."""
    way: str = ""
    """Direction of a run: `>` clockwise, `<` anticlockwise."""

    @property
    def declaration(self) -> bool:
        """Always False: every action in Lanrick takes a turn."""
        return False

    @property
    def text(self) -> str:
        """Canonical text."""
        names = [NAMES[square] for square in self.squares]
        if self.sign in ("-", "~", ">"):
            return f"{names[0]}{self.sign}{self.detail}{names[1]}"
        if self.sign == "swap":
            return " ".join([self.sign, *sorted(names)])
        return self.sign + "".join(names) + self.detail


def each_square(seats: tuple[Seat, ...], sign: str) -> tuple[tuple[LanrickAction, ...], ...]:
    """Create all actions with one square, indexed by seat and then by square."""
    return tuple(
        tuple(LanrickAction(seat, sign, (square,)) for square in range(64)) for seat in seats
    )


def _laps(start: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    at = RING.index(start)
    beyond = RING[at + 1 :] + RING[:at]
    return beyond, beyond[::-1]


LAPS = {start: _laps(start) for start in RING}
"""The other border squares from each one, clockwise and anticlockwise."""


def costs(lap: Sequence[int], occupied: int, rendezvous: int, reach: int) -> dict[int, int]:
    """Return the cost in squares of a run to each reachable square of a lap.

    A run to the first square of the rendezvous or before it costs one. Beyond it, every square
    counts.
    """
    found: dict[int, int] = {}
    past = 0
    for walked, square in enumerate(lap, start=1):
        cost = walked if past else 1
        if occupied >> square & 1 or cost > reach:
            break
        found[square] = cost
        past = past or rendezvous >> square & 1
    return found


def free_runs(
    seat: Seat, man: int, occupied: int, rendezvous: int, reach: int
) -> list[LanrickAction]:
    """Return the runs in both directions.

    The cheaper one needs no arrow. At equal cost, that is the clockwise one.
    """
    clockwise, other = (costs(lap, occupied, rendezvous, reach) for lap in LAPS[man])
    runs = []
    for square, cost in clockwise.items():
        default = cost <= other.get(square, cost)
        runs.append(_run(seat, man, square, "" if default else ">", ">"))
    for square, cost in other.items():
        default = square not in clockwise or cost < clockwise[square]
        runs.append(_run(seat, man, square, "" if default else "<", "<"))
    return runs


@cache
def _run(seat: Seat, man: int, square: int, arrow: str, way: str) -> LanrickAction:
    """Return a run from the cache."""
    return LanrickAction(seat, "~", (man, square), arrow, way)


class Ray(NamedTuple):
    """The steps of a man in one direction."""

    squares: int
    """Mask of the target squares."""
    free: Mapping[int, tuple[LanrickAction, ...]]
    """Steps over vacant squares, nearest first, by the mask of occupied squares."""


class Steps(NamedTuple):
    """The steps of a man from one square."""

    rays: tuple[Ray, ...]
    """Clockwise from north, without empty ones."""
    lines: tuple[tuple[Ray, ...], ...]
    """Rays of each of the four lines."""
    inland: tuple[Ray, ...]
    """Rays that do not run along an edge."""


@cache
def steps_from(seat: Seat, start: int) -> Steps:
    """Return the steps of a seat's man from a square."""
    ways = RAYS[start]
    rays = [_ray(seat, start, way) for way in ways]
    inland = [bool(way) and not along_an_edge(start, way[0]) for way in ways]
    lines = (compress(rays[line::4], ways[line::4]) for line in range(4))
    return Steps(
        tuple(compress(rays, ways)), tuple(map(tuple, lines)), tuple(compress(rays, inland))
    )


def _ray(seat: Seat, start: int, squares: Sequence[int]) -> Ray:
    steps = tuple(LanrickAction(seat, "-", (start, square)) for square in squares)
    free = {0: steps}
    for count, nearest in enumerate(squares):
        beyond = mask_of(tuple(squares[count + 1 :]))
        occupied = (1 << nearest | others for others in subsets(beyond))
        free.update(dict.fromkeys(occupied, steps[:count]))
    return Ray(mask_of(tuple(squares)), free)


def free_steps(rays: Sequence[Ray], occupied: int, reach: int) -> list[LanrickAction]:
    """Return the steps over vacant squares, at most `reach` squares long."""
    steps: list[LanrickAction] = []
    for squares, free in rays:
        steps += free[occupied & squares][:reach]
    return steps
