"""`flag=claim`: opponents may claim the match or wait. A late turn counts."""

from __future__ import annotations

from datetime import datetime

from pbem.mail.outgoing.kinds import AskedToClaim
from pbem.matches.match import MatchSummary
from pbem.matches.time_over import draws_on_time, lose_on_time, opponents
from pbem.service.flags import director, tell_late_player
from pbem.service.people import names_in
from pbem.service.post.post import post, view_of
from pbem.service.work import Work


def fell(work: Work, match: MatchSummary, due_at: datetime) -> None:
    """Ask each opponent. Asks the director instead if no opponent is a person."""
    whole = work.whole(match)
    assert whole.player_to_act is not None, "the match has a player to act"
    late = work.players.get(whole.player_to_act)
    asked = [each for each in map(work.players.get, opponents(whole, late.id)) if each.gets_mail]
    if not asked:
        director.fell(work, match, due_at)
        return
    names = names_in(work, whole)
    side = [names[each] for each in whole.side_of(late.id)]
    play_on = lose_on_time(whole, late.id, work.now).match.result is None
    draw = draws_on_time(whole, late.id)
    for each in asked:
        view = view_of(work, whole, each)
        post(work, AskedToClaim(view, names[late.id], side, play_on, draw), each)
    tell_late_player(work, whole, due_at, claimable=True)
