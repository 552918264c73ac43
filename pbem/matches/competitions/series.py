"""Series: any number of games between two players, who take turns to begin.

Source: rulebook, Lanrick 1881, second edition, which asks for "records of sets of games between the
same two players, where each begins half the entire set", and gives their form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from pbem.games.api import OptionError
from pbem.matches.competition import (
    Competition,
    Pairing,
    ended,
    index_of,
    next_round,
    scored,
)
from pbem.matches.competitions.round_robin import NUMBERING
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.standing import Standing, StandingRow, leaders
from pbem.matches.table import Part, by_match


class SeriesTally(NamedTuple):
    """Results of the games that one of the two players began."""

    beginner: PlayerId
    began: int
    won: int
    """Games that A won, whoever began them."""
    drawn: int


@dataclass(frozen=True)
class SeriesStanding(Standing):
    """Standing of a series, with the tallies that the source asks for."""

    tallies: tuple[SeriesTally, ...] = ()
    """One per beginner, A first."""

    @property
    def ended(self) -> int:
        """Number of games that have ended."""
        return sum(tally.began for tally in self.tallies)

    @property
    def drawn(self) -> int:
        """Number of games that were drawn."""
        return sum(tally.drawn for tally in self.tallies)

    @property
    def wins(self) -> tuple[int, ...]:
        """Games won by each player, in the order of entry."""
        return tuple(sum(each.points == 1 for each in row.scored) for row in self.rows)


MOST_EMPTY = 8
"""Most games of which a table shows those that have not started."""


@dataclass(frozen=True)
class Series(Competition):
    """A series. Player A begins the games with odd numbers, B the others."""

    kind = "series"
    numbering = NUMBERING

    games: int = field(kw_only=True)

    @classmethod
    def least_terms(cls, matches: int) -> dict[str, Any]:
        """Return terms for this many games."""
        return {"games": matches}

    def require_playable(self) -> None:
        """Raise OptionError unless two people play a game for two."""
        self.require_for_two()
        if len(self.players) != 2 or self.games < 1:
            raise OptionError("a series needs two players and at least one game")

    def pairings(self) -> Iterator[Pairing]:
        """Yield its games in order."""
        a, b = self.players
        for index in range(1, self.games + 1):
            yield Pairing(index, index, (a, b) if index % 2 else (b, a))

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the next game."""
        return next_round(self.pairings(), matches)

    @property
    def length(self) -> int:
        """Number of games agreed."""
        return self.games

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return the points from each game: all games if they are few, otherwise the ended ones."""
        shown = (
            range(1, self.games + 1) if self.games <= MOST_EMPTY else map(index_of, ended(matches))
        )
        return (by_match(self.standing(matches).rows, [*shown], "points"),)

    def standing(self, matches: Sequence[MatchSummary]) -> SeriesStanding:
        """Return the players in the order of entry. The one with more points wins the series."""
        matches = self.inherited(matches)
        over = len(ended(matches)) == self.games
        rows = tuple(_row(player, matches) for player in self.players)
        best = leaders(sorted(rows, key=lambda row: -row.points))
        tallies = (self._tally(player, matches) for player in self.players)
        return SeriesStanding(rows, over, best if over else (), tuple(tallies))

    def _tally(self, beginner: PlayerId, matches: Sequence[MatchSummary]) -> SeriesTally:
        counted = (match for match in ended(matches) if match.counts)
        begun = [match for match in counted if self._beginner(index_of(match)) == beginner]
        won = sum(match.sole_winner == self.players[0] for match in begun)
        # Both can win Lancelot. Between two players that is a draw.
        drawn = sum(match.sole_winner is None for match in begun)
        return SeriesTally(beginner, len(begun), won, drawn)

    def _beginner(self, index: int) -> PlayerId:
        return self.players[0 if index % 2 else 1]


def _row(player: PlayerId, matches: Sequence[MatchSummary]) -> StandingRow:
    results = scored(player, matches)
    return StandingRow(player, sum((each.points for each in results), Fraction()), results)


KIND = Series
