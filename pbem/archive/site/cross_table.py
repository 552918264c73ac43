"""The table of a competition: who scored what against whom, or in which match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pbem.archive.site.rendering import points
from pbem.archive.words import signed
from pbem.matches.competition import Competition, Row, Standing
from pbem.matches.competitions.round_robin import RoundRobin
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import PlayerId


@dataclass(frozen=True)
class TableRow:
    """A player's line."""

    player: PlayerId
    cells: tuple[str | None, ...]
    """None where a player would meet themselves."""
    sum: str
    tie_breaks: tuple[str, ...]


@dataclass(frozen=True)
class CrossTable:
    """All lines, with the heads of the columns."""

    crossed: bool
    """Whether a column is an opponent; else it is a match."""
    credits: bool
    """Whether points are balances, with a sign."""
    columns: tuple[tuple[int, PlayerId | None], ...]
    """Number that stands above each, and the opponent that it is of; None for a match."""
    tie_breaks: tuple[str, ...]
    rows: tuple[TableRow, ...]

    @property
    def numbered(self) -> bool:
        """Whether the lines bear numbers, to which the columns refer."""
        return self.crossed

    def short(self, tie_break: str) -> str:
        """`SB`."""
        return "".join(word[0].upper() for word in tie_break.split("-"))


def cross_table(competition: Competition, standing: Standing) -> CrossTable:
    """The table as it stands."""
    crossed, credits = isinstance(competition, RoundRobin), isinstance(competition, MatchSet)
    columns: list[tuple[int, PlayerId | None]]
    if crossed:
        columns = [(number, row.player) for number, row in enumerate(standing.rows, 1)]
    else:
        columns = [(number, None) for number in _matches(competition, standing)]
    breaks = tuple(each.key for each in standing.rows[0].tie_breaks) if standing.rows else ()
    rows = (_row(row, columns, credits) for row in standing.rows)
    return CrossTable(crossed, credits, tuple(columns), breaks, tuple(rows))


def _matches(competition: Competition, standing: Standing) -> list[int]:
    """Matches that have a column: all where they are few, else those that have ended."""
    if competition.length <= MOST_EMPTY:
        return list(range(1, competition.length + 1))
    return sorted({each.index for row in standing.rows for each in row.scored})


MOST_EMPTY = 8


def _row(row: Row, columns: Sequence[tuple[int, PlayerId | None]], credits: bool) -> TableRow:
    by_match, by_opponent = defaultdict[int, list[str]](list), defaultdict[int, list[str]](list)
    for each in row.scored:
        by_match[each.index].append(_shown(each.points, credits))
        by_opponent[each.against[0]].append(_shown(each.points, credits))
    cells = (
        " ".join(by_match[number] if opponent is None else by_opponent[opponent])
        if opponent != row.player
        else None
        for number, opponent in columns
    )
    breaks = tuple(points(each.value) for each in row.tie_breaks)
    return TableRow(row.player, tuple(cells), _shown(row.points, credits), breaks)


def _shown(worth: Fraction, credits: bool) -> str:
    return signed(worth) if credits else points(worth)
