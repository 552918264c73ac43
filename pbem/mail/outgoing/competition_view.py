"""A competition as a reader sees it: the data of the templates, and the tables set in columns.

Its mails, the shell and the archive show the same, from the same templates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pbem.games.diagram import WIDTH
from pbem.matches.competition import Competition, Row, Standing
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.place import Place

SIGNS = {Fraction(0): "0", Fraction(1, 2): "=", Fraction(1): "1"}
"""A match by its points: lost, drawn, won."""


@dataclass(frozen=True)
class CompetitionView:
    """What a template may say of a competition."""

    of: Competition
    matches: Sequence[MatchSummary]
    """Those that have been started, in order."""
    names: Mapping[PlayerId, str]
    place: Place | None = None
    """Of the match whose mail it stands in."""
    head: bool = True
    """Whether to say first which competition it is."""

    @property
    def templates(self) -> list[str]:
        """That of its kind, or else that of all kinds."""
        return [f"competition/{self.of.kind}.txt.j2", "competition/standing.txt.j2"]

    @cached_property
    def standing(self) -> Standing:
        """How it stands."""
        return self.of.standing(self.matches)

    @property
    def players(self) -> list[str]:
        """Names in the order of entry."""
        return [self.names[player] for player in self.of.players]

    @property
    def winners(self) -> list[str]:
        """Names of those who share the first place, once it is over."""
        return [self.names[player] for player in self.standing.winners]

    def credits(self, total: str, indent: int = 0) -> str:
        """What each match brought each player, and the sums; a dot where none has ended."""
        indexes = range(1, self.of.length + 1)
        width = max(map(len, self.players))
        lines = [f"{'':{width}}{''.join(f'{index:7}' for index in indexes)}{total:>7}"]
        for row in self.standing.rows:
            points = {each.index: signed(int(each.points)) for each in row.scored}
            cells = [*(points.get(index, ".") for index in indexes), signed(int(row.points))]
            lines.append(f"{self.names[row.player]:{width}}{''.join(f'{c:>7}' for c in cells)}")
        return "\n".join(f"{'':{indent}}{line}" for line in lines)

    def cross_table(self, points: str, tie_break: str) -> str:
        """Who did what against whom; a dot where nothing has ended, names cut to what is left."""
        rows = self.standing.rows
        cells = [[_cell(row, other) for other in rows] for row in rows]
        cell = 1 + max(2, *(len(text) for line in cells for text in line))
        numbers = "".join(f"{number:{cell}}" for number in range(1, len(rows) + 1))
        totals = [f"{float(row.points):.1f}" for row in rows]
        tail = max(6, *(len(total) + 2 for total in totals))
        room = max(8, WIDTH - 6 - len(numbers) - tail - 8)
        width = min(room, max(map(len, self.players)))
        lines = [f"    {'':{width}}{numbers}{points:>{tail}}{tie_break:>8}"]
        for place, (row, line, total) in enumerate(zip(rows, cells, totals, strict=True), 1):
            name = f"{self.names[row.player][:width]:{width}}"
            marks = "".join(text.rjust(cell) for text in line)
            lines.append(f"{place:3} {name}{marks}{total:>{tail}}{_tie_break(row):>8}")
        return "\n".join(lines)

    @property
    def rows(self) -> str:
        """Place, name, points and tie-breaks of each player, whatever the kind."""
        rows = self.standing.rows
        width = max(len(self.names[row.player]) for row in rows)
        return "\n".join(
            f"{place:3} {self.names[row.player]:{width}}{_number(row.points):>6}"
            + "".join(f"{_number(each.value):>8}" for each in row.tie_breaks)
            for place, row in enumerate(rows, 1)
        )


def signed(number: int) -> str:
    """`+3`, `0`, `-3`."""
    return f"{number:+d}" if number else "0"


def _cell(row: Row, other: Row) -> str:
    if other.player == row.player:
        return "x"
    return "".join(SIGNS[e.points] for e in row.scored if e.against == (other.player,)) or "."


def _tie_break(row: Row) -> str:
    return f"{float(row.tie_breaks[0].value):.2f}"


def _number(value: Fraction) -> str:
    """`2`, `2.5`."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
