"""Start: the clock of a match, for the turn that begins."""

from __future__ import annotations

from dataclasses import replace

from pbem.matches.clock import PauseReason
from pbem.matches.match import SummaryT
from pbem.matches.time_over import grace_for
from pbem.service.clocks.pauses import reasons
from pbem.service.clocks.schedule import reminders_of, schedule_of
from pbem.service.play.heartbeat import counted
from pbem.service.work import Work


def start_clock(work: Work, match: SummaryT) -> SummaryT:
    """The match, its clock started for the turn that begins; not for a bot, nor after the end.

    The clock of a player whom no mail reaches is paused, and those of what a director has paused.
    """
    if match.result is not None:  # a director's pause, too, is over with it
        return replace(match, clock=replace(match.clock.stop(work.now), pauses={}))
    started, asked = match.turn_started_at, match.player_to_act
    # Locked: what counts for them may be changing, and who changes it does not see this turn yet.
    player = None if asked is None else work.players.lock(asked)
    if player is not None and player.bot:
        work.jobs.enqueue("bots", match.id)
    if player is None or started is None or player.bot:
        return replace(match, clock=match.clock.stop(counted(work, work.now)))
    # That of somebody who has left runs: when the flag falls, the director hears.
    unreached = () if player.reachable or player.former else (PauseReason.UNREACHABLE,)
    clock = match.clock.start(
        player.id,
        counted(work, started),
        (*unreached, *reasons(work, match)),
        schedule_of(work, match, player),
        reminders_of(player),
        grace_for(match, player.id),
    )
    return replace(match, clock=clock)
