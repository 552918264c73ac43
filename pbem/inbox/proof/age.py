"""Age: how old the mail of ours is by which another one is proven."""

from __future__ import annotations

from datetime import timedelta

from pbem.commands.api import RECENT_DAYS
from pbem.inbox.proof.sender import AnySender
from pbem.mail.topic import Dated, midnight_of
from pbem.service.work import Work


def is_recent(work: Work, sender: AnySender) -> bool:
    """Whether a proof is good for what concerns a whole membership (`Need.RECENT`)."""
    if sender.proof is None:
        return False
    if not sender.proof.token:  # by_signature has seen that it is newer than our newest mail
        return True
    topic = sender.proof.topic
    if isinstance(topic, Dated):
        return work.now < midnight_of(topic.turn) + timedelta(days=RECENT_DAYS + 1)
    queued = work.outbox.queued_at(topic.key, sender.holder, topic.turn)
    return queued is not None and work.now <= queued + timedelta(days=RECENT_DAYS)
