"""Strangers: who of the people that the club does not know is answered, and how often."""

from __future__ import annotations

from datetime import timedelta

from pbem.inbox.judgement import Stranger
from pbem.inbox.proof.limits import RATE_SPAN
from pbem.inbox.proof.sender import AnySender
from pbem.mail.outgoing.kinds import Confirm, UnknownSender
from pbem.mail.topic import AddressTopic
from pbem.service.delivery.rates import Rates
from pbem.service.post.post import Answered, post
from pbem.service.work import Work

STRANGER_PAUSE = timedelta(days=7)
STRANGERS_AN_HOUR = 30
OF_A_DAY = 4
"""They get a quarter at most of what may go in a day, where that is limited."""


def answer_stranger(work: Work, judgement: Stranger) -> None:
    """One short answer a week an address, whatever it proves."""
    mail, message = judgement.reading.mail, judgement.reading.message
    since = work.now - STRANGER_PAUSE
    if not work.outbox.count(mail.sender, UnknownSender.name(), since):
        # Not their subject: who is From may not have written it.
        post(
            work, UnknownSender(work.club.policy.joining), mail.sender, Answered(message.message_id)
        )


def hears(work: Work, sender: AnySender) -> bool:
    """Whether somebody unknown is answered: who has proven to read what is sent there always is.

    Else nobody may have written who is From, so nothing goes there twice a week, and nothing while
    so many strangers write that most are forged: answers would hit bystanders.
    """
    address = sender.who.address
    if sender.proven or not address:
        return bool(address)
    latest = work.outbox.latest(AddressTopic(0).key, address)
    since = work.now - STRANGER_PAUSE
    if (latest and latest.queued_at >= since) or work.outbox.count(address, Confirm.name(), since):
        return False
    return work.inbound.of_strangers(work.now - RATE_SPAN) < _most_an_hour(work.club.policy.rates)


def _most_an_hour(rates: Rates) -> int:
    if not rates.of_day:
        return STRANGERS_AN_HOUR
    return min(STRANGERS_AN_HOUR, max(1, rates.of_day // OF_A_DAY // 24))
