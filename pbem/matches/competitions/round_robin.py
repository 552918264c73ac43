"""Round robins of two-player games, by Berger tables. Players call them tournaments.

Source: FIDE Handbook, C.05, Annex 1 (Details of Berger table).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from pbem.games.api import OptionError
from pbem.matches.competition import (
    Competition,
    Pairing,
    index_of,
    next_round,
    opponents_left,
    remaining,
    scored,
)
from pbem.matches.competition_terms import CONCURRENT, DOUBLE, TIE_BREAKS
from pbem.matches.lots import drawn
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.meetings import meetings, outcomes
from pbem.matches.standing import Scored, Standing, StandingRow, TieBreak, leaders
from pbem.matches.table import UNPLAYED, Mark, Part, crossed
from pbem.matches.tie_breaks import ALL_MEET, Outcome, ranked, require_known

LEAST = 3
"""Minimum number of players. Two play a series instead."""
NUMBERING = "series and tournaments"
SONNEBORN_BERGER = "sonneborn-berger"

Pair = tuple[int, int]
"""Numbers of two players, from 1. The first one begins."""


def berger(players: int) -> tuple[tuple[Pair, ...], ...]:
    """Return the pairs by round for an even number of players. With an odd number the last has a
    bye.

    A player's and their opponent's numbers add up to the round's number plus one, modulo the number
    of rounds. The player who would meet themselves meets the last player. The lower number begins
    if the sum is odd, the higher if it is even. Against the last player, the lower half begins.
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
    """A round robin. Its players are in the order of their numbers in the table."""

    kind = "tournament"
    numbering = NUMBERING
    announces = (DOUBLE, CONCURRENT, TIE_BREAKS)

    double: bool = field(default=False, kw_only=True)
    """Whether a second cycle follows, with the first move reversed."""
    concurrent: bool = field(default=False, kw_only=True)
    """Whether all matches start at once. Otherwise the rounds follow one another."""
    tie_breaks: Sequence[str] = field(default=(), kw_only=True)
    """Chain of tie-breaks. Empty in tournaments that share places after Sonneborn-Berger."""

    def require_playable(self) -> None:
        """Raise OptionError unless three or more people play a game for two."""
        self.require_for_two()
        if len(self.players) < LEAST:
            raise OptionError(
                "a tournament needs three or more players. Two players can play a series"
            )
        if self.tie_breaks:
            require_known(self.tie_breaks)

    @property
    def least_players(self) -> int:
        """Three."""
        return LEAST

    def begun(self, players: Sequence[PlayerId]) -> RoundRobin:
        """Return the competition as it starts. An announced one shares no places."""
        return replace(self, players=tuple(players), tie_breaks=self.tie_breaks or ALL_MEET)

    @cached_property
    def rounds(self) -> tuple[tuple[tuple[PlayerId, PlayerId], ...], ...]:
        """Pairs by round, without byes. The first player of a pair begins."""
        count = len(self.players)
        cycle = [tuple(pair for pair in pairs if max(pair) <= count) for pairs in berger(count)]
        if self.double:
            cycle += [tuple((b, a) for a, b in pairs) for pairs in cycle]
        return tuple(
            tuple((self.players[a - 1], self.players[b - 1]) for a, b in pairs) for pairs in cycle
        )

    def pairings(self) -> Iterator[Pairing]:
        """Yield all pairings, round by round."""
        index = 0
        for number, pairs in enumerate(self.rounds, 1):
            for pair in pairs:
                index += 1
                yield Pairing(number, index, pair)

    def bye(self, number: int) -> PlayerId | None:
        """Return the player with a bye in a round, None for an even number of players."""
        playing = {player for pair in self.rounds[number - 1] for player in pair}
        return next((player for player in self.players if player not in playing), None)

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the next round, or all matches that remain."""
        if self.concurrent:
            return tuple(remaining(self._to_play(matches), matches))
        return next_round(self._to_play(matches), matches)

    def _to_play(self, matches: Sequence[MatchSummary]) -> Iterator[Pairing]:
        """Yield all pairings but those that a withdrawal decides, because they have not started."""
        begun = {index_of(match) for match in matches}
        for pairing in self.pairings():
            if pairing.index in begun or not self.absent(pairing):
                yield pairing

    def absent(self, pairing: Pairing) -> list[PlayerId]:
        """Return the players of a pairing who have withdrawn before its round."""
        playing = self.in_round(pairing.round)
        return [player for player in pairing.players if player not in playing]

    def left_by(self, player: PlayerId, matches: Sequence[MatchSummary]) -> tuple[PlayerId, ...]:
        """Return the opponents of a player in matches that have not started."""
        return opponents_left(self, remaining(self.pairings(), matches), player)

    @property
    def length(self) -> int:
        """Number of matches if everyone meets everyone."""
        return sum(map(len, self.rounds))

    def played_at_once(self, players: int) -> int:
        """Return the number of opponents, twice if it is double, if all matches start at once."""
        return (players - 1) * (1 + self.double) if self.concurrent else 1

    @property
    def round_total(self) -> int:
        """Number of rounds, unless all matches start at once."""
        return 0 if self.concurrent else len(self.rounds)

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return the cross-table."""
        return (crossed(self.standing(matches).rows, self.unplayed(matches)),)

    def unplayed(
        self, matches: Sequence[MatchSummary]
    ) -> Mapping[tuple[PlayerId, PlayerId], Sequence[Mark]]:
        """Return marks of players against opponents for matches that were decided or void."""
        played = {each.index: each for each in meetings(self, matches)}
        marks = defaultdict[tuple[PlayerId, PlayerId], list[Mark]](list)
        for pairing in self.pairings():
            meeting, (a, b) = played.get(pairing.index), pairing.players
            absent = self.absent(pairing) if meeting is None else []
            for pair in ((a, b), (b, a)):
                if absent:
                    marks[pair].append(Mark(Fraction(pair[0] not in absent), kind=UNPLAYED))
                elif meeting is not None and pair[0] in meeting.players:
                    mark = meeting.mark(pair[0], {})
                    marks[pair] += [mark] if mark.kind else []
        return marks

    def ledger(self, matches: Sequence[MatchSummary]) -> dict[PlayerId, list[Outcome]]:
        """Return the outcomes of each player. A match that a withdrawal decides is won unplayed."""
        played = {each.index: each for each in meetings(self, matches)}
        ledger: dict[PlayerId, list[Outcome]] = {player: [] for player in self.players}
        for pairing in self.pairings():
            meeting, (a, b) = played.get(pairing.index), pairing.players
            absent = self.absent(pairing) if meeting is None and self.entries.withdrawn else []
            for one, other in ((a, b), (b, a)):
                if meeting is not None:
                    ledger[one] += outcomes(meeting, one)
                elif absent:
                    ledger[one].append(Outcome(Fraction(one not in absent), other))
        return ledger

    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Return the players by points, then by the tie-breaks.

        Without a chain these are Sonneborn-Berger and the number in the tournament, and those who
        are level share first place.
        """
        over = all(m.result for m in matches) and len(matches) == len([*self._to_play(matches)])
        if self.tie_breaks or self.entries.withdrawn:
            chain = self.tie_breaks or (SONNEBORN_BERGER,)
            lots = drawn(self.seed, self.players)
            ranks = ranked(self.ledger(matches), chain, lots, self.taking_part)
            return Standing(ranks, over, leaders(ranks) if over else ())
        matches = self.inherited(matches)
        results = {player: scored(player, matches) for player in self.players}
        points = {player: _sum(results[player]) for player in self.players}
        rows = [
            StandingRow(
                player, points[player], results[player], (_tie_break(results[player], points),)
            )
            for player in self.players
        ]
        rows.sort(key=lambda row: (-row.points, -row.tie_breaks[0].value))
        return Standing(tuple(rows), over, leaders(rows) if over else ())


def _sum(results: Sequence[Scored]) -> Fraction:
    return sum((each.points for each in results), Fraction())


def _tie_break(results: Sequence[Scored], points: Mapping[PlayerId, Fraction]) -> TieBreak:
    """Return Sonneborn-Berger: the points of beaten opponents, and half those after a draw."""
    # A substitute may not have entered, and adds nothing.
    worth = (each.points * points.get(each.against[0], Fraction()) for each in results)
    return TieBreak(SONNEBORN_BERGER, sum(worth, Fraction()))


KIND = RoundRobin
