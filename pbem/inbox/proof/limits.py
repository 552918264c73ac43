"""Limits: how many mails an hour are read, and how many are answered that change nothing.

Proven and unproven mails are counted apart: nobody can use up somebody else's allowance.
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
"""Answers to a member from one morning to the next to emails that change nothing."""
MOST_TO_STRANGER = 10
"""The same for someone who is not a member."""
LAST_ANSWERS = 3
"""The last answers before the limit, which say how many are left."""
MORNING = time(7)
"""When the next day's answers begin, in the zone of the player."""
ANSWERS = "answers to "
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
    return None if limit is not None and is_read_again(work, mail) else limit


def is_read_again(work: Work, mail: InboundMail) -> bool:
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


def answers_left(work: Work, mail: InboundMail, sender: AnySender) -> AnswersLeft | None:
    """Return how many emails that change nothing are still answered today, this one included.

    A machine may send them for ever. An email that changes a match starts the count again. None for
    computer opponents, and if nothing is proven: then the limit of the mailbox counts.
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
    """Return what an email waits for that is over the limit of answers."""
    return f"{ANSWERS}{sender.holder}"


def morning_before(now: datetime, player: Player | None) -> datetime:
    """Return the latest seven in the morning of a player, or of UTC."""
    zone, _ = zone_named(player.time_zone if player else "UTC")
    local = now.astimezone(zone)
    day = local.date() if local.time() >= MORNING else local.date() - timedelta(days=1)
    return datetime.combine(day, MORNING, zone).astimezone(UTC)


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
