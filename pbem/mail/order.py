"""Order: which received mails are judged one after the other."""

from __future__ import annotations

import re

from pbem.mail.addresses.addressing import Addresses, tokens_in
from pbem.mail.message.message import Message
from pbem.mail.topic import AddressTopic, match_key

_NUMBER = re.compile(r"\[[^\[\]]{1,40} (\d{1,9})\]", re.ASCII)
"""How subjects name a match: `[pbem 12]`."""


def order_key(message: Message, club: Addresses) -> str:
    """What all mails have in common that are judged in the order in which they were received.

    That is the topic of a mail's token, though nothing is proven yet, or else the match that its
    subject names; if it tells neither, its sender.
    """
    topics = [token.topic for token in tokens_in(message, club)]
    if topics and not isinstance(topics[0], AddressTopic):
        return topics[0].key
    if named := _NUMBER.search(message.subject):
        return match_key(int(named[1]))
    return sender_key(message)


def sender_key(message: Message) -> str:
    """What all mails of one sender have in common."""
    return f"from {message.from_address}"
