"""Reached: whether mail reaches the player to act, without which no time of theirs counts."""

from __future__ import annotations

from pbem.matches.clock import Clock, PauseReason
from pbem.matches.match import MatchSummary
from pbem.service.work import Work


def clock_of(work: Work, match: MatchSummary) -> Clock:
    """The clock of a match, paused if no mail reaches the player to act.

    It may not be yet: their last address can fail while a worker begins their turn.
    """
    asked = None if match.player_to_act is None else work.players.get(match.player_to_act)
    if asked is None or asked.reachable or asked.former:
        return match.clock
    addresses = work.players.addresses(asked.id)
    unreached_since = max(each.failed_at for each in addresses if each.failed_at is not None)
    return match.clock.pause(PauseReason.UNREACHABLE, unreached_since)
