"""Limits: how many mails an hour are read, and how many are answered that change nothing.

Proven and unproven mails are counted apart: nobody can use up somebody else's allowance.
"""

from __future__ import annotations

from datetime import timedelta
from enum import Enum
from typing import NamedTuple

from pbem.inbox.proof.sender import AnySender
from pbem.mail.outgoing.kinds import Confirm
from pbem.mail.topic import MembershipTopic, TopicKey, match_key
from pbem.matches.match import MatchSummary, Player
from pbem.service.ports import RETRIED, InboundMail, Provenance
from pbem.service.questions import CHANGES, waiting
from pbem.service.work import Work

RATE_SPAN = timedelta(hours=1)
VAIN_SPAN = timedelta(days=1)
MOST_IN_VAIN = 10
"""Answers to a sender in that span to mails that change nothing; the last one says so."""
MOST_QUESTIONS = 5
"""Questions "did you send this?" to a player in that span, whichever matches they are about."""


class Limit(NamedTuple):
    """How many mails an hour are read."""

    mails: int
    of_match: bool
    """All mails about one match, not those of one sender."""

    def __str__(self) -> str:
        return f"over {self.mails} mails an hour"


def limit_passed(
    work: Work, mail: InboundMail, sender: AnySender, provenance: Provenance
) -> Limit | None:
    """The limit that a mail is over, None if it is over none; its sender's mails were counted."""
    limit = _passed(work, mail, sender, provenance)
    return None if limit is not None and _is_read_again(work, mail) else limit


def _is_read_again(work: Work, mail: InboundMail) -> bool:
    """Whether it came before a restore: days are read within a minute then, as they were before."""
    since = work.service.held_since()
    return since is not None and mail.received_at < since


def _passed(
    work: Work, mail: InboundMail, sender: AnySender, provenance: Provenance
) -> Limit | None:
    """What a bot proves is the club's, and what the director has read once more is to be read."""
    if (sender.bot and sender.proven) or mail.reason == RETRIED:
        return None
    own = provenance.proven if sender.proven else provenance.unproven
    most = work.club.policy.mails_an_hour
    if 0 < most <= own:
        return Limit(most, of_match=False)
    most = work.club.policy.match_mails_an_hour
    if sender.topic is None or sender.match is None or not most or own < _share(sender, most):
        return None
    since, topic = work.now - RATE_SPAN, sender.topic.key
    count = work.inbound.count_about(topic, mail.id, since, proven=sender.proven)
    return Limit(most, of_match=True) if most <= count else None


class Patience(Enum):
    """Whether one more mail that changes nothing is answered."""

    GOES_ON = "goes on"
    ENDS = "ends"
    """By an answer that says so."""
    OVER = "over"


def patience_with(work: Work, mail: InboundMail, sender: AnySender) -> Patience:
    """Whether a mail that changes nothing is answered: a machine may send such mails for ever.

    Proven and unproven mails are counted apart, and a mail that changes a match begins anew.
    """
    if sender.bot:
        return Patience.GOES_ON
    since, proven = work.now - VAIN_SPAN, sender.proven
    answers = (
        work.inbound.in_vain(each, mail.id, since, proven=proven) for each in sender.who.addresses
    )
    if sum(answers) < MOST_IN_VAIN - 1:
        return Patience.GOES_ON
    told = work.outbox.count(sender.who.address, "in_vain", since)
    return Patience.OVER if told else Patience.ENDS


def may_be_asked(work: Work, player: Player, match: MatchSummary | None) -> bool:
    """Whether a player may be asked about one more mail that nobody has proven.

    Anybody can send such mails in the player's name, so one question about a match, or about their
    membership, is open at a time, and a few a day are asked.
    """
    if waiting(work, CHANGES, player.id, concerned(player, match)):
        return False
    asked = work.outbox.count(player.address, Confirm.name(), work.now - VAIN_SPAN)
    return asked < MOST_QUESTIONS


def concerned(player: Player, match: MatchSummary | None) -> TopicKey:
    """What a change is about: a match, or else the membership."""
    return MembershipTopic(player.id).key if match is None else match_key(match.id)


def _share(sender: AnySender, most: int) -> float:
    """Mails that somebody has in any case, however many the others in the match send."""
    if not sender.proven:
        return 0
    return most / (1 if sender.match is None else len(sender.match.players))
