"""Ladders: players challenge those a few rungs above them, and the winner of a challenge moves up.

docs/competitions.md states the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pbem.games.api import OptionError
from pbem.matches.competition import Pairing, index_of
from pbem.matches.competition_terms import Term, day, whole
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.meetings import by_player, meetings, scores
from pbem.matches.open_ended import OpenEnded
from pbem.matches.standing import Standing, StandingRow, TieBreak
from pbem.matches.table import Part, by_standing
from pbem.matches.words import phrase

Challenge = tuple[int, int]
"""Numbers of the challenger and of the player challenged."""


@dataclass(frozen=True)
class Ladder(OpenEnded):
    """A ladder. Its players are in the order of their first rungs, and later entries at its foot.

    Each challenge is a round of its own: match 3 is the third challenge.
    """

    kind = "ladder"
    numbering = "ladders"
    announces = (
        Term("reach", whole("reach", 1, 99), lambda count: phrase("competing.reach", count=count)),
        Term(
            "until",
            day("until"),
            lambda last: (
                phrase("competing.until", day=last) if last else phrase("competing.for-ever")
            ),
        ),
    )

    reach: int = field(default=2, kw_only=True)
    """Most rungs between a challenger and the player challenged."""
    challenges: Sequence[Challenge] = field(default=(), kw_only=True)
    """Challenges in their order."""

    def require_playable(self) -> None:
        """Raise OptionError unless two or more people play a game for two."""
        self.require_for_two()
        if len(self.players) < 2 or self.reach < 1:
            raise OptionError("a ladder needs two or more players, and a reach of at least 1")

    def with_challenge(
        self, challenger: PlayerId, challenged: PlayerId, matches: Sequence[MatchSummary]
    ) -> Ladder:
        """Return the ladder after a challenge. Raises OptionError if it is not possible."""
        if challenged not in self.possible(challenger, matches):
            raise OptionError("you cannot challenge this player now")
        numbers = (self.players.index(challenger) + 1, self.players.index(challenged) + 1)
        return replace(self, challenges=(*self.challenges, numbers))

    def possible(
        self, challenger: PlayerId, matches: Sequence[MatchSummary]
    ) -> tuple[PlayerId, ...]:
        """Return the players whom a player can challenge now, from the highest rung.

        A player is in one challenge at a time, and cannot challenge the player of their last
        match unless they have no one else.
        """
        rungs, busy = self.rungs(matches), self._busy(matches)
        if self.closed or challenger not in rungs or challenger in busy:
            return ()
        at = rungs.index(challenger)
        near = [p for p in rungs[max(0, at - self.reach) : at] if p not in busy]
        earlier = [e for e in self._pairs() if challenger in e]
        others = [p for p in near if not earlier or p not in earlier[-1]]
        return tuple(others or near)

    def challenge(self, index: int) -> tuple[PlayerId, PlayerId]:
        """Return the challenger and the player challenged in a match."""
        return self._pairs()[index - 1]

    def _pairs(self) -> list[tuple[PlayerId, PlayerId]]:
        return [(self.players[one - 1], self.players[two - 1]) for one, two in self.challenges]

    def rung(self, player: PlayerId, matches: Sequence[MatchSummary]) -> int | None:
        """Return the rung of a player, 1 for the highest. None if they have withdrawn."""
        rungs = self.rungs(matches)
        return rungs.index(player) + 1 if player in rungs else None

    def _busy(self, matches: Sequence[MatchSummary]) -> set[PlayerId]:
        over = {index_of(match) for match in matches if match.result is not None}
        running = (pair for index, pair in enumerate(self._pairs(), 1) if index not in over)
        return {player for pair in running for player in pair}

    def rungs(self, matches: Sequence[MatchSummary]) -> tuple[PlayerId, ...]:
        """Return the players from the highest rung to the lowest, without those who withdrew.

        The matches count in the order in which they ended. If the challenger won and is still
        below, they take the rung of the other, and all between move down by one.
        """
        rungs = list(self.players)
        ended = sorted(
            (match.result.ended_at, index_of(match))
            for match in matches
            if match.result is not None
        )
        played, pairs = {each.index: each for each in meetings(self, matches)}, self._pairs()
        for _, index in ended:
            challenger, challenged = pairs[index - 1]
            below = rungs.index(challenger) > rungs.index(challenged)
            if played[index].winner == challenger and below:
                rungs.remove(challenger)
                rungs.insert(rungs.index(challenged), challenger)
        return tuple(player for player in rungs if self._takes_part(player))

    def _takes_part(self, player: PlayerId) -> bool:
        return str(self.players.index(player) + 1) not in self.entries.withdrawn

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return the challenges that have not started. The player challenged begins."""
        begun = {index_of(match) for match in matches}
        return tuple(
            Pairing(index, index, (challenged, challenger))
            for index, (challenger, challenged) in enumerate(self._pairs(), 1)
            if index not in begun
        )

    @property
    def length(self) -> int:
        """Number of challenges so far."""
        return len(self.challenges)

    def parts(self, matches: Sequence[MatchSummary]) -> tuple[Part, ...]:
        """Return the table, with the number of matches that each player plays now."""
        rows = self.rows(matches)
        counts = Counter(
            p for each in meetings(self, matches) if not each.ended for p in each.players
        )
        return (
            by_standing(
                rows,
                played=[Fraction(len(row.scored)) for row in rows],
                running=[Fraction(counts[row.player]) for row in rows],
            ),
        )

    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Return the players by their rungs, with the points of their matches."""
        rungs, of_each = self.rungs(matches), by_player(meetings(self, matches))
        rows = []
        for at, player in enumerate(rungs):
            results = scores(player, of_each.get(player, ()))
            points = sum((each.points for each in results), Fraction())
            breaks = (TieBreak("rung", Fraction(len(rungs) - at)),)
            rows.append(StandingRow(player, points, results, breaks))
        over = self.closed and not self._busy(matches)
        return Standing(tuple(rows), over, rungs[:1] if over else ())


KIND = Ladder
