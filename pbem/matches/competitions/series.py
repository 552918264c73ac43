"""Series: any number of games between two players, the first move alternating.

Source: rulebook, Lanrick 1881, second edition, which asks for "records of sets of games between the
same two players, where each begins half the entire set", and gives their form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from pbem.games import game_of
from pbem.games.api import OptionError
from pbem.matches.competition import (
    Competition,
    Pairing,
    Standing,
    StandingRow,
    ended,
    index_of,
    leaders,
    next_round,
    scored,
)
from pbem.matches.competitions.round_robin import NUMBERING
from pbem.matches.match import MatchSummary, PlayerId


class SeriesTally(NamedTuple):
    """What became of the games that one of the two began."""

    beginner: PlayerId
    began: int
    won: int
    """By A, whoever began them."""
    drawn: int


@dataclass(frozen=True)
class SeriesStanding(Standing):
    """Standing of a series, with what the source asks for."""

    tallies: tuple[SeriesTally, ...] = ()
    """By who began, A first."""

    @property
    def ended(self) -> int:
        """How many games have ended."""
        return sum(tally.began for tally in self.tallies)

    @property
    def drawn(self) -> int:
        """How many of them were drawn."""
        return sum(tally.drawn for tally in self.tallies)

    @property
    def wins(self) -> tuple[int, ...]:
        """Games that each has won, in the order of entry."""
        return tuple(sum(each.points == 1 for each in row.scored) for row in self.rows)


@dataclass(frozen=True)
class Series(Competition):
    """A series; of its players A begins the games with odd numbers, B the others."""

    kind = "series"
    numbering = NUMBERING

    games: int = field(kw_only=True)

    @classmethod
    def least_terms(cls, matches: int) -> dict[str, Any]:
        """So many games."""
        return {"games": matches}

    def require_playable(self) -> None:
        """Two persons, and a game for two."""
        info = game_of(self.game_key).info
        if 2 not in info.holders:
            raise OptionError(f"{info.title} is not for two players")
        if len(self.players) != 2 or self.games < 1:
            raise OptionError("a series is one game or more between two persons")

    def pairings(self) -> Iterator[Pairing]:
        """Its games one after the other."""
        a, b = self.players
        for index in range(1, self.games + 1):
            yield Pairing(index, index, (a, b) if index % 2 else (b, a))

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """The next game."""
        return next_round(self.pairings(), matches)

    @property
    def length(self) -> int:
        """As many as were agreed."""
        return self.games

    def standing(self, matches: Sequence[MatchSummary]) -> SeriesStanding:
        """Players in the order of entry; who has won more games wins the series."""
        over = len(ended(matches)) == self.games
        rows = tuple(_row(player, matches) for player in self.players)
        best = leaders(sorted(rows, key=lambda row: -row.points))
        tallies = (self._tally(player, matches) for player in self.players)
        return SeriesStanding(rows, over, best if over else (), tuple(tallies))

    def _tally(self, beginner: PlayerId, matches: Sequence[MatchSummary]) -> SeriesTally:
        counted = (match for match in ended(matches) if match.counts)
        begun = [match for match in counted if self._beginner(index_of(match)) == beginner]
        won = sum(match.sole_winner == self.players[0] for match in begun)
        # Lancelot can be won by both, which between two is a draw.
        drawn = sum(match.sole_winner is None for match in begun)
        return SeriesTally(beginner, len(begun), won, drawn)

    def _beginner(self, index: int) -> PlayerId:
        return self.players[0 if index % 2 else 1]


def _row(player: PlayerId, matches: Sequence[MatchSummary]) -> StandingRow:
    results = scored(player, matches)
    return StandingRow(player, sum((each.points for each in results), Fraction()), results)


KIND = Series
