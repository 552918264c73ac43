"""Budget: the leaves of a member as they are stored, from the year of a moment on."""

from __future__ import annotations

from datetime import date, datetime

from pbem.matches.leave import Budget
from pbem.matches.match import Player
from pbem.matches.zones import day_at, start_of
from pbem.service.work import Work


def budget_of(work: Work, player: Player, at: datetime) -> Budget:
    """Their leaves of the year of a moment and all later ones."""
    leaves = work.leaves.of(player.id, _since(player, at))
    return Budget(work.club.policy.leave_days, tuple(leaves))


def keep(work: Work, player: Player, budget: Budget, at: datetime) -> None:
    """Stores them in place of those that `budget_of` has given for the same moment."""
    work.leaves.put(player.id, budget.leaves, _since(player, at))


def _since(player: Player, at: datetime) -> datetime:
    """When the year began where they are."""
    return start_of(date(day_at(at, player.time_zone).year, 1, 1), player.time_zone)
