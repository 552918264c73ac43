"""Tournaments: round robins of two-player games by Berger tables.

Source: FIDE Handbook, C.05, Annex 1 (Details of Berger table).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from pbem.matches.cross_table import cross_table_text
from pbem.matches.match import MatchOptions, MatchSummary, PlayerId
from pbem.matches.series import Names

LEAST = 3
"""Players of a round robin; two of them play a series."""

Pairing = tuple[int, int]
"""Numbers of two players, from 1; the first one begins."""


def berger(players: int) -> tuple[tuple[Pairing, ...], ...]:
    """Pairings by round for an even number of players; with an odd one the last has a bye.

    A player's number and his opponent's add up to the round's number plus one, modulo the number of
    rounds; the one who would meet himself meets the last player. The lower number begins where the
    sum is odd, the higher where it is even; against the last the lower half begins.
    """
    last = players + players % 2
    return tuple(_round(number, last) for number in range(1, last))


def _round(number: int, last: int) -> tuple[Pairing, ...]:
    cycle = last - 1
    pivot = next(i for i in range(1, last) if (2 * i - number - 1) % cycle == 0)
    others = [
        _ordered((pivot + step - 1) % cycle + 1, (pivot - step - 1) % cycle + 1)
        for step in range(1, last // 2)
    ]
    return ((pivot, last) if pivot <= last // 2 else (last, pivot), *others)


def _ordered(one: int, other: int) -> Pairing:
    lower, higher = sorted((one, other))
    return (lower, higher) if (one + other) % 2 else (higher, lower)


@dataclass(frozen=True)
class Tournament:
    """A round robin; its players in the order of their numbers in the table."""

    id: int
    game_key: str
    players: tuple[PlayerId, ...]
    options: MatchOptions
    created_at: datetime
    double: bool = False
    """Whether a second cycle follows, with the first move reversed."""
    concurrent: bool = False
    """Whether all matches are played at once; otherwise the rounds follow one another."""

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

    @property
    def pairings(self) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """All pairings, in the order of the matches' numbers."""
        return tuple(pair for pairs in self.rounds for pair in pairs)

    def entry_order(self, index: int) -> tuple[PlayerId, PlayerId]:
        """Players of a match, from 1; the one named first begins."""
        return self.pairings[index - 1]

    def round_of(self, index: int) -> int:
        """Number of the round of a match, both from 1."""
        ends = 0
        for number, pairs in enumerate(self.rounds, 1):
            ends += len(pairs)
            if index <= ends:
                return number
        raise ValueError(f"there is no match {index} in the tournament")

    def bye(self, number: int) -> PlayerId | None:
        """Who does not play in a round; None with an even number of players."""
        playing = {player for pair in self.rounds[number - 1] for player in pair}
        return next((player for player in self.players if player not in playing), None)

    def due(self, matches: Sequence[MatchSummary]) -> tuple[int, ...]:
        """Numbers of the matches to be started now: those of the next round, or all."""
        started = len(matches)
        if started == len(self.pairings):
            return ()
        if self.concurrent:
            return tuple(range(started + 1, len(self.pairings) + 1))
        if any(match.result is None for match in matches):
            return ()
        round_ = self.round_of(started + 1)
        return tuple(
            i for i in range(started + 1, len(self.pairings) + 1) if self.round_of(i) == round_
        )

    def text(self, matches: Sequence[MatchSummary], names: Names, index: int | None = None) -> str:
        """What a mail of match `index` tells of the tournament: its round and the cross-table."""
        head = f"Tournament {self.id}"
        if index is not None:
            round_ = self.round_of(index)
            head += f", round {round_} of {len(self.rounds)}"
            bye = self.bye(round_)
            head += "" if bye is None or self.concurrent else f", bye: {names[bye]}"
        ended = [match for match in matches if match.result is not None]
        table = cross_table_text(self.players, ended, names)
        over = "\n\nThe tournament is over." if len(ended) == len(self.pairings) else ""
        return f"{head}.\n\n{table}{over}"
