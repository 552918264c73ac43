"""Overview: everything that emails, pages and books show of a competition, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from pbem.matches.announcement import Phase
from pbem.matches.certain import Certain, certain
from pbem.matches.competition import Competition, ended, index_of, round_of
from pbem.matches.competitions.knock_out import KnockOut
from pbem.matches.competitions.swiss import Swiss
from pbem.matches.competitions.team_match import TeamMatch
from pbem.matches.forecast import Forecast, Paces, forecast
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.standing import Standing
from pbem.matches.table import ROUND, Column, Part, Row, Table

MOST_STEPS = 16
"""Most places of one player in a course."""


MOST_LINED = 12
"""Most players whose places are shown over time."""


class Step(NamedTuple):
    """A moment in a course: after a round, or after so many matches."""

    number: int
    places: Mapping[PlayerId, int]


@dataclass(frozen=True)
class Course:
    """The places of the players over time."""

    by_round: bool
    """Whether the steps are rounds. Otherwise they are numbers of matches that have ended."""
    steps: Sequence[Step]

    def first(self, most: int) -> list[PlayerId]:
        """Return the first players in the end, at most so many."""
        last = self.steps[-1].places
        return sorted(last, key=lambda player: last[player])[:most]

    @property
    def table(self) -> Table:
        """The places of the first players as a table."""
        columns = tuple(Column(ROUND, step.number) for step in self.steps)
        return Table(
            columns,
            tuple(
                Row(player, tuple(Fraction(step.places[player]) for step in self.steps), place)
                for place, player in enumerate(self.first(MOST_LINED), 1)
            ),
        )


@dataclass(frozen=True)
class Overview:
    """A competition and its matches so far, of those that the reader may see."""

    of: Competition
    matches: Sequence[MatchSummary]
    """The started matches, in order."""
    paces: Paces | None = None
    """How fast its players play. None if nobody asked."""
    now: datetime | None = None

    @cached_property
    def standing(self) -> Standing:
        """The current standing. One that was called off after its start has no winners."""
        standing = self.of.standing(self.matches)
        return replace(standing, over=False, winners=()) if self.stopped else standing

    @property
    def stopped(self) -> bool:
        """Whether it was called off after its start."""
        return self.of.announcement is not None and self.of.announcement.phase is Phase.STOPPED

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Tables, bracket or boards."""
        return self.of.parts(self.matches)

    @property
    def ended(self) -> int:
        """Number of matches that have ended."""
        return len(ended(self.matches))

    @property
    def running(self) -> int:
        """Number of matches in play."""
        return len(self.matches) - self.ended

    @property
    def round(self) -> int:
        """The latest round that has started, 0 if rounds do not follow one another."""
        return max(map(round_of, self.matches), default=0) if self.of.round_total else 0

    @property
    def ended_early(self) -> bool:
        """Whether it is a Swiss tournament that is over before its last round."""
        return isinstance(self.of, Swiss) and self.standing.over and self.round < self.of.rounds

    @cached_property
    def certain(self) -> Certain:
        """Who is sure of winning, and who has lost every chance. Empty at the start and the end."""
        if not self.ended or self.standing.over or self.stopped:
            return Certain()
        return certain(self.of, self.matches)

    @cached_property
    def forecast(self) -> Forecast | None:
        """When it will probably end. None if it is not known or not asked."""
        if self.paces is None or self.now is None or self.standing.over or not self.of.has_end:
            return None
        if self.stopped:
            return None
        return forecast(self.of, self.matches, self.paces, self.now)

    @cached_property
    def course(self) -> Course | None:
        """The places after each round, or after some numbers of matches. None if it has just begun.

        A knock-out and a team match have none, since their players are in no order of points.
        """
        if isinstance(self.of, KnockOut | TeamMatch) or len(self.of.players) < 3:
            return None
        by_round = self.of.round_total > 1
        moments = self._rounds() if by_round else self._counts()
        steps = [Step(number, self._places(matches)) for number, matches in moments]
        return Course(by_round, steps) if len(steps) > 1 else None

    def _rounds(self) -> list[tuple[int, list[MatchSummary]]]:
        """Return the matches up to each round of which one has ended."""
        over = ended(self.matches)
        last = max(map(round_of, over), default=0)
        return [(n, [m for m in over if round_of(m) <= n]) for n in range(1, last + 1)]

    def _counts(self) -> list[tuple[int, list[MatchSummary]]]:
        """Return the matches that ended first, in numbers of equal distances."""
        over = sorted(ended(self.matches), key=_end)
        every = -(-len(over) // MOST_STEPS) or 1
        counts = [*range(len(over), 0, -every)][::-1]
        return [(count, sorted(over[:count], key=index_of)) for count in counts]

    def _places(self, matches: Sequence[MatchSummary]) -> Mapping[PlayerId, int]:
        return {row.player: place for place, row in enumerate(self.of.rows(matches), 1)}


def _end(match: MatchSummary) -> tuple[datetime, int]:
    assert match.result is not None, "only ended matches are asked"
    return match.result.ended_at, match.id
