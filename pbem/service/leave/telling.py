"""Telling: who plays along with somebody hears once of their leave, whatever they play together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from pbem.mail.outgoing.kinds import BackFromLeave, Mail, OnLeave
from pbem.mail.outgoing.match_view import MatchView
from pbem.matches.leave import Leave
from pbem.matches.match import Match, Player, PlayerId
from pbem.service.post.post import post
from pbem.service.post.views import view_of
from pbem.service.work import Work


def tell_leave(work: Work, member: Player, leave: Leave) -> None:
    """They are on leave from one day to another; taken by itself, for nobody knows how long."""
    last = None if leave.auto else leave.last
    _tell(
        work,
        member,
        lambda view, matches: OnLeave(view, matches, member.name, leave.first, last),
    )


def tell_back(work: Work, member: Player, leave: Leave, *, now: bool) -> None:
    """They are back before it was over, or do not go."""
    said = member.name, leave.first, leave.last, now
    _tell(work, member, lambda view, matches: BackFromLeave(view, matches, *said))


def _tell(
    work: Work, member: Player, mail: Callable[[MatchView | None, Sequence[int]], Mail]
) -> None:
    together: defaultdict[PlayerId, list[Match]] = defaultdict(list)
    for match in map(work.whole, work.matches.of_player(member.id)):
        if not match.has_resigned(member.id):
            for other in match.others(member.id):
                together[other].append(match)
    for other, matches in together.items():
        reader = work.players.get(other)
        if reader.gets_mail:
            only = view_of(work, matches[0], reader) if len(matches) == 1 else None
            post(work, mail(only, [each.id for each in matches]), reader)
