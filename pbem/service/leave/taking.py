"""Taking: a member goes on leave, or is back; their clocks go by it, who plays along hears."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import NamedTuple

from pbem.mail.dates.span import Span
from pbem.matches.leave import Budget, Leave, LeaveError, check, leave_for
from pbem.matches.match import Player, PlayerId
from pbem.matches.zones import day_at
from pbem.service.clocks.schedule import reschedule
from pbem.service.leave.budget import budget_of, keep
from pbem.service.leave.telling import tell_back, tell_leave
from pbem.service.work import Work

Taking = Callable[[Player, Budget], Budget]
"""What becomes of the leaves of somebody; raises LeaveError."""


def taking(span: Span, at: datetime) -> Taking:
    """Days off, none of them before a moment."""

    def take(player: Player, budget: Budget) -> Budget:
        leave = leave_for(*span, player.time_zone, at)
        try:
            check(leave, player.time_zone, at)
            return budget.taken(leave)
        except LeaveError as error:
            line = budget.example(player.time_zone, at, span)
            raise LeaveError(error.reason, line) from error

    return take


def coming_back(at: datetime, day: date | None = None) -> Taking:
    """The leave that goes on ends; or the one in which a day lies, from that day on."""

    def come_back(player: Player, budget: Budget) -> Budget:
        if day is None or (day == day_at(at, player.time_zone) and budget.at(at) is not None):
            return budget.ended(player.time_zone, at)
        return budget.given_back(day, player.time_zone, at)

    return come_back


def tried(work: Work, player: Player, taking: Taking, at: datetime) -> Budget:
    """What would become of their leaves; raises LeaveError."""
    return taking(player, budget_of(work, player, at))


def do(work: Work, player: PlayerId, taking: Taking, at: datetime) -> tuple[Budget, Budget]:
    """Does it; returns their leaves before and after it. Raises LeaveError."""
    member = work.players.lock(player)
    before = budget_of(work, member, at)
    after = taking(member, before)
    change = changes(before, after, at)
    if change is not None:
        keep(work, member, after, at)
        reschedule(work, member, at)
        if change.ends:
            tell_back(work, member, change.leave, now=change.leave.start <= at)
        else:
            tell_leave(work, member, change.leave)
    return before, after


class Change(NamedTuple):
    """What is another in the leaves of somebody."""

    leave: Leave
    """As it is now, or as it was if it ends."""
    ends: bool


def changes(before: Budget, after: Budget, at: datetime) -> Change | None:
    """What is another from a moment on; None if nothing is."""
    now, then = (_to_come(each, at) for each in (after, before))
    for leave in now:
        if leave not in then:
            return Change(leave, ends=False)
    return next((Change(leave, ends=True) for leave in then if leave not in now), None)


def _to_come(budget: Budget, at: datetime) -> list[Leave]:
    return [each for each in budget.leaves if each.end > at]
