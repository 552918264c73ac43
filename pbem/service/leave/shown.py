"""Shown: somebody's leave as a mail or the shell tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pbem.matches.leave import Budget, Leave
from pbem.matches.match import Player
from pbem.matches.zones import day_at
from pbem.service.work import Work
from pbem.settings import autoleave

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Year:
    """A year of the calendar."""

    year: int
    left: int
    """Days that can still be taken."""


@dataclass(frozen=True)
class Shown:
    """What there is of it from a moment on."""

    today: date
    now: Leave | None
    """What goes on."""
    goes_on: date | None
    """The day on which time counts again."""
    coming: Sequence[Leave]
    years: Sequence[Year]
    a_year: int
    autoleave: bool
    over: Sequence[int]
    """Matches in which their time was over before: no leave changes that."""
    example: str
    """A line that would be accepted now; empty if there are no days left."""


def shown(work: Work, player: Player, budget: Budget, at: datetime) -> Shown:
    """The leaves of a player, past ones left out."""
    today, now = day_at(at, player.time_zone), budget.at(at)
    later = {leave.last.year for leave in budget.leaves if leave.last > today}
    return Shown(
        today,
        now,
        None if now is None else now.last + DAY,
        budget.coming(at),
        [Year(each, budget.left(each)) for each in sorted({today.year, *later})],
        budget.a_year,
        autoleave.is_on(player),
        _over(work, player, at),
        budget.example(player.time_zone, at),
    )


def _over(work: Work, player: Player, at: datetime) -> Sequence[int]:
    mine = (each for each in work.matches.of_player(player.id) if each.player_to_act == player.id)
    return [each.id for each in mine if each.clock.had_fallen(at)]
