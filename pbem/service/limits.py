"""Limits: how many mails an hour are answered, by sender and by match.

Proven and unproven mails are counted apart: nobody can use up somebody else's allowance.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.matches.match import Player
from pbem.service.bots import is_bot
from pbem.service.club import Club
from pbem.service.ports import InboundMail, UnitOfWork
from pbem.service.sender import Sender

RATE_SPAN = timedelta(hours=1)
TIRING_SPAN = timedelta(days=1)
TIRING = 5
"""Answers "I found no command" in that span, and no more: automatic answers need not say so."""


class Limit(NamedTuple):
    """How many mails an hour are read."""

    mails: int
    of_match: bool
    """All mails about one match, not those of one sender."""

    def __str__(self) -> str:
        return f"over {self.mails} mails an hour"


def limit_passed(club: Club, uow: UnitOfWork, mail: InboundMail, sender: Sender) -> Limit | None:
    """The limit that a mail is over, None if it is over none."""
    if is_bot(club, mail.sender):
        return None
    since = club.clock.now() - RATE_SPAN
    own = _own(uow, mail, sender, since)
    most = club.policy.mails_an_hour
    if 0 < most <= own:
        return Limit(most, of_match=False)
    most = club.policy.match_mails_an_hour
    if sender.match is None or not most or own < _share(sender, most):
        return None
    proven = sender.proof is not None
    count = uow.inbound.count_of_match(sender.match.id, mail.id, since, proven=proven)
    return Limit(most, of_match=True) if most <= count else None


def is_tireless(club: Club, uow: UnitOfWork, player: Player) -> bool:
    """Whether he has been told so often that his mails ask for nothing that he is a robot."""
    since = club.clock.now() - TIRING_SPAN
    return uow.outbox.count(player.address, "no_command", since) >= TIRING


def _own(uow: UnitOfWork, mail: InboundMail, sender: Sender, since: datetime) -> int:
    """Earlier mails of the sender; what is proven is counted for all his addresses together."""
    proven = sender.proof is not None
    addresses = sender.player.addresses if proven else (mail.sender,)
    counts = (uow.inbound.count_from(each, mail.id, since, proven=proven) for each in addresses)
    return sum(counts)


def _share(sender: Sender, most: int) -> float:
    """Mails that a player has in any case, however many the others in his match send."""
    if sender.match is None or sender.proof is None:
        return 0
    return most / len(sender.match.players)
