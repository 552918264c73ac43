"""Reached: whether mail reaches the player to act; else no time of theirs counts.

Their clock may not know yet: their last address can fail while a worker begins their turn, and so
can a pause of the club begin.
"""

from __future__ import annotations

from datetime import datetime

from pbem.matches.clock import Clock, PauseReason
from pbem.matches.match import MatchSummary, Player
from pbem.service.clocks.pauses import paused_with_all
from pbem.service.work import Work


def clock_of(work: Work, match: MatchSummary) -> Clock:
    """The clock of a match, paused where mail reaches nobody, or a director has it so."""
    asked = None if match.player_to_act is None else work.players.get(match.player_to_act)
    return paused(work, match, None if asked is None else unreached_since(work, asked))


def paused(work: Work, match: MatchSummary, unreached: datetime | None) -> Clock:
    """The same where it is known since when no mail reaches that player; None: it does."""
    clock = paused_with_all(work, match)
    return clock if unreached is None else clock.pause(PauseReason.UNREACHABLE, unreached)


def unreached_since(work: Work, player: Player) -> datetime | None:
    """Since when no mail reaches a player; None if it does, and for who has left."""
    if player.reachable or player.former:
        return None
    addresses = work.players.addresses(player.id)
    return max(each.failed_at for each in addresses if each.failed_at is not None)
