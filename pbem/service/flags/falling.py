"""Falling: let a flag fall. If there is grace, notify the player and a partner."""

from __future__ import annotations

from pbem.mail.outgoing.kinds import OutOfTime
from pbem.matches.match import Match, MatchSummary
from pbem.matches.time_control import FLAG, Due
from pbem.matches.time_over import grace_for
from pbem.service.flags import agreed, was_known
from pbem.service.play.change import flag_fell
from pbem.service.post.post import post, view_of
from pbem.service.takeovers.change import partner_of
from pbem.service.takeovers.vacancies import offer_to_partner
from pbem.service.work import Work


def see_to(work: Work, match: MatchSummary, due: Due) -> None:
    """Handle a flag fall, or the end of the grace after it."""
    if due.kind == FLAG:
        match = flag_fell(work, match, due.due_at)
    if due.kind != FLAG or not match.clock.grace:
        agreed(match)(work, match, due.due_at)
    else:
        _tell_of_grace(work, work.whole(match), due)


def _tell_of_grace(work: Work, match: Match, due: Due) -> None:
    """Tell the player how long they have, or the whole table if a partner may take over."""
    assert match.player_to_act is not None, "the match has a player to act"
    late = work.players.get(match.player_to_act)
    if grace_for(match, late.id) and partner_of(work, match, late) is not None:
        offer_to_partner(work, match, late)
    elif not was_known(match, due.due_at):
        post(work, OutOfTime(view_of(work, match, late)), late)
