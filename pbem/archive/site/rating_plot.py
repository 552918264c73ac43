"""Plot of a member's rating over time: a line, and a band for its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.archive.site.values import MonthRating, RatingCourse
from pbem.matches.ratings import RatingList

LEFT, RIGHT, TOP, BASE = 34, 320, 10, 126
"""Edges of the plot, in the units of its view box."""
STEP = 100
"""Points between two lines across."""
MOST_LINES = 7


@dataclass(frozen=True)
class Tick:
    """A line across, at a rating."""

    value: int
    y: float


@dataclass(frozen=True)
class RatingPlot:
    """A course as a picture, with its numbers."""

    which: RatingList
    now: MonthRating
    months: Sequence[MonthRating]
    line: str
    """Points of the line, as in SVG."""
    band: str
    """Corners of the band."""
    ticks: Sequence[Tick]


def rating_plot(course: RatingCourse) -> RatingPlot:
    """Return the plot of a course."""
    months = course.months
    lows = [each.rating.value - each.rating.uncertainty for each in months]
    highs = [each.rating.value + each.rating.uncertainty for each in months]
    bottom, top = min(lows) // STEP * STEP, -(-max(highs) // STEP) * STEP
    first, last = months[0].index, max(months[-1].index, months[0].index + 1)

    def x(each: MonthRating) -> str:
        return f"{LEFT + (RIGHT - LEFT) * (each.index - first) / (last - first):.1f}"

    def y(value: int) -> float:
        return round(BASE - (BASE - TOP) * (value - bottom) / (top - bottom), 1)

    line = [f"{x(each)},{y(each.rating.value)}" for each in months]
    above = [f"{x(each)},{y(high)}" for each, high in zip(months, highs, strict=True)]
    below = [f"{x(each)},{y(low)}" for each, low in zip(months, lows, strict=True)]
    every = STEP * -(-(top - bottom) // (STEP * MOST_LINES))
    ticks = [Tick(value, y(value)) for value in range(bottom, top + 1, every)]
    band = " ".join([*above, *reversed(below)])
    return RatingPlot(course.which, months[-1], months, " ".join(line), band, ticks)
