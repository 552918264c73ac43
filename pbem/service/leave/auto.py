"""Auto: a day of leave in place of a fallen flag, for those who have it so."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pbem.mail.outgoing.due import due
from pbem.mail.outgoing.kinds import LeaveTaken
from pbem.matches.clock import Clock
from pbem.matches.leave import MOST_AHEAD, Budget, Leave, leave_for, rest_of_day
from pbem.matches.match import MatchSummary, Player
from pbem.service.clocks.schedule import reschedule
from pbem.service.leave.budget import budget_of, keep
from pbem.service.leave.taking import tell_leave
from pbem.service.post.post import post
from pbem.service.post.views import view_of
from pbem.service.work import Work
from pbem.settings import autoleave


def put_off(work: Work, match: MatchSummary, flag_at: datetime) -> bool:
    """Whether a day of leave is taken at the fall of a flag, which falls later then.

    The rest of that day is quiet in all matches of the player.
    """
    asked = match.player_to_act
    if asked is None or not autoleave.was_on(work.players.get(asked), flag_at):
        return False
    player = work.players.lock(asked)
    budget = budget_of(work, player, flag_at)
    leave = rest_of_day(flag_at, player.time_zone)
    if player.former or not budget.has_room_for(leave):
        return False
    after = budget.taken(leave)
    keep(work, player, after, flag_at)
    later = replace(match, clock=match.clock.put_off(leave.end))
    work.matches.save_clocks([later])
    reschedule(work, player, flag_at)
    if not _goes_on(match.clock, budget, flag_at):
        _tell(work, later, player, after, leave)
    return True


def _goes_on(clock: Clock, budget: Budget, flag_at: datetime) -> bool:
    """Whether no time has counted since the last such day: then it is no news."""
    days = [min(each.end, flag_at) for each in budget.leaves if each.auto and each.start <= flag_at]
    return bool(days) and not clock.schedule.counted(max(days), flag_at)


def _tell(work: Work, match: MatchSummary, player: Player, budget: Budget, leave: Leave) -> None:
    view, zone, year = view_of(work, work.whole(match), player), player.time_zone, leave.first.year
    ahead = leave_for(leave.first, leave.first + MOST_AHEAD, zone, leave.start)
    following = budget.as_much_of(ahead, zone)
    told = LeaveTaken(
        view,
        "flag",
        leave.first,
        leave.last,
        year,
        budget.left(year),
        until=due(leave.end, zone, work.now),
        at_most=None if following in (None, ahead) else following.last,
    )
    post(work, told, player)
    tell_leave(work, player, leave)
