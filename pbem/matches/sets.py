"""Three-person sets: three Lanko matches in which each of three players is solo once.

Source: rulebook, Lanko, "Three-person sets".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pbem.matches.match import MatchOptions, MatchSummary, PlayerId

MATCHES = 3


@dataclass(frozen=True)
class MatchSet:
    """A set; its players in the order of entry A, B, C."""

    id: int
    game_key: str
    players: tuple[PlayerId, PlayerId, PlayerId]
    options: MatchOptions
    created_at: datetime
    concurrent: bool = False
    """Whether its three matches are played at once; otherwise they follow one another."""

    def entry_order(self, index: int) -> tuple[PlayerId, PlayerId, PlayerId]:
        """Players of match 1, 2 or 3 in the order of their seats: S, then W and E, then N.

        Match 1 has A solo (W and E), B on S, C on N; the next ones rotate.
        """
        a, b, c = self.players
        solo, south, north = ((a, b, c), (b, c, a), (c, a, b))[index - 1]
        return south, solo, north

    def solo(self, index: int) -> PlayerId:
        """Who plays alone in match 1, 2 or 3."""
        return self.players[index - 1]


def credits(match: MatchSummary) -> dict[PlayerId, int]:
    """What a finished match is worth to each player: the balance of his side."""
    if match.result is None:
        return {}
    return {player: match.result.scores[match.seats_of(player)[0]] for player in match.players}


@dataclass(frozen=True)
class CrossTable:
    """Standing of a set."""

    rows: tuple[tuple[PlayerId, tuple[int | None, ...], int], ...]
    """Player, his credit in each of the matches (None: not ended), his sum; in order of entry."""
    winners: tuple[PlayerId, ...]
    """Those with the largest sum once all have ended; equal sums share it."""

    @property
    def complete(self) -> bool:
        """Whether all matches have ended."""
        return bool(self.winners)


def cross_table(match_set: MatchSet, matches: Iterable[MatchSummary]) -> CrossTable:
    """Standing after the matches of a set that have been started."""
    by_index: Mapping[int | None, dict[PlayerId, int]] = {
        match.set_index: credits(match) for match in matches
    }
    rows = []
    for player in match_set.players:
        of_player = tuple(by_index.get(i, {}).get(player) for i in range(1, MATCHES + 1))
        rows.append((player, of_player, sum(credit or 0 for credit in of_player)))
    ended = all(credit is not None for _, of_player, _ in rows for credit in of_player)
    best = max(total for _, _, total in rows)
    winners = tuple(player for player, _, total in rows if total == best) if ended else ()
    return CrossTable(tuple(rows), winners)


def next_index(match_set: MatchSet, matches: Iterable[MatchSummary]) -> int | None:
    """Number of the match that has to be started now; None if one is going on or all are done."""
    started = list(matches)
    if match_set.concurrent:
        return len(started) + 1 if len(started) < MATCHES else None
    waiting = all(match.result is not None for match in started)
    return len(started) + 1 if waiting and len(started) < MATCHES else None
