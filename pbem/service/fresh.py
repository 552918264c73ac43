"""Fresh: what a player newly wrote, told also by the mail of ours that he answers."""

from __future__ import annotations

from pbem.mail.incoming.message import Message, read_message
from pbem.mail.incoming.reply_text import Fresh, fresh_text
from pbem.matches.match import Player
from pbem.service.ports import UnitOfWork

MOST_LOOKED_UP = 10
"""Message-IDs looked up for one mail."""


def fresh_of(uow: UnitOfWork, message: Message, player: Player) -> Fresh:
    """The fresh text of a player's mail."""
    return fresh_text(message.text, message.from_name, _answered(uow, message, player))


def _answered(uow: UnitOfWork, message: Message, player: Player) -> str:
    """Text of the newest mail to the player that his refers to, empty if it refers to none."""
    ids = (*message.in_reply_to, *reversed(message.references))
    for each in ids[:MOST_LOOKED_UP]:
        posted = uow.outbox.by_message_id(each)
        if posted is not None and posted.mail.player == player.id:
            return read_message(posted.mail.raw).text
    return ""
