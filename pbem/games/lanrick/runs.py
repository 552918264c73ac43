"""Runs of the rules of 1893: along the border and round its corners (rulebook, "Phases", 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pbem.games.api import Seat
from pbem.games.lanrick.actions import Action
from pbem.games.lanrick.board import RING


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


def free_runs(seat: Seat, man: int, occupied: int, rendezvous: int, reach: int) -> list[Action]:
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
def _run(seat: Seat, man: int, square: int, arrow: str, way: str) -> Action:
    """A run, made once."""
    return Action(seat, "~", (man, square), arrow, way)
