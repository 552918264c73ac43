"""Positions of matches: always a replay, kept in memory so that a long match costs no more."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from pbem.games.api import Position
from pbem.matches.match import Match, MatchSummary, position_of
from pbem.service.ports import Matches

KEPT = 1000
"""Positions kept; a position takes a few kilobytes."""


class Positions:
    """A cache by match, the number of its recorded actions, and how far turns were taken back."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int, int], Position] = OrderedDict()
        self._lock = Lock()

    def of(self, matches: Matches, match: MatchSummary) -> Position:
        """Position of a match as stored; raises ReplayError if it cannot be replayed."""
        key = (match.id, match.actions, match.lead)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        position = position_of(match, matches.recorded(match.id))
        self._remember(match, position)
        return position

    def remember(self, match: Match) -> None:
        """Keeps the position of a match whose actions are committed."""
        self._remember(match, match.position)

    def _remember(self, match: MatchSummary, position: Position) -> None:
        with self._lock:
            self._kept[match.id, match.actions, match.lead] = position
            self._kept.pop((match.id, match.actions - 1, match.lead), None)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
