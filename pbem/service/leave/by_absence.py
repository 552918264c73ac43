"""By absence: leave that an out-of-office answer opens, for those who have it so."""

from __future__ import annotations

from datetime import datetime

from pbem.mail.dates.away import days_away
from pbem.mail.outgoing.kinds import LeaveTaken
from pbem.matches.leave import Budget, Leave, leave_for
from pbem.matches.match import Player
from pbem.matches.zones import day_at
from pbem.ports.people import AbsenceNotice
from pbem.service.leave.budget import budget_of
from pbem.service.leave.taking import do
from pbem.service.members.often import LEAVE as OFTEN, free_at, note
from pbem.service.post.post import post
from pbem.service.work import Work
from pbem.settings import absence


def open_leave(work: Work, player: Player, notice: AbsenceNotice, at: datetime) -> bool:
    """Whether a notice opens leave: on the days that it names, as far as there are any left."""
    if not absence.opens_leave(player) or player.former:
        return False
    days = days_away(notice.subject, notice.text, day_at(at, player.time_zone))
    if days is None:
        return False
    wanted = leave_for(*days, player.time_zone, at)
    leave = budget_of(work, player, at).as_much_of(wanted, player.time_zone)
    if leave is None or free_at(work, player.id, OFTEN):
        return False
    before, after = do(work, player.id, lambda _, budget: budget.taken(leave), at)
    if after != before:
        note(work, player.id, OFTEN)
        _tell(work, player, after, leave, shorter=leave.last < days.last)
    return True


def _tell(work: Work, player: Player, budget: Budget, leave: Leave, *, shorter: bool) -> None:
    year = leave.last.year
    left = budget.left(year)
    told = LeaveTaken(None, "absence", leave.first, leave.last, year, left, shorter)
    post(work, told, player)
