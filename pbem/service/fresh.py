"""Fresh: what a player newly wrote, told also by the mails of ours that he may be answering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.mail.incoming.message import Message
from pbem.mail.incoming.reply_text import Fresh, fresh_text
from pbem.service.answered_mail import mails_to
from pbem.service.sender import Sender
from pbem.service.work import Work


def fresh_of(work: Work, message: Message, sender: Sender) -> Fresh:
    """The fresh text of a player's mail."""
    referred = (*message.in_reply_to, *reversed(message.references))
    answered = next(_texts(work, sender, referred), "")
    if not answered and sender.match is not None:  # his client does not tell: perhaps a late one
        thread = work.outbox.thread(sender.match.id, sender.player.id)
        answered = "\n".join(_texts(work, sender, reversed(thread)))
    return fresh_text(message.text, message.from_name, answered)


def _texts(work: Work, sender: Sender, message_ids: Iterable[str]) -> Iterator[str]:
    """Texts of mails of ours to the player."""
    for posted in mails_to(work, sender.player.id, message_ids):
        yield posted.mail.letter.text
