"""Reached: whether mail reaches the player to act, without which no time of theirs counts.

Their clock may not know yet: their last address can fail while a worker begins their turn.
"""

from __future__ import annotations

from datetime import datetime

from pbem.matches.clock import Clock, PauseReason
from pbem.matches.match import MatchSummary, Player
from pbem.service.work import Work


def clock_of(work: Work, match: MatchSummary) -> Clock:
    """The clock of a match, paused if no mail reaches the player to act."""
    asked = None if match.player_to_act is None else work.players.get(match.player_to_act)
    return match.clock if asked is None else paused(match.clock, unreached_since(work, asked))


def paused(clock: Clock, unreached: datetime | None) -> Clock:
    """The clock of a player whom no mail has reached from a moment on; None: it does."""
    return clock if unreached is None else clock.pause(PauseReason.UNREACHABLE, unreached)


def unreached_since(work: Work, player: Player) -> datetime | None:
    """Since when no mail reaches a player; None if it does, and for who has left."""
    if player.reachable or player.former:
        return None
    addresses = work.players.addresses(player.id)
    return max(each.failed_at for each in addresses if each.failed_at is not None)
