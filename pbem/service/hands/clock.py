"""Clock: whose time goes on when a seat goes to somebody else."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.matches.clock import Clock
from pbem.matches.match import Match, Player
from pbem.service.clocks.start import start_clock
from pbem.service.play.heartbeat import counted
from pbem.service.work import Work

FIRST_TURN = timedelta(days=5)
"""What a substitute has at least, or what everybody had at first where that was less."""


def carried_on(work: Work, before: Match, after: Match, owner: Player, at: datetime) -> Match:
    """A match whose seats have gone to somebody, with its clock.

    A turn that is being played is charged to its player, and begins for who goes on with it.
    `owner` is who had the time: a substitute goes on with it, a partner and a bot do not.
    """
    changed = before.player_to_act != after.player_to_act
    clock = after.clock.stop(counted(work, at)) if changed else after.clock
    new = [player for player in after.players if player not in before.players]
    if new and new[0] != owner.id and not work.players.get(new[0]).bot:
        clock = _with_a_turn(clock.handed_over(owner.id, new[0]), new[0], at)
    after = replace(after, clock=clock)
    return start_clock(work, replace(after, turn_started_at=at)) if changed else after


def _with_a_turn(clock: Clock, player: int, at: datetime) -> Clock:
    """Enough for a turn, though nothing was left."""
    bank, opening = clock.account(player).bank, clock.control.opening
    if bank is None or opening is None:
        return clock
    return clock.added(player, max(min(FIRST_TURN, opening) - bank, timedelta()), at)
