"""Table: how a competition is shown, as data. Emails, pages and books draw the same values.

A kind of competition returns its parts from `Competition.parts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pbem.games.phrases import Phrase
from pbem.matches.match import PlayerId
from pbem.matches.standing import Scored, StandingRow
from pbem.matches.words import phrase

OPPONENT, ROUND, MATCH = "opponent", "round", "match"
DETAILS = (OPPONENT, ROUND, MATCH)
"""Columns with the results of single matches. They are left out first if there is no room."""
SIGNED = ("sum", "solo")
"""Columns of credits, with a sign."""
LOTS = "lots"
ABBREVIATED = ("direct", "buchholz", "sonneborn-berger", "solo", "alone", "paired", "running", LOTS)
UNPLAYED = "unplayed"
"""Kind of the mark of a match that a withdrawal decided before it started."""


class Column(NamedTuple):
    """A column after the names."""

    key: str
    number: int = 0
    """Number of the opponent's row, of the round or of the match, for the columns `DETAILS`."""

    @property
    def is_detail(self) -> bool:
        """Whether it shows single matches."""
        return self.key in DETAILS

    @property
    def is_abbreviated(self) -> bool:
        """Whether its head needs an explanation."""
        return self.key in ABBREVIATED

    @property
    def short(self) -> Phrase | str:
        """The words above it in an email."""
        return f"{self.number}" if self.is_detail else _HEADS.get(self.key, (self.key,))[0]

    @property
    def long(self) -> Phrase | str:
        """What it means."""
        return _HEADS.get(self.key, (self.key,))[-1]


_HEADS = {
    "points": (phrase("column.points"), phrase("meaning.points")),
    "sum": (phrase("column.sum"), phrase("meaning.sum")),
    "direct": (phrase("column.direct"), phrase("meaning.direct")),
    "buchholz": (phrase("column.buchholz"), phrase("meaning.buchholz")),
    "sonneborn-berger": (phrase("column.sonneborn-berger"), phrase("meaning.sonneborn-berger")),
    "wins": (phrase("column.wins"), phrase("meaning.wins")),
    LOTS: (phrase("column.lots"), phrase("meaning.drawn")),
    "solo": (phrase("column.solo"), phrase("meaning.solo")),
    "alone": (phrase("column.alone"), phrase("meaning.alone")),
    "paired": (phrase("column.paired"), phrase("meaning.paired")),
    "played": (phrase("column.played"), phrase("meaning.played")),
    "running": (phrase("column.running"), phrase("meaning.running")),
}


class Mark(NamedTuple):
    """What a match or a round brought one player."""

    points: Fraction | None = None
    """None as long as the match is played."""
    against: int = 0
    """Row of the opponent, if the column does not tell it."""
    kind: str = ""
    """Empty for a match between two, `credits` for one with balances, otherwise why there was no
    match: `bye`, `absent`, `unplayed` if a withdrawal decided it, or `self` where players would
    meet themselves. `void` if it does not count."""


SELF = (Mark(kind="self"),)
Cell = Fraction | tuple[Mark, ...]
"""A number, or marks."""


class Row(NamedTuple):
    """A player's row."""

    player: PlayerId
    cells: tuple[Cell, ...]
    place: int = 0
    withdrawn: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of players, best first."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    division: int = 0
    """Number of the division, if there are several."""
    placed: bool = True
    """Whether rows have a place."""
    up: int = 0
    """Number of first players who will move up."""
    down: int = 0
    """Number of last players who will move down."""

    @property
    def notes(self) -> tuple[Phrase, ...]:
        """What its signs mean, if they occur."""
        cells = (cell for row in self.rows for cell in row.cells if isinstance(cell, tuple))
        gone = (phrase("mark.withdrawn"),) if any(row.withdrawn for row in self.rows) else ()
        return (*gone, *_unplayed(mark for cell in cells for mark in cell))

    def around(self, players: Sequence[PlayerId], most: int) -> Table:
        """Return at most this many first rows, and those of some players."""
        kept = tuple(row for at, row in enumerate(self.rows) if at < most or row.player in players)
        return self if len(self.rows) <= most + 2 else Table(self.columns, kept, self.division)


def _unplayed(marks: Iterable[Mark]) -> Iterator[Phrase]:
    if any(mark.kind == UNPLAYED for mark in marks):
        yield phrase("mark.unplayed")


class Side(NamedTuple):
    """A player in a tie of a bracket."""

    player: PlayerId | None
    """None as long as it is not known who it is, and if there is nobody."""
    points: Fraction = Fraction()
    """Points in the matches of the tie."""


class BracketTie(NamedTuple):
    """A place of a bracket."""

    sides: tuple[Side, Side]
    known: bool = False
    """Whether it is certain who they are, if anybody."""
    winner: PlayerId | None = None
    played: bool = False
    """Whether a match has started."""

    @property
    def is_bye(self) -> bool:
        """Whether a player goes through without an opponent."""
        return self.known and any(side.player is None for side in self.sides)


@dataclass(frozen=True)
class Bracket:
    """Ties of a knock-out, round by round. Two neighbours lead to one tie of the next round."""

    rounds: tuple[tuple[BracketTie, ...], ...]
    third_place: BracketTie | None = None
    best_of: int = 1

    @property
    def titles(self) -> tuple[Phrase, ...]:
        """Names of the rounds."""
        return tuple(_round_title(len(ties)) for ties in self.rounds)


def _round_title(ties: int) -> Phrase:
    if ties == 1:
        return phrase("bracket.final")
    if ties == 2:
        return phrase("bracket.semi-finals")
    if ties == 4:
        return phrase("bracket.quarter-finals")
    return phrase("bracket.last", count=2 * ties)


class Board(NamedTuple):
    """A board of a team match."""

    number: int
    players: tuple[PlayerId, PlayerId]
    """The player of the first team, then that of the second."""
    results: tuple[tuple[Mark, Mark], ...]
    """What each match brought the two."""


@dataclass(frozen=True)
class Boards:
    """Two teams, board by board."""

    teams: tuple[str, str]
    points: tuple[Fraction, Fraction]
    boards: tuple[Board, ...]

    @property
    def notes(self) -> tuple[Phrase, ...]:
        """What its signs mean, if they occur."""
        pairs = (pair for board in self.boards for pair in board.results)
        return tuple(_unplayed(mark for pair in pairs for mark in pair))


Part = Table | Bracket | Boards


def by_standing(
    rows: Sequence[StandingRow], between: Sequence[Column] = (), **extra: Sequence[Fraction]
) -> Table:
    """Return place, points and the tie-breaks that decide something, without single matches.

    `extra` are columns after the points.
    """
    keys = _told(rows)
    columns = (Column("points"), *between, *map(Column, extra), *map(Column, keys))
    return Table(
        columns,
        tuple(
            Row(
                row.player,
                (row.points, *(values[at] for values in extra.values()), *_values(row, keys)),
                at + 1,
                row.withdrawn,
            )
            for at, row in enumerate(rows)
        ),
    )


def _values(row: StandingRow, keys: Sequence[str]) -> Iterator[Fraction]:
    return (each.value for each in row.tie_breaks if each.key in keys)


def _told(rows: Sequence[StandingRow]) -> list[str]:
    """Return the tie-breaks to show: lots only if they decide, and nothing that has no column."""
    keys = [each.key for each in rows[0].tie_breaks] if rows else []
    known = [key for key in keys if key in _HEADS]
    if LOTS not in known or _drawn(rows):
        return known
    return [key for key in known if key != LOTS]


def _drawn(rows: Sequence[StandingRow]) -> bool:
    """Return whether lots separate two players who have results."""
    before = [
        (row.points, *(each.value for each in row.tie_breaks if each.key != LOTS))
        for row in rows
        if row.scored
    ]
    return len(set(before)) < len(before)


def crossed(
    rows: Sequence[StandingRow],
    unplayed: Mapping[tuple[PlayerId, PlayerId], Sequence[Mark]],
) -> Table:
    """Return a cross-table: the results of each player against each other one.

    Marks of matches that gave no result are given by player and opponent.
    """
    table, columns = by_standing(rows), [Column(OPPONENT, at + 1) for at in range(len(rows))]
    lines = (
        _filled(line, [_against(row, other.player, unplayed) for other in rows])
        for row, line in zip(rows, table.rows, strict=True)
    )
    return Table((*columns, *table.columns), tuple(lines))


def _against(
    row: StandingRow,
    other: PlayerId,
    unplayed: Mapping[tuple[PlayerId, PlayerId], Sequence[Mark]],
) -> tuple[Mark, ...]:
    if row.player == other:
        return SELF
    played = (Mark(each.points) for each in row.scored if each.against == (other,))
    return (*played, *unplayed.get((row.player, other), ()))


def by_match(rows: Sequence[StandingRow], matches: Sequence[int], total: str = "sum") -> Table:
    """Return the points from each match and their sum, in the order of the rows."""
    kind = "credits" if total in SIGNED else ""

    def marks(scored: Sequence[Scored], number: int) -> tuple[Mark, ...]:
        return tuple(Mark(each.points, kind=kind) for each in scored if each.index == number)

    return Table(
        (*(Column(MATCH, number) for number in matches), Column(total)),
        tuple(
            Row(row.player, (*(marks(row.scored, number) for number in matches), row.points))
            for row in rows
        ),
        placed=False,
    )


def with_rounds(table: Table, rounds: Sequence[Sequence[tuple[Mark, ...]]]) -> Table:
    """Return a table with the marks of each row's player in each round."""
    count = len(rounds[0]) if rounds else 0
    columns = (Column(ROUND, at + 1) for at in range(count))
    lines = (_filled(row, marks) for row, marks in zip(table.rows, rounds, strict=True))
    return Table((*columns, *table.columns), tuple(lines))


def _filled(row: Row, marks: Sequence[tuple[Mark, ...]]) -> Row:
    return row._replace(cells=(*marks, *row.cells))
