"""Fresh: what somebody newly wrote, known also by the letters of ours that they may be quoting."""

from __future__ import annotations

from pbem.inbox.proof.sender import AnySender
from pbem.mail.message.message import Message
from pbem.mail.reply.reply_text import Fresh, fresh_text
from pbem.mail.topic import StopTopic
from pbem.ports.outbox import PostedMail
from pbem.service.members.answered_mail import witness_of
from pbem.service.work import Work
from pbem.settings import mails


def fresh_of(work: Work, message: Message, sender: AnySender, answered: PostedMail | None) -> Fresh:
    """The fresh text of a mail; whatever was sent to where fewer mails are asked for asks for that.

    Programs send such a mail by themselves: empty, or with words of their own.
    """
    if isinstance(sender.topic, StopTopic):
        return Fresh(fewer_mails(sender.topic), message.text)
    about = None if sender.topic is None else sender.topic.key
    witness = witness_of(work, answered, sender.holder, about)
    return fresh_text(message.text, message.from_name, witness)


def fewer_mails(topic: StopTopic) -> str:
    """The line that asks for it."""
    return f"mails {topic.match} {mails.TURN}"
