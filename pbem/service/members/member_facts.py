"""Member facts: what directors see of one member, by email and on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pbem.mail.bounce.failure import one_line
from pbem.mail.topic import match_of
from pbem.matches.match import Player
from pbem.ports.outbox import TroubledMail
from pbem.service.leave import budget_of, shown
from pbem.service.people import is_director
from pbem.service.post.post import UNREACHABLE
from pbem.service.reliability import banned_until, reliability
from pbem.service.work import Work

NOTICES_SHOWN = 10
LOOKED_BACK = timedelta(days=30)
"""Older emails are not listed."""
MOST_SHOWN = 10


def member_facts(work: Work, player: Player) -> dict[str, Any]:
    """Return addresses, reliability, leave, matches in play, failed emails and absence notices."""
    budget = budget_of(work, player, work.now)
    return {
        "player": player,
        "member": player.name,
        "director": is_director(work.club, player),
        "addresses": work.players.addresses(player.id),
        "has": None if player.bot else reliability(work, player, work.now),
        "banned_until": banned_until(work, player),
        "leave": None if player.bot else shown(work, player, budget, work.now),
        "matches": work.matches.of_player(player.id),
        "days": LOOKED_BACK.days,
        "undelivered": undelivered(
            work.outbox.troubled(work.now - LOOKED_BACK, MOST_SHOWN, player.id)
        ),
        "absences": work.absences.of(player.id, NOTICES_SHOWN),
    }


class UndeliveredMail(NamedTuple):
    """An email that was refused."""

    queued_at: datetime
    kind: str
    match: int | None
    recipient: str
    again: bool
    """Whether it will be tried again."""
    why: str
    """The server's words in one line. Empty if no address of the player accepted email."""


def undelivered(mails: Iterable[TroubledMail]) -> Sequence[UndeliveredMail]:
    """Return which email each is, what happened to it, and why."""
    return [
        UndeliveredMail(
            each.queued_at,
            each.kind,
            match_of(each.topic),
            each.recipient,
            each.failed_at is None,
            "" if each.reply == UNREACHABLE else one_line(each.reply),
        )
        for each in mails
    ]
