"""Schedule: what does not count for a player in a match, put together of all that says so."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.clock import Clock
from pbem.matches.match import MatchSummary, Player
from pbem.matches.quiet import Schedule
from pbem.matches.reminders import Reminders
from pbem.service.clocks.change import change_of_player
from pbem.service.play.heartbeat import counted
from pbem.service.work import Work
from pbem.settings import nights, reminders


def schedule_of(work: Work, match: MatchSummary, player: Player) -> Schedule:
    """What does not count for a player whose turn it is; weekends are for the match's control."""
    del work, match
    return Schedule(player.time_zone, nights=nights.nights_of(nights.SETTING.of(player)))


def reminders_of(player: Player) -> Reminders:
    """When they want to be reminded."""
    return Reminders.read(reminders.SETTING.of(player))


def as_chosen(work: Work, match: MatchSummary, player: Player, at: datetime) -> Clock:
    """The clock of a match that runs for a player, by what counts for them from a moment on."""
    clock = match.clock.rescheduled(schedule_of(work, match, player), at)
    wanted = reminders_of(player)
    return clock if clock.reminders == wanted else clock.reminded(wanted, at)


def reschedule(work: Work, player: Player) -> None:
    """Clocks that run for a player go by what counts for them from now on."""
    at = counted(work, work.now)
    change_of_player(work, player.id, lambda match: as_chosen(work, match, player, at))
