"""Answered mail: the mail of ours that a machine answers.

It is told by what only its reader and the servers on its way can know: the key in the address that
it came from, or its Message-ID.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.mail.incoming.addressing import bounce_keys
from pbem.mail.incoming.message import Message
from pbem.service.club import Club
from pbem.service.ports import PostedMail, UnitOfWork

MOST_LOOKED_UP = 30
"""Keys and Message-IDs looked up for one mail."""


def answered_mail(
    club: Club, uow: UnitOfWork, message: Message, returned: Sequence[str] = ()
) -> PostedMail | None:
    """By the address it was sent to, else by the Message-IDs it returns or answers.

    Whoever got a mail by an answer to all has seen its Message-ID, but never the key.
    """
    for key in bounce_keys(message, club.address)[:MOST_LOOKED_UP]:
        if posted := uow.outbox.by_bounce_key(key):
            return posted
    for message_id in (*returned, *message.references)[:MOST_LOOKED_UP]:
        posted = uow.outbox.by_message_id(message_id)
        if posted is not None and not _seen_by_others(uow, posted):
            return posted
    return None


def _seen_by_others(uow: UnitOfWork, posted: PostedMail) -> bool:
    mail = posted.mail
    if mail.match_id is None or mail.player is None:
        return False
    exposure = uow.matches.exposure(mail.match_id, mail.player)
    return exposure is not None and posted.id <= exposure.mail
