"""Limits: how many emails are read per hour, and how many are answered that change nothing.

Proven and unproven emails are counted apart, so nobody can use up someone else's allowance.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from pbem.inbox.proof.sender import AnySender
from pbem.mail.outgoing.kinds import Confirm
from pbem.mail.outgoing.look import AnswersLeft
from pbem.mail.topic import MembershipTopic, TopicKey, match_key
from pbem.matches.match import MatchSummary, Player
from pbem.matches.zones import zone_named
from pbem.ports.inbound import RETRIED, InboundMail, Provenance
from pbem.service.questions import CHANGES, waiting
from pbem.service.work import Work

RATE_SPAN = timedelta(hours=1)
VAIN_SPAN = timedelta(days=1)
MOST_IN_VAIN = 30
"""Answers per day to a member whose emails change nothing. A day begins in the morning."""
MOST_TO_STRANGER = 10
"""The same for someone who is not a member."""
LAST_ANSWERS = 3
"""Number of last answers before the limit that say how many are left."""
MORNING = time(7)
"""When a new day of answers begins, in the player's time zone."""
ANSWERS = "answers to "
MOST_QUESTIONS = 5
"""Questions "did you send this?" per day to a player, about all matches together."""


class Limit(NamedTuple):
    """A limit on the emails read per hour."""

    mails: int
    of_match: bool
    """Whether it counts all emails about one match instead of those of one sender."""

    def __str__(self) -> str:
        return f"over {self.mails} mails an hour"


def limit_passed(
    work: Work, mail: InboundMail, sender: AnySender, provenance: Provenance
) -> Limit | None:
    """Return the limit that an email is over, None if it is over none."""
    limit = _passed(work, mail, sender, provenance)
    return None if limit is not None and is_read_again(work, mail) else limit


def is_read_again(work: Work, mail: InboundMail) -> bool:
    """Return whether an email came before a restore, which reads days of emails in a minute."""
    since = work.service.held_since()
    return since is not None and mail.received_at < since


def _passed(
    work: Work, mail: InboundMail, sender: AnySender, provenance: Provenance
) -> Limit | None:
    """Return the limit passed. None applies to proven emails of bots and to retried emails."""
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


def answers_left(work: Work, mail: InboundMail, sender: AnySender) -> AnswersLeft | None:
    """Return how many emails that change nothing are still answered today, this one included.

    This stops machines that send them forever. An email that changes a match restarts the count.
    None for bots and unproven emails: there the limit of the mailbox applies.
    """
    if sender.bot or not sender.proven:
        return None
    player = sender.who if isinstance(sender.who, Player) else None
    since, most = morning_before(work.now, player), MOST_IN_VAIN if player else MOST_TO_STRANGER
    answers = (
        work.inbound.in_vain(each, mail.id, since, proven=True) for each in sender.who.addresses
    )
    return AnswersLeft(most - sum(answers), most)


def answers_to(sender: AnySender) -> str:
    """Return the name of the allowance of answers to a sender."""
    return f"{ANSWERS}{sender.holder}"


def morning_before(now: datetime, player: Player | None) -> datetime:
    """Return the latest 07:00 in the player's time zone, or in UTC."""
    zone, _ = zone_named(player.time_zone if player else "UTC")
    local = now.astimezone(zone)
    day = local.date() if local.time() >= MORNING else local.date() - timedelta(days=1)
    return datetime.combine(day, MORNING, zone).astimezone(UTC)


def may_be_asked(work: Work, player: Player, match: MatchSummary | None) -> bool:
    """Return whether a player may be asked about another unproven email.

    Anyone can send such emails in the player's name. So one question about a match, or about the
    membership, is open at a time, with a few a day in all.
    """
    if waiting(work, CHANGES, player.id, concerned(player, match)):
        return False
    asked = work.outbox.count(player.address, Confirm.name(), work.now - VAIN_SPAN)
    return asked < MOST_QUESTIONS


def concerned(player: Player, match: MatchSummary | None) -> TopicKey:
    """Return the topic of a change: a match, or else the membership."""
    return MembershipTopic(player.id).key if match is None else match_key(match.id)


def _share(sender: AnySender, most: int) -> float:
    """Return the number of emails that a sender may always send about a match, despite others."""
    if not sender.proven:
        return 0
    return most / (1 if sender.match is None else len(sender.match.players))
