"""Line plots: a member's rating over time, and the places of players in a competition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.archive.site.values import MonthRating, RatingCourse
from pbem.matches.match import PlayerId
from pbem.matches.overview import MOST_LINED, Course
from pbem.matches.ratings import RatingList
from pbem.painters.palette import PAINTS

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


NAMES_AT = 230
"""Where the lines of a course end and the names start."""
ROW = 18
"""Height of a place."""
COLOURS = ("red", "blue", "green", "violet", "gold")


@dataclass(frozen=True)
class CourseLine:
    """The places of a player."""

    player: PlayerId
    places: Sequence[int]
    points: str
    """Points of the line, as in SVG."""
    y: float
    """Height of its end."""
    colour: str
    dashed: bool
    """Whether it is dashed, since another line has the same colour."""


@dataclass(frozen=True)
class CoursePlot:
    """The places of the first players over time, as a picture with its numbers."""

    by_round: bool
    numbers: Sequence[int]
    """Rounds, or numbers of matches."""
    lines: Sequence[CourseLine]
    height: float


def course_plot(course: Course) -> CoursePlot:
    """Return the plot of a course: a line for each of the first players, the best at the top."""
    shown = course.first(MOST_LINED)
    lowest = max(step.places[player] for step in course.steps for player in shown)
    left, step = 18.0, (NAMES_AT - 18) / (len(course.steps) - 1)
    # A player of a low place now may have been lower still: the rows below are set closer.
    row = ROW * min(1.0, 2 * len(shown) / lowest)

    def y(place: int) -> float:
        return round(TOP + row * (place - 0.5), 1)

    lines = []
    for at, player in enumerate(shown):
        places = [each.places[player] for each in course.steps]
        points = (f"{left + step * x:.1f},{y(place)}" for x, place in enumerate(places))
        colour = PAINTS[COLOURS[at % len(COLOURS)]].fill
        dashed = at >= len(COLOURS)
        lines.append(CourseLine(player, places, " ".join(points), y(places[-1]), colour, dashed))
    numbers = [each.number for each in course.steps]
    return CoursePlot(course.by_round, numbers, lines, TOP + row * lowest + 22)
