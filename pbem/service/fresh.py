"""Fresh: what a player newly wrote, known also by the letters of ours that they may be quoting."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.mail.incoming.message import Message
from pbem.mail.incoming.reply_text import Fresh, fresh_text
from pbem.mail.incoming.witness import Witness
from pbem.service.answered_mail import mails_to
from pbem.service.ports import PostedMail
from pbem.service.sender import Sender
from pbem.service.work import Work


def fresh_of(work: Work, message: Message, sender: Sender) -> Fresh:
    """The fresh text of a player's mail."""
    return fresh_text(message.text, message.from_name, _witness(work, message, sender))


def _witness(work: Work, message: Message, sender: Sender) -> Witness:
    """The letter that is answered; those of the thread where the client does not say which."""
    referred = (*message.in_reply_to, *reversed(message.references))
    answered = next(mails_to(work, sender.player.id, referred), None)
    likely = thread_of(work, sender) if answered is None else (answered,)
    return Witness(tuple(posted.mail.letter.text for posted in likely))


def thread_of(work: Work, sender: Sender) -> Iterator[PostedMail]:
    """The mails of the match to its player that a thread names, newest first."""
    if sender.match is not None:
        thread = work.outbox.thread(sender.match.id, sender.player.id)
        yield from mails_to(work, sender.player.id, reversed(thread))
