"""Statistics of a game's matches, as bars of plots."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.archive.files import ArchiveFile
from pbem.archive.site.sides import seat_titles
from pbem.games import game_of
from pbem.games.api import AnyGame
from pbem.games.phrases import ENGLISH, capitalised
from pbem.matches.statistics import (
    Results,
    SeatTally,
    Statistics,
    Tally,
    average,
    ending_phrases,
    first_player_share,
)

Row = tuple[str, int, float]
"""Label, count and percentage of all matches."""

PLOT, BASE, TOP = 320, 126, 18
"""Width of the plot of lengths, and the bottom and top of its bars."""
NICE = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000)
MOST_BARS = 16


@dataclass(frozen=True)
class Bar:
    """Number of matches whose length is in a range of turns."""

    start: int
    end: int
    count: int
    x: int
    y: int
    width: int
    height: int
    labelled: bool

    @property
    def middle(self) -> float:
        """Horizontal position of its label."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class Plots:
    """Statistics on a game's page, for matches with this many players."""

    players: int
    computers: bool
    matches: int
    drawn: int
    won: tuple[Row, ...]
    endings: tuple[Row, ...]
    lengths: tuple[Bar, ...]
    average: int
    """Turns per match."""
    first: tuple[float, float]
    """Percentage of the points that the first player's side made, and an equal share."""


def plots(game: AnyGame, results: Results) -> Plots:
    """Return the bars of all plots."""
    info = game.info
    seats = seat_titles(info, info.seats_of(results.players))
    won = {seats[seat]: results.won.get(seat, 0) for seat in seats} | {"Drawn": results.drawn}
    known = ending_phrases([info.key])
    ways = sorted(results.terminations.items(), key=lambda item: (-item[1], item[0]))
    endings = {capitalised(ENGLISH.text(known.get(key, key))): count for key, count in ways}
    return Plots(
        results.players,
        results.computers,
        results.matches,
        results.drawn,
        _rows(won, results.matches),
        _rows(endings, results.matches),
        _bars(results.lengths),
        average(results.lengths),
        first_player_share(info, results.players, results.won, results.drawn, results.matches),
    )


@dataclass(frozen=True)
class SeatPlot:
    """A member's results in a seat, for a bar of three parts."""

    label: str
    tally: Tally

    @property
    def parts(self) -> tuple[tuple[str, float, float], ...]:
        """Name, start and width of each part, in percent."""
        of, every = self.tally, max(self.tally.matches, 1)
        won, drawn = 100 * of.won / every, 100 * of.drawn / every
        return ("won", 0.0, won), ("drawn", won, drawn), ("lost", won + drawn, 100 - won - drawn)


@dataclass(frozen=True)
class MemberPlots:
    """Statistics on a member's page."""

    of: Statistics
    seats: tuple[SeatPlot, ...]
    endings: tuple[Row, ...]
    lengths: tuple[Bar, ...]


def member_plots(of: Statistics) -> MemberPlots:
    """Return the bars of a member's plots."""
    known = ending_phrases(of.by_game)
    endings = {
        capitalised(ENGLISH.text(known.get(key, key))): of.endings[key] for key in of.endings
    }
    return MemberPlots(
        of,
        tuple(SeatPlot(_label(each), each.tally) for each in of.by_seat),
        _rows(endings, of.total.matches),
        _bars(of.lengths),
    )


def _label(each: SeatTally) -> str:
    info = game_of(each.game_key).info
    seat = seat_titles(info, [each.seat])[each.seat]
    several = f" of {each.players}" if len(info.holders) > 1 else ""
    return f"{info.title}, {seat}{several}"


def json_file(name: str, data: Iterable[object]) -> ArchiveFile:
    """Return a file with a list for programs."""
    return ArchiveFile(name, f"{json.dumps(list(data), indent=1)}\n".encode())


def _rows(counts: Mapping[str, int], of: int) -> tuple[Row, ...]:
    return tuple((label, count, 100 * count / max(of, 1)) for label, count in counts.items())


def _bars(lengths: Mapping[int, int]) -> tuple[Bar, ...]:
    if not lengths:
        return ()
    most = max(lengths)
    step = next((nice for nice in NICE if most // nice < MOST_BARS), NICE[-1])
    counts = [0] * (most // step + 1)
    for turns, count in lengths.items():
        counts[turns // step] += count
    wide, every = PLOT // len(counts), 1 + len(counts) // 8
    return tuple(
        _bar(index, step, count, max(counts), wide, index % every == 0)
        for index, count in enumerate(counts)
    )


def _bar(index: int, step: int, count: int, highest: int, wide: int, labelled: bool) -> Bar:
    height = round((BASE - TOP) * count / highest)
    start = index * step
    return Bar(
        start,
        start + step - 1,
        count,
        index * wide,
        BASE - height,
        max(wide - 3, 2),
        height,
        labelled,
    )
