"""Taking: a member goes on leave, or is back; their clocks go by it, who plays along hears."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import NamedTuple

from pbem.mail.dates.span import Span
from pbem.mail.outgoing.kinds import BackFromLeave, Mail, OnLeave
from pbem.mail.outgoing.match_view import MatchView
from pbem.matches.leave import Budget, Leave, LeaveError, check, leave_for
from pbem.matches.match import Match, Player, PlayerId
from pbem.matches.zones import day_at
from pbem.service.clocks.schedule import reschedule
from pbem.service.leave.budget import budget_of, keep
from pbem.service.post.post import post
from pbem.service.post.views import view_of
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


def tell_leave(work: Work, member: Player, leave: Leave) -> None:
    """They are on leave from one day to another; taken by itself, for nobody knows how long."""
    last = None if leave.auto else leave.last
    _tell(
        work,
        member,
        lambda view, matches: OnLeave(view, matches, member.name, leave.first, last),
    )


def tell_back(work: Work, member: Player, leave: Leave, *, now: bool) -> None:
    """They are back before it was over, or do not go."""
    said = member.name, leave.first, leave.last, now
    _tell(work, member, lambda view, matches: BackFromLeave(view, matches, *said))


def _tell(
    work: Work, member: Player, mail: Callable[[MatchView | None, Sequence[int]], Mail]
) -> None:
    together: defaultdict[PlayerId, list[Match]] = defaultdict(list)
    for match in map(work.whole, work.matches.of_player(member.id)):
        if not match.has_resigned(member.id):
            for other in match.others(member.id):
                together[other].append(match)
    for other, matches in together.items():
        reader = work.players.get(other)
        if reader.gets_mail:
            only = view_of(work, matches[0], reader) if len(matches) == 1 else None
            post(work, mail(only, [each.id for each in matches]), reader)
