"""The table of a competition: who scored what against whom, or in which match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pbem.archive.site.rendering import points
from pbem.archive.words import signed
from pbem.matches.competition import Competition, Row, Standing
from pbem.matches.competitions.round_robin import SONNEBORN_BERGER, RoundRobin
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
    columns: tuple[tuple[str, str], ...]
    """What stands above each, and what that means."""
    tie_breaks: tuple[str, ...]
    rows: tuple[TableRow, ...]

    @property
    def numbered(self) -> bool:
        """Whether the lines bear numbers, to which the columns refer."""
        return self.crossed

    def short(self, tie_break: str) -> str:
        """`SB`."""
        return "".join(word[0].upper() for word in tie_break.split("-"))


def cross_table(
    competition: Competition, standing: Standing, names: dict[PlayerId, str]
) -> CrossTable:
    """The table as it stands."""
    crossed, credits = isinstance(competition, RoundRobin), isinstance(competition, MatchSet)
    players = [row.player for row in standing.rows]
    columns: list[tuple[str, str]]
    if crossed:
        columns = [(str(n), f"Against {names[p]}") for n, p in enumerate(players, 1)]
    else:
        columns = [(str(n), f"Match {n}") for n in _matches(competition, standing)]
    breaks = tuple(each.key for each in standing.rows[0].tie_breaks) if standing.rows else ()
    rows = (_row(row, players if crossed else None, columns, credits) for row in standing.rows)
    return CrossTable(crossed, credits, tuple(columns), breaks, tuple(rows))


def _matches(competition: Competition, standing: Standing) -> list[int]:
    """Matches that have a column: all where they are few, else those that have ended."""
    if competition.length <= MOST_EMPTY:
        return list(range(1, competition.length + 1))
    return sorted({each.index for row in standing.rows for each in row.scored})


MOST_EMPTY = 8


def _row(
    row: Row,
    opponents: Sequence[PlayerId] | None,
    columns: Sequence[tuple[str, str]],
    credits: bool,
) -> TableRow:
    by: dict[object, list[str]] = defaultdict(list)
    for each in row.scored:
        key = each.against[0] if opponents else str(each.index)
        by[key].append(_shown(each.points, credits))
    keys: Sequence[object] = opponents or [title for title, _ in columns]
    cells = tuple(None if key == row.player and opponents else " ".join(by[key]) for key in keys)
    breaks = tuple(points(each.value) for each in row.tie_breaks)
    return TableRow(row.player, cells, _shown(row.points, credits), breaks)


def _shown(worth: Fraction, credits: bool) -> str:
    return signed(int(worth)) if credits else points(worth)


__all__ = ["SONNEBORN_BERGER", "CrossTable", "TableRow", "cross_table"]
