"""Fresh: what somebody newly wrote, known also by the mails of ours that they may be answering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.mail.incoming.message import Message, read_message
from pbem.mail.incoming.reply_text import Fresh, fresh_text
from pbem.service.answered_mail import mails_to
from pbem.service.sender import AnySender
from pbem.service.work import Work


def fresh_of(work: Work, message: Message, sender: AnySender) -> Fresh:
    """The fresh text of a mail."""
    referred = (*message.in_reply_to, *reversed(message.references))
    answered = next(_texts(work, sender, referred), "")
    if not answered and sender.topic is not None:  # their client does not tell: perhaps a late one
        thread = work.outbox.thread(sender.topic.key, sender.holder)
        answered = "\n".join(_texts(work, sender, reversed(thread)))
    return fresh_text(message.text, message.from_name, answered)


def _texts(work: Work, sender: AnySender, message_ids: Iterable[str]) -> Iterator[str]:
    """Texts of mails of ours to them."""
    for posted in mails_to(work, sender.holder, message_ids):
        yield read_message(posted.mail.raw).text
