"""Flags: what happens when a player runs out of time, with a module for each choice.

`play_on` is for `flag=play-on`. Each module has `fell(work, match, due_at)`, which does what the
players agreed to when the flag falls, or at the end of the grace after it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from importlib import import_module

from pbem.mail.outgoing.kinds import OutOfTime
from pbem.matches.match import Match, MatchSummary
from pbem.matches.match_options import FLAG as CHOICE
from pbem.service.post.post import post, view_of
from pbem.service.work import Work

Fell = Callable[[Work, MatchSummary, datetime], None]


def was_known(match: MatchSummary, due_at: datetime) -> bool:
    """Return whether the player had no time left when the turn began, which its email said."""
    return any(span.start >= due_at for span in match.clock.ran(due_at)[:1])


def tell_late_player(
    work: Work, match: Match, due_at: datetime, *, claimable: bool = False
) -> None:
    """Tell the player to act that they can still move, unless an earlier email said so."""
    if match.clock.grace or was_known(match, due_at):
        return
    assert match.player_to_act is not None, "the match has a player to act"
    late = work.players.get(match.player_to_act)
    post(work, OutOfTime(view_of(work, match, late), claimable), late)


def agreed(match: MatchSummary) -> Fell:
    """Return the function for the choice agreed for a match."""
    name = match.options.of(CHOICE).replace("-", "_")
    fell: Fell = import_module(f"{__name__}.{name}").fell
    return fell
