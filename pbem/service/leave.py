"""Leave: take it, end it, take a day when a flag falls, and tell the other players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import NamedTuple

from pbem.mail.dates.span import DateSpan
from pbem.mail.outgoing.kinds import BackFromLeave, LeaveTaken, Mail, OnLeave
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.time_view import due
from pbem.matches.clock import Clock
from pbem.matches.leave import MOST_AHEAD, Budget, Leave, LeaveError, check, leave_for, rest_of_day
from pbem.matches.match import Match, MatchSummary, Player, PlayerId
from pbem.matches.zones import day_at, start_of
from pbem.service.clocks.schedule import reschedule
from pbem.service.post.post import post, view_of
from pbem.service.waiting_news import keep_sentence
from pbem.service.work import Work
from pbem.settings import autoleave, mails

Taking = Callable[[Player, Budget], Budget]
"""Changes the leave of a player. Raises LeaveError if that is not possible."""


def taking(span: DateSpan, at: datetime) -> Taking:
    """Return a change that takes days off, none of them before the given moment."""

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
    """Return a change that ends the current leave, or cuts the leave around `day` from then on."""

    def come_back(player: Player, budget: Budget) -> Budget:
        if day is None or (day == day_at(at, player.time_zone) and budget.at(at) is not None):
            return budget.ended(player.time_zone, at)
        return budget.given_back(day, player.time_zone, at)

    return come_back


def tried(work: Work, player: Player, taking: Taking, at: datetime) -> Budget:
    """Return the leave that a player would have after a change. Raises LeaveError."""
    return taking(player, budget_of(work, player, at))


def do(work: Work, player: PlayerId, taking: Taking, at: datetime) -> tuple[Budget, Budget]:
    """Change a player's leave. Return it before and after. Raises LeaveError."""
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


class LeaveChange(NamedTuple):
    """A change in a player's leave."""

    leave: Leave
    """The leave as it is now, or as it was if it ends."""
    ends: bool


def changes(before: Budget, after: Budget, at: datetime) -> LeaveChange | None:
    """Return the first change from a moment on, None if there is none."""
    now, then = (_to_come(each, at) for each in (after, before))
    for leave in now:
        if leave not in then:
            return LeaveChange(leave, ends=False)
    return next((LeaveChange(leave, ends=True) for leave in then if leave not in now), None)


def _to_come(budget: Budget, at: datetime) -> list[Leave]:
    return [each for each in budget.leaves if each.end > at]


def tell_leave(work: Work, member: Player, leave: Leave) -> None:
    """Tell opponents that a player is on leave. Automatic leave has no known last day."""
    last = None if leave.auto else leave.last
    _tell(
        work,
        member,
        lambda view, matches, name: OnLeave(view, matches, name, leave.first, last),
    )


def tell_back(work: Work, member: Player, leave: Leave, *, now: bool) -> None:
    """Tell opponents that a player is back early, or cancelled a leave still to come."""
    said = leave.first, leave.last, now
    _tell(work, member, lambda view, matches, name: BackFromLeave(view, matches, name, *said))


def _tell(
    work: Work, member: Player, mail: Callable[[MatchView | None, Sequence[int], str], Mail]
) -> None:
    """Tell everybody once, but in a blind match on its own, without the name."""
    together: defaultdict[tuple[PlayerId, str], list[Match]] = defaultdict(list)
    for match in map(work.whole, work.matches.of_player(member.id)):
        if not match.has_resigned(member.id):
            name = match.name_of_seats(member.id) if match.hides_names else member.name
            for other in match.others(member.id):
                together[other, name].append(match)
    for (other, name), matches in together.items():
        reader = work.players.get(other)
        if reader.gets_mail and not _waits(work, reader, matches, mail(None, [], name)):
            only = view_of(work, matches[0], reader) if len(matches) == 1 else None
            post(work, mail(only, [each.id for each in matches], name), reader)


def _waits(work: Work, reader: Player, matches: Sequence[Match], notice: Mail) -> bool:
    """Keep a notice for a digest if all its matches have one. Return whether it waits."""
    if any(mails.chosen(reader, each) != mails.DIGEST for each in matches):
        return False
    renderer = work.club.club_renderer
    keep_sentence(work, matches[0], reader, renderer.part([f"_{notice.kind}.txt.j2"], notice.data))
    return True


def budget_of(work: Work, player: Player, at: datetime) -> Budget:
    """Return a player's leave in the year of a moment and in all later years."""
    leaves = work.leaves.of(player.id, _since(player, at))
    return Budget(work.club.policy.leave_days, tuple(leaves))


def keep(work: Work, player: Player, budget: Budget, at: datetime) -> None:
    """Store leave in place of what `budget_of` returned for the same moment."""
    work.leaves.put(player.id, budget.leaves, _since(player, at))


def _since(player: Player, at: datetime) -> datetime:
    """Return when the year began in the player's time zone."""
    return start_of(date(day_at(at, player.time_zone).year, 1, 1), player.time_zone)


DAY = timedelta(days=1)


@dataclass(frozen=True)
class Year:
    """The leave budget of a calendar year."""

    year: int
    left: int
    """Days that can still be taken."""


@dataclass(frozen=True)
class Shown:
    """A player's leave from a moment on, for display."""

    today: date
    now: Leave | None
    """The current leave."""
    goes_on: date | None
    """The first day after the current leave."""
    coming: Sequence[Leave]
    years: Sequence[Year]
    a_year: int
    autoleave: bool
    over: Sequence[int]
    """Matches in which the player had already run out of time, which no leave can change."""
    example: str
    """A command that would be accepted now, empty if no days are left."""


def shown(work: Work, player: Player, budget: Budget, at: datetime) -> Shown:
    """Return the current and future leave of a player."""
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


def put_off(work: Work, match: MatchSummary, flag_at: datetime) -> bool:
    """Take a day of leave when a flag falls, if the player can. Return whether that was done.

    The rest of that day is then off time in all matches of the player.
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
        _tell_of_auto(work, later, player, after, leave)
    return True


def _goes_on(clock: Clock, budget: Budget, flag_at: datetime) -> bool:
    """Return whether no time was charged since the last automatic day, so nobody needs a notice."""
    days = [min(each.end, flag_at) for each in budget.leaves if each.auto and each.start <= flag_at]
    return bool(days) and not clock.schedule.counted(max(days), flag_at)


def _tell_of_auto(
    work: Work, match: MatchSummary, player: Player, budget: Budget, leave: Leave
) -> None:
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
