"""Fresh: what a player newly wrote, told also by the mails of ours that he may be answering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from pbem.mail.incoming.message import Message, read_message
from pbem.mail.incoming.reply_text import Fresh, fresh_text
from pbem.service.ports import UnitOfWork
from pbem.service.sender import Sender

MOST_LOOKED_UP = 10
"""Message-IDs looked up for one mail."""


def fresh_of(uow: UnitOfWork, message: Message, sender: Sender) -> Fresh:
    """The fresh text of a player's mail."""
    referred = (*message.in_reply_to, *reversed(message.references))
    answered = next(_texts(uow, referred, sender), "")
    if not answered and sender.match is not None:  # his client does not tell: perhaps a late one
        thread = uow.outbox.thread(sender.match.id, sender.player.id)
        answered = "\n".join(_texts(uow, reversed(thread), sender))
    return fresh_text(message.text, message.from_name, answered)


def _texts(uow: UnitOfWork, message_ids: Iterable[str], sender: Sender) -> Iterator[str]:
    """Texts of mails of ours to the player."""
    for each in islice(message_ids, MOST_LOOKED_UP):
        posted = uow.outbox.by_message_id(each)
        if posted is not None and posted.mail.player == sender.player.id:
            yield read_message(posted.mail.raw).text
