"""Schedule: what does not count for a player in a match, put together of all that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from pbem.matches.clock import Clock
from pbem.matches.match import MatchSummary, Player, SummaryT
from pbem.matches.quiet import Schedule
from pbem.matches.reminders import Reminders
from pbem.matches.rest import USUAL_NIGHTS, Rest
from pbem.service.clocks.change import change_of_player
from pbem.service.clocks.pauses import spans
from pbem.service.play.heartbeat import counted
from pbem.service.work import Work
from pbem.settings import nights, reminders

YEAR = timedelta(days=366)
BACK = timedelta(days=31)
QUIET_AT_MOST = 4
"""How much longer a turn lasts than its time: by nights, weekends, leave and holidays together."""


def schedule_of(
    work: Work, match: MatchSummary, player: Player, at: datetime | None = None
) -> Schedule:
    """What does not count for a player whose turn it is; weekends are for the match's control.

    Leave that was taken once their time was over, which is so at a moment or now, is none here.
    """
    schedule = Schedule(player.time_zone, nights=nights.nights_of(nights.SETTING.of(player)))
    schedule = schedule.on_holidays(_holidays(work, match, player))
    for pause in spans(work, match):
        schedule = schedule.on_leave(*pause)
    too_late = match.clock.had_fallen(at or work.now)
    for leave in work.leaves.of(player.id, match.turn_started_at or work.now):
        known = match.clock.schedule.leave_in(leave.start, leave.end)
        for span in known if too_late else ((leave.start, leave.end),):
            schedule = schedule.on_leave(*span)
    return schedule


def reminders_of(player: Player) -> Reminders:
    """When they want to be reminded, and when they sleep."""
    rest = Rest(player.time_zone, nights.nights_of(nights.SETTING.of(player)) or USUAL_NIGHTS)
    return replace(Reminders.read(reminders.SETTING.of(player)), rest=rest)


def as_chosen(work: Work, match: MatchSummary, player: Player, at: datetime) -> Clock:
    """The clock of a match that runs for a player, by what counts for them from a moment on."""
    clock = match.clock.rescheduled(schedule_of(work, match, player, at), at)
    wanted = reminders_of(player)
    return clock if clock.reminders == wanted else clock.reminded(wanted, at)


def reschedule(work: Work, player: Player, at: datetime | None = None) -> None:
    """Clocks that run for a player go by what counts for them from now on, or from a moment on."""
    since = min(at or work.now, counted(work, work.now))
    change_of_player(work, player.id, lambda match: as_chosen(work, match, player, since))


def rescheduled(work: Work, match: SummaryT, at: datetime) -> SummaryT:
    """A match whose clock goes by what counts for the player to act from a moment on.

    Where nothing else counts than before it is left as it is.
    """
    if match.clock.runs_for is None:
        return match
    player = work.players.get(match.clock.runs_for)
    clock = match.clock.rescheduled(schedule_of(work, match, player, at), at)
    return match if clock.schedule == match.clock.schedule else replace(match, clock=clock)


def _holidays(work: Work, match: MatchSummary, player: Player) -> Sequence[date]:
    """Those of the club that the turn can meet, and more."""
    today, left = work.now.date(), match.clock.account(player.id).bank or timedelta()
    coming = (span for span in spans(work, match) if span.end > work.now)
    paused = (span.end - max(span.start, work.now) for span in coming)
    lasts = YEAR + QUIET_AT_MOST * (left + match.clock.grace) + sum(paused, timedelta())
    return work.club.holidays.within(today - BACK, today + lasts)
