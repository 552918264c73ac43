"""Fresh: what somebody newly wrote, known also by the letters of ours that they may be quoting."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.mail.incoming.message import Message
from pbem.mail.incoming.reply_text import Fresh, fresh_text
from pbem.mail.incoming.witness import Witness
from pbem.mail.topic import Holder, TopicKey
from pbem.service.answered_mail import mails_to
from pbem.service.ports import PostedMail
from pbem.service.sender import AnySender
from pbem.service.work import Work


def fresh_of(work: Work, message: Message, sender: AnySender) -> Fresh:
    """The fresh text of a mail."""
    about = None if sender.topic is None else sender.topic.key
    witness = witness_of(work, message, sender.holder, about)
    return fresh_text(message.text, message.from_name, witness)


def witness_of(work: Work, message: Message, holder: Holder, about: TopicKey | None) -> Witness:
    """The letter that is answered; those of the thread where the client does not say which."""
    referred = (*message.in_reply_to, *reversed(message.references))
    answered = next(mails_to(work, holder, referred), None)
    likely = thread_of(work, holder, about) if answered is None else (answered,)
    return Witness(tuple(posted.mail.letter.text for posted in likely))


def thread_of(work: Work, holder: Holder, about: TopicKey | None) -> Iterator[PostedMail]:
    """The mails of a topic to somebody that a thread names, newest first."""
    if about is not None:
        yield from mails_to(work, holder, reversed(work.outbox.thread(about, holder)))
