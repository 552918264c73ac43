"""A toy competition: a cup of four, in which drawn matches are replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pbem.games.api import OptionError
from pbem.matches.competition import Competition, Pairing, index_of, scored
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.standing import Standing, StandingRow


@dataclass(frozen=True)
class Cup(Competition):
    """The first plays the fourth, the second the third, and the winners play each other."""

    kind = "cup"
    numbering = "cups"

    def require_playable(self) -> None:
        """Require four people."""
        if len(self.players) != 4:
            raise OptionError("a cup is for four")

    def due(self, matches: Sequence[MatchSummary]) -> tuple[Pairing, ...]:
        """Return one match for each pair that has no winner and no running match."""
        rounds = ((1, pair) for pair in self._semi_finals())
        final = tuple(self._winner(pair, matches) for pair in self._semi_finals())
        known = tuple(player for player in final if player is not None)
        wanted = [*rounds, *([(2, known)] if len(known) == 2 else [])]
        due = [(number, pair) for number, pair in wanted if self._is_due(pair, matches)]
        return tuple(
            Pairing(number, len(matches) + at, pair) for at, (number, pair) in enumerate(due, 1)
        )

    def _semi_finals(self) -> tuple[tuple[PlayerId, PlayerId], ...]:
        a, b, c, d = self.players
        return (a, d), (b, c)

    def _winner(
        self, pair: tuple[PlayerId, ...], matches: Sequence[MatchSummary]
    ) -> PlayerId | None:
        between = (match for match in matches if set(match.players) == set(pair))
        return next((m.sole_winner for m in between if m.sole_winner is not None), None)

    def _is_due(self, pair: tuple[PlayerId, ...], matches: Sequence[MatchSummary]) -> bool:
        between = [match for match in matches if set(match.players) == set(pair)]
        ended = all(match.result is not None for match in between)
        return ended and self._winner(pair, matches) is None

    @property
    def length(self) -> int:
        """Return three plus the number of replayed matches."""
        return 3

    def standing(self, matches: Sequence[MatchSummary]) -> Standing:
        """Rank by wins. The winner of the final wins the cup."""
        rows = [
            StandingRow(player, sum((each.points for each in results), Fraction()), results)
            for player in self.players
            for results in [scored(player, matches)]
        ]
        rows.sort(key=lambda row: -row.points)
        final = max(matches, key=index_of, default=None)
        last = final is not None and final.place is not None and final.place.round == 2
        winner = final.sole_winner if last and final is not None else None
        return Standing(tuple(rows), winner is not None, () if winner is None else (winner,))


KIND = Cup
