"""Taking: a member goes on leave, or is back; their clocks go by it, who plays along hears."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

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
        check(leave, player.time_zone, at)
        try:
            return budget.taken(leave)
        except LeaveError as error:
            fits = budget.as_much_of(leave, player.time_zone)
            line = f"leave {fits.first} {fits.last}" if fits else ""
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
    if after != before:
        keep(work, member, after, at)
        reschedule(work, member, at)
        _tell(work, member, before, after, at)
    return before, after


def _tell(work: Work, member: Player, before: Budget, after: Budget, at: datetime) -> None:
    """Those who play along hear of each leave that is another now, and of what is given back."""
    for leave in _new(before, after):
        if leave.end > at:
            tell_leave(work, member, leave)
    left_out = [each for each in _new(after, before) if each.end > at]
    if left_out and not [each for each in _new(before, after) if each.end > at]:
        tell_back(work, member, left_out[0], now=left_out[0].start <= at)


def _new(before: Budget, after: Budget) -> list[Leave]:
    return [each for each in after.leaves if each not in before.leaves]
