"""Round robins of two-player games by Berger tables; people call them tournaments.

Source: FIDE Handbook, C.05, Annex 1 (Details of Berger table).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from pbem.games import game_of
from pbem.games.api import OptionError
from pbem.matches.competition import (
    Competition,
    Pairing,
    Scored,
    Standing,
    StandingRow,
    TieBreak,
    ended,
    leaders,
    next_round,
    remaining,
    scored,
)
from pbem.matches.match import MatchSummary, PlayerId

LEAST = 3
"""Players of a round robin; two of them play a series."""
NUMBERING = "series and tournaments"
SONNEBORN_BERGER = "sonneborn-berger"

Pair = tuple[int, int]
"""Numbers of two players, from 1; the first one begins."""


def berger(players: int) -> tuple[tuple[Pair, ...], ...]:
    """Pairs by round for an even number of players; with an odd one the last has a bye.

    A player's number and that of their opponent add up to the round's number plus one, modulo the
    number of rounds; the one who would meet themselves meets the last player. The lower number
    begins where the sum is odd, the higher where it is even; against the last the lower half
    begins.
    """
    last = players + players % 2
    return tuple(_round(number, last) for number in range(1, last))


def _round(number: int, last: int) -> tuple[Pair, ...]:
    cycle = last - 1
    pivot = next(i for i in range(1, last) if (2 * i - number - 1) % cycle == 0)
    others = [
        _ordered((pivot + step - 1) % cycle + 1, (pivot - step - 1) % cycle + 1)
        for step in range(1, last // 2)
    ]
    return ((pivot, last) if pivot <= last // 2 else (last, pivot), *others)


def _ordered(one: int, other: int) -> Pair:
    lower, higher = sorted((one, other))
    return (lower, higher) if (one + other) % 2 else (higher, lower)


@dataclass(frozen=True)
class RoundRobin(Competition):
    """A round robin; its players in the order of their numbers in the table."""

    kind = "tournament"
    numbering = NUMBERING

    double: bool = field(default=False, kw_only=True)
    """Whether a second cycle follows, with the first move reversed."""
    concurrent: bool = field(default=False, kw_only=True)
    """Whether all matches are played at once; otherwise the rounds follow one another."""

    def require_playable(self) -> None:
        """Three persons or more, and a game for two."""
        info = game_of(self.game_key).info
        if 2 not in info.holders:
            raise OptionError(f"{info.title} is not for two players")
        if len(self.players) < LEAST:
            raise OptionError("a tournament needs three persons or more; two play a series")

    @cached_property
    def rounds(self) -> tuple[tuple[tuple[PlayerId, PlayerId], ...], ...]:
        """Who meets whom by round, a bye left out; the one named first begins."""
        count = len(self.players)
        cycle = [tuple(pair for pair in pairs if max(pair) <= count) for pairs in berger(count)]
        if self.double:
            cycle += [tuple((b, a) for a, b in pairs) for pairs in cycle]
        return tuple(
            tuple((self.players[a - 1], self.players[b - 1]) for a, b in pairs) for pairs in cycle
        )

    def pairings(self) -> Iterator[Pairing]:
        """All of them, round by round."""
        index = 0
        for number, pairs in enumerate(self.rounds, 1):
            for pair in pairs:
                index += 1
                yield Pairing(number, index, pair)

    def bye(self, number: int) -> PlayerId | None:
        """Who does not play in a round; None with an even number of players."""
        playing = {player for pair in self.rounds[number - 1] for player in pair}
        return next((player for player in self.players if player not in playing), None)

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """The next round, or all matches that are left."""
        if self.concurrent:
            return tuple(remaining(self.pairings(), matches))
        return next_round(self.pairings(), matches)

    @property
    def length(self) -> int:
        """Everybody meets everybody."""
        return sum(map(len, self.rounds))

    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Players by points, then Sonneborn-Berger, then number in the tournament."""
        results = {player: scored(player, matches) for player in self.players}
        points = {player: _sum(results[player]) for player in self.players}
        rows = [
            StandingRow(
                player, points[player], results[player], (_tie_break(results[player], points),)
            )
            for player in self.players
        ]
        rows.sort(key=lambda row: (-row.points, -row.tie_breaks[0].value))
        over = len(ended(matches)) == self.length
        return Standing(tuple(rows), over, leaders(rows) if over else ())


def _sum(results: Sequence[Scored]) -> Fraction:
    return sum((each.points for each in results), Fraction())


def _tie_break(results: Sequence[Scored], points: Mapping[PlayerId, Fraction]) -> TieBreak:
    """Sonneborn-Berger: the points of those who were beaten, half those of who drew."""
    # Whoever plays on for another may not have entered, and is worth nothing.
    worth = (each.points * points.get(each.against[0], Fraction()) for each in results)
    return TieBreak(SONNEBORN_BERGER, sum(worth, Fraction()))


KIND = RoundRobin
