"""Forecast: when a competition will probably end, from how fast its players play.

A match takes the turns that matches of its game took in this club, each as long as the median turn
of the player. The range comes from the quarter of the shortest matches and that of the longest. It
supposes that rounds wait for their slowest match, and knows of no leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.matches.competition import Competition
from pbem.matches.match import MatchSummary, PlayerId

FEWEST = 8
"""Fewest ended matches of a game from which its length is judged."""
LEAST_LEFT = 0.15
"""Least share of a match that is left as long as it is not over."""


class Forecast(NamedTuple):
    """The probable end. Half of all competitions would end between these."""

    early: datetime
    late: datetime

    @property
    def weeks(self) -> int:
        """Length of the range in weeks, at least one."""
        return max(1, round((self.late - self.early) / timedelta(weeks=1)))


@dataclass(frozen=True)
class Paces:
    """How fast people play."""

    turn: Mapping[PlayerId, timedelta]
    """Median time of a turn of each player who is known well enough."""
    lengths: Mapping[int, int]
    """Number of ended matches of the game by their turns."""


def forecast(
    of: Competition, matches: Sequence[MatchSummary], paces: Paces, now: datetime
) -> Forecast | None:
    """Return when it will probably end. None if too little is known."""
    total = sum(paces.lengths.values())
    known = sorted(paces.turn.values())
    if total < FEWEST or len(known) * 2 < len(of.players):
        return None
    usual = known[len(known) // 2]
    short, long = (_quantile(paces.lengths, at * total) for at in (0.25, 0.75))
    ends = [now + _left(of, matches, paces, usual, turns) for turns in (short, long)]
    return Forecast(ends[0], ends[1])


def _quantile(lengths: Mapping[int, int], rank: float) -> int:
    seen = 0
    for turns in sorted(lengths):
        seen += lengths[turns]
        if seen >= rank:
            break
    return turns


def _left(
    of: Competition,
    matches: Sequence[MatchSummary],
    paces: Paces,
    usual: timedelta,
    turns: int,
) -> timedelta:
    """Return how long it takes if each match has this many turns."""

    def turn(players: Sequence[PlayerId]) -> timedelta:
        spent = [paces.turn.get(player, usual) for player in players]
        return sum(spent, timedelta()) / len(spent)

    running = [match for match in matches if match.result is None]
    now = max(
        (max(turns - match.turn, turns * LEAST_LEFT) * turn(match.players) for match in running),
        default=timedelta(),
    )
    begun = max((match.place.round for match in matches if match.place), default=0)
    rounds = of.round_total
    if rounds:
        # Each further round waits for its slowest pair, which is never quicker than a usual one.
        slow = sorted(turn((player,)) for player in of.players)[-max(1, len(of.players) // 4)]
        return now + (rounds - begun) * turns * max(slow, usual)
    unstarted = of.length - len(matches)
    if unstarted <= 0 or not of.players:
        return now
    # They follow one another in as many lines as there are matches in play.
    lines = max(1, len(running))
    return now + -(-unstarted // lines) * turns * usual
