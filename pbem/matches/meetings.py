"""Meetings: the started matches of a competition between two, by entrants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pbem.matches.competition import Competition, game_points, index_of, round_of, takes_part
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.standing import Scored
from pbem.matches.table import Mark
from pbem.matches.tie_breaks import Outcome


@dataclass(frozen=True)
class Meeting:
    """A started match between two entrants."""

    round: int
    index: int
    players: tuple[PlayerId, PlayerId]
    """The first one began."""
    ended: bool = False
    points: tuple[Fraction | None, Fraction | None] = (None, None)
    """Points of the entrants. None as long as it is played, and if it gives them no result.

    A match that does not count gives none, and neither does a seat that others held at the end.
    """
    winner: PlayerId | None = None
    """The entrant whose seat won, whoever held it at the end."""

    def other(self, player: PlayerId) -> PlayerId:
        """Return the opponent of one of its players."""
        first, second = self.players
        return second if player == first else first

    def of(self, player: PlayerId) -> Fraction:
        """Return the points of one of its players."""
        return self.points[self.players.index(player)] or Fraction()

    def mark(self, player: PlayerId, rows: Mapping[PlayerId, int]) -> Mark:
        """Return what a table shows of it for one of its players, given the number of each row."""
        points = self.points[self.players.index(player)]
        kind = "void" if self.ended and points is None else ""
        return Mark(points, rows.get(self.other(player), 0), kind)

    def balance(self, player: PlayerId) -> int:
        """Return 1 for the player who began, -1 for the other one."""
        return 1 if player == self.players[0] else -1


def meetings(competition: Competition, matches: Sequence[MatchSummary]) -> tuple[Meeting, ...]:
    """Return the started matches of a competition between two, by their numbers."""
    of_all = (_meeting(competition, each) for each in competition.inherited(matches))
    return tuple(sorted(of_all, key=lambda each: each.index))


_POINTS = {(True, False): (Fraction(1), Fraction()), (False, True): (Fraction(), Fraction(1))}
_DRAWN = (Fraction(1, 2), Fraction(1, 2))


def _meeting(competition: Competition, match: MatchSummary) -> Meeting:
    index = index_of(match)
    first, second = competition.entrants(match, index)
    if match.result is None:
        return Meeting(round_of(match), index, (first, second))
    counts, winners = match.counts, frozenset(match.result.winners)
    held = match.game.info.holders[2]
    won = (not winners.isdisjoint(held[0]), not winners.isdisjoint(held[1]))
    winner = None if won[0] == won[1] or not counts else first if won[0] else second
    if not counts:
        points: tuple[Fraction | None, Fraction | None] = (None, None)
    elif match.hands.earlier or str(index) in competition.replayed:
        points = (_points(match, first), _points(match, second))
    else:
        points = _POINTS.get(won, _DRAWN)
    return Meeting(round_of(match), index, (first, second), True, points, winner)


def _points(match: MatchSummary, player: PlayerId) -> Fraction | None:
    """Return the points of a player in a match whose seats have changed hands."""
    involved = player in match.players or any(
        spell.player == player for spell in match.hands.earlier
    )
    return game_points(match, player) if involved and takes_part(match, player) else None


def by_player(played: Iterable[Meeting]) -> Mapping[PlayerId, Sequence[Meeting]]:
    """Return the meetings of each player, in their order. Players without any have none."""
    found = defaultdict[PlayerId, list[Meeting]](list)
    for each in played:
        for player in each.players:
            found[player].append(each)
    return found


def outcomes(meeting: Meeting, player: PlayerId) -> list[Outcome]:
    """Return what a player got from a meeting, in a list that is empty until it has ended.

    If it gives the player no result, the two have still met, for no points.
    """
    if not meeting.ended:
        return []
    points = meeting.points[meeting.players.index(player)]
    index = 0 if points is None else meeting.index
    return [Outcome(points or Fraction(), meeting.other(player), index)]


def scores(player: PlayerId, played: Iterable[Meeting]) -> tuple[Scored, ...]:
    """Return the results of a player from their meetings."""
    points = ((each, each.points[each.players.index(player)]) for each in played)
    return tuple(
        Scored(each.index, (each.other(player),), worth)
        for each, worth in points
        if worth is not None
    )
