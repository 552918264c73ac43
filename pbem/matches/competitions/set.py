"""Three-person sets: three Lanko matches in which each of three players is solo once.

Source: rulebook, Lanko, "Three-person sets".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pbem.games import game_of
from pbem.games.api import OptionError
from pbem.matches.competition import (
    Competition,
    Pairing,
    ended,
    index_of,
    next_round,
    remaining,
    takes_part,
)
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.score import opponents_of, seat_held, share_of
from pbem.matches.standing import Scored, Standing, StandingRow, leaders
from pbem.matches.table import Part, by_match

MATCHES = 3


@dataclass(frozen=True)
class MatchSet(Competition):
    """A set. Its players A, B and C are in the order of entry."""

    kind = "set"
    numbering = "sets"

    concurrent: bool = field(default=False, kw_only=True)
    """Whether its three matches start at once. Otherwise they follow one another."""

    def require_playable(self) -> None:
        """Raise OptionError unless three people play a game in which two are partners."""
        sides = game_of(self.game_key).info.sides.get(MATCHES, ())
        if len(self.players) != MATCHES or not any(len(side) == 2 for side in sides):
            raise OptionError("a set is three matches of Lanko between three players")

    def pairings(self) -> Iterator[Pairing]:
        """Yield the matches with players in the order of their seats: S, then W and E, then N.

        Match 1 has A solo (W and E), B on S, C on N. The others rotate.
        """
        a, b, c = self.players
        for index, (south, solo, north) in enumerate(((b, a, c), (c, b, a), (a, c, b)), 1):
            yield Pairing(index, index, (south, solo, north))

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the next match, or all that remain."""
        if self.concurrent:
            return tuple(remaining(self.pairings(), matches))
        return next_round(self.pairings(), matches)

    def solo(self, index: int) -> PlayerId:
        """Return the solo player of match 1, 2 or 3."""
        return self.players[index - 1]

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return the credits from each match."""
        return (by_match(self.standing(matches).rows, range(1, MATCHES + 1)),)

    @property
    def length(self) -> int:
        """Three matches."""
        return MATCHES

    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Return the players in the order of entry, with their credits. The largest sum wins."""
        matches = self.inherited(matches)
        rows = []
        for player in self.players:
            credits = tuple(
                credit(match, player) for match in ended(matches) if takes_part(match, player)
            )
            rows.append(
                StandingRow(player, sum((each.points for each in credits), Fraction()), credits)
            )
        over = len(ended(matches)) == MATCHES
        best = sorted(rows, key=lambda row: -row.points)
        return Standing(tuple(rows), over, leaders(best) if over else ())


def credit(match: MatchSummary, player: PlayerId) -> Scored:
    """Return a player's credit from an ended match: the balance of their side, or a share of it."""
    assert match.result is not None, "only ended matches count"
    credit = match.result.scores[seat_held(match, player)] * share_of(match, player)
    return Scored(index_of(match), opponents_of(match, player), credit)


KIND = MatchSet
