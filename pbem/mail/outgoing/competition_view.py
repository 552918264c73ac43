"""Competition view: a competition as templates show it to a reader, with tables in columns.

Its emails, the command line and the archive use the same templates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pbem.games.diagram import WIDTH
from pbem.mail.outgoing.typeset.page import Figure
from pbem.mail.outgoing.typeset.tables import table
from pbem.matches.competition import Competition
from pbem.matches.competition_place import Place
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.standing import Standing, StandingRow

SIGNS = {Fraction(0): "0", Fraction(1, 2): "=", Fraction(1): "1"}
"""Sign of a match by its points: lost, drawn, won."""


@dataclass(frozen=True)
class CompetitionView:
    """The data of a competition for a template."""

    of: Competition
    matches: Sequence[MatchSummary]
    """The started matches, in order."""
    names: Mapping[PlayerId, str]
    place: Place | None = None
    """The place of the match that the email is about."""
    head: bool = True
    """Whether to start with the name of the competition."""

    @property
    def templates(self) -> list[str]:
        """The template of its kind, then the one for all kinds."""
        return [f"competition/{self.of.kind}.txt.j2", "competition/standing.txt.j2"]

    @cached_property
    def standing(self) -> Standing:
        """The current standing."""
        return self.of.standing(self.matches)

    @property
    def players(self) -> list[str]:
        """Names of the players in order of entry."""
        return [self.names[player] for player in self.of.players]

    @property
    def winners(self) -> list[str]:
        """Names of the winners, or of those who share first place, once it is over."""
        return [self.names[player] for player in self.standing.winners]

    def credits(self, total: str, indent: int = 0) -> Figure:
        """Table of the points from each match and their sums, with a dot if it has not ended."""
        head = ["", *map(str, range(1, self.of.length + 1)), total]
        rows = [self._credits(row) for row in self.standing.rows]
        width = max(map(len, self.players))
        lines = (
            f"{name:{width}}{''.join(f'{cell:>7}' for cell in cells)}"
            for name, *cells in (head, *rows)
        )
        text = "\n".join(f"{'':{indent}}{line}" for line in lines)
        return Figure(text, lambda _: table(head, rows))

    def _credits(self, row: StandingRow) -> list[str]:
        points = {each.index: signed(each.points) for each in row.scored}
        each = (points.get(index, ".") for index in range(1, self.of.length + 1))
        return [self.names[row.player], *each, signed(row.points)]

    def cross_table(self, points: str, tie_break: str) -> Figure:
        """Table of results against each opponent, with a dot if none has ended."""
        rows = self.standing.rows
        marks = [[_cell(row, other) for other in rows] for row in rows]
        lines = [
            [f"{place}", self.names[row.player], *line, f"{float(row.points):.1f}", _tie_break(row)]
            for place, (row, line) in enumerate(zip(rows, marks, strict=True), 1)
        ]
        head = ["", "", *(f"{number}" for number in range(1, len(rows) + 1)), points, tie_break]
        return Figure(_cross_table(head, lines), lambda _: table(head, lines, names=1))

    @property
    def rows(self) -> Figure:
        """Table of place, name, points and tie-breaks, for any kind of competition."""
        lines = [
            [f"{place}", self.names[row.player], *map(_number, _values(row))]
            for place, row in enumerate(self.standing.rows, 1)
        ]
        width = max(len(name) for _, name, *_ in lines)
        text = "\n".join(
            f"{place:>3} {name:{width}}{points:>6}" + "".join(f"{each:>8}" for each in others)
            for place, name, points, *others in lines
        )
        return Figure(text, lambda _: table([""] * len(lines[0]), lines, names=1))


def _cross_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the table in columns, cutting names to the remaining width."""
    cell = 1 + max(2, *(len(text) for row in rows for text in row[2:-2]))
    tail = max(6, *(len(row[-2]) + 2 for row in rows))
    room = max(8, WIDTH - 6 - cell * len(rows) - tail - 8)
    width = min(room, max(len(row[1]) for row in rows))
    return "\n".join(
        f"{place:>3} {name[:width]:{width}}{''.join(mark.rjust(cell) for mark in marks)}"
        f"{points:>{tail}}{tie_break:>8}"
        for place, name, *marks, points, tie_break in (head, *rows)
    )


def signed(worth: int | Fraction) -> str:
    """Format points: `+3`, `0`, `-3`, or `+2.3` for a shared result."""
    if worth.denominator > 1:
        return f"{float(worth):+.1f}"
    return f"{int(worth):+d}" if worth else "0"


def _cell(row: StandingRow, other: StandingRow) -> str:
    if other.player == row.player:
        return "x"
    return "".join(_mark(e.points) for e in row.scored if e.against == (other.player,)) or "."


def _mark(worth: Fraction) -> str:
    """Format a share of a result as a decimal fraction: `.75`."""
    return SIGNS.get(worth) or f"{float(worth):.2f}".removeprefix("0")


def _values(row: StandingRow) -> Iterator[Fraction]:
    yield row.points
    yield from (each.value for each in row.tie_breaks)


def _tie_break(row: StandingRow) -> str:
    return f"{float(row.tie_breaks[0].value):.2f}"


def _number(value: Fraction) -> str:
    """Format a number: `2`, `2.5`."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
