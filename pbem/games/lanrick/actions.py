"""What a seat can do in Lanrick, by both rules: actions, steps and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import compress
from typing import NamedTuple

from pbem.games.api import Seat
from pbem.games.lanrick.board import NAMES, RAYS, RING, along_an_edge, mask_of, subsets


class LanrickAction(NamedTuple):
    """An action by its sign and squares; see `text`."""

    seat: Seat
    sign: str
    """`` place, `@` mark, `-` step, `~` run, `.` end of turn, `x` remove, `>` move to the border,
    `*` replace, `ix` interchange, `swap` choice of the interchange."""
    squares: tuple[int, ...] = ()
    detail: str = ""
    """Direction of a mark for three squares, or the arrow that a run is printed with."""
    way: str = ""
    """Direction of a run: `>` clockwise, `<` the other way."""

    @property
    def declaration(self) -> bool:
        """Everything in Lanrick is done in turn."""
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
    """Actions with one square, made once: by the index of their seat, and by the square."""
    return tuple(
        tuple(LanrickAction(seat, sign, (square,)) for square in range(64)) for seat in seats
    )


def _laps(start: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    at = RING.index(start)
    beyond = RING[at + 1 :] + RING[:at]
    return beyond, beyond[::-1]


LAPS = {start: _laps(start) for start in RING}
"""From each square of the border the others, clockwise and the other way."""


def costs(lap: Sequence[int], occupied: int, rendezvous: int, reach: int) -> dict[int, int]:
    """Squares that a run to each square of a lap costs, as far as it is free and in reach.

    One up to the first square of the rendezvous, and farther all that are walked.
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
    """Runs both ways; the cheaper needs no arrow, nor does the clockwise one on equal cost."""
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
    """A run, made once."""
    return LanrickAction(seat, "~", (man, square), arrow, way)


class Ray(NamedTuple):
    """The steps of a man in one direction."""

    squares: int
    """Mask of where they go."""
    free: Mapping[int, tuple[LanrickAction, ...]]
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
    steps = tuple(LanrickAction(seat, "-", (start, square)) for square in squares)
    free = {0: steps}
    for count, nearest in enumerate(squares):
        beyond = mask_of(tuple(squares[count + 1 :]))
        occupied = (1 << nearest | others for others in subsets(beyond))
        free.update(dict.fromkeys(occupied, steps[:count]))
    return Ray(mask_of(tuple(squares)), free)


def free_steps(rays: Sequence[Ray], occupied: int, reach: int) -> list[LanrickAction]:
    """Steps over vacant squares, of so many squares at most."""
    steps: list[LanrickAction] = []
    for squares, free in rays:
        steps += free[occupied & squares][:reach]
    return steps
