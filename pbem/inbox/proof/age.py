"""Age: how old the mail of ours is by which another one is proven."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.commands.api import RECENT_DAYS
from pbem.inbox.proof.sender import AnySender
from pbem.mail.topic import Dated, DirectorTopic, midnight_of
from pbem.matches.match import Player
from pbem.service.members.roles import is_director
from pbem.service.members.trust import new_until
from pbem.service.ports import PostedMail
from pbem.service.work import Work


def is_recent(work: Work, sender: AnySender) -> bool:
    """Whether a proof is good for what concerns a whole membership (`Need.RECENT`)."""
    return _is_since(work, sender, work.now - timedelta(days=RECENT_DAYS))


def is_after_addition(work: Work, sender: AnySender) -> bool:
    """Whether a proof was sent since a member added an address that is new (`Need.UNDOING`).

    Which of their addresses it was sent to does not matter: it takes such an address away.
    """
    who = sender.who
    if not isinstance(who, Player):
        return False
    added = [at for each, at in who.added.items() if new_until(who, each, work.now)]
    return not added or _is_since(work, sender, min(added))


def _is_since(work: Work, sender: AnySender, since: datetime) -> bool:
    """Whether a mail of ours that proves a sender was sent at a moment or later."""
    if sender.proof is None:
        return False
    if not sender.proof.token:  # by_signature has seen that it is newer than our newest mail
        return True
    topic = sender.proof.topic
    if isinstance(topic, Dated):
        return since < midnight_of(topic.turn) + timedelta(days=1)
    holder = sender.proof.sent_to or sender.holder
    queued = work.outbox.queued_at(topic.key, holder, topic.turn)
    return queued is not None and since <= queued


def is_newest(work: Work, sender: AnySender, answered: PostedMail | None) -> bool:
    """Return whether a proof is good for what moves a membership (`Need.MOVING`).

    It answers the newest email of all to them; for a director, an email to the director. Several
    emails can have one token. So where the client does not say which it answers, it is the first.
    """
    who, proof = sender.who, sender.proof
    if proof is None or not isinstance(who, Player):
        return False
    if is_director(work.club, who):
        return isinstance(proof.topic, DirectorTopic)
    if not proof.token:
        return True
    if answered is not None and answered.mail.topic == proof.topic.key:
        at = answered.queued_at
    else:
        holder = proof.sent_to or sender.holder
        sent = work.outbox.sent_to(proof.topic.key, holder, proof.turn)
        if not sent:
            return False
        at = min(sent.values())
    later = at + timedelta(microseconds=1)
    return not any(work.outbox.count(each, "", later) for each in who.addresses)
