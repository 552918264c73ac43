"""Appealing: a player asks the directors to decide something about their match."""

from __future__ import annotations

from datetime import timedelta

from pbem.mail.outgoing.kinds import DirectorAppeal
from pbem.matches.match import Match, Player
from pbem.service.direct.decide import Director, log
from pbem.service.post.post import tell_director
from pbem.service.post.views import view_of
from pbem.service.work import Work

A_DAY = 3
"""Appeals of a player about a match in a day."""
_LOOKED_AT = 100


def may_appeal(work: Work, match: Match, player: Player) -> bool:
    """Whether a player has not appealed often today."""
    since = work.now - timedelta(days=1)
    appeals = [
        each
        for each in work.decisions.newest(_LOOKED_AT, match.id)
        if each.by == player.id and each.at > since and each.line.startswith("appeal ")
    ]
    return len(appeals) < A_DAY


def appeal(work: Work, match: Match, player: Player, text: str) -> None:
    """All directors hear of it, with the match as it stands."""
    tell_director(work, DirectorAppeal(match, player, text, view_of(work, match, player)))
    log(work, Director(player.id), f"appeal {match.id}", text, match.id)
