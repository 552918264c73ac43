"""A mail of the club as its reader keeps it: which match it is of, and what its last line says."""

from __future__ import annotations

from typing import NamedTuple

from pbem.mail.address import plain_addresses
from pbem.mail.addresses.addressing import (
    Addresses,
    ReplyToken,
    token_of_address,
    token_of_message_id,
)
from pbem.mail.message.message import Message, read_message
from pbem.mail.outgoing.match_view import HistoryLine, read_history_line
from pbem.mail.topic import MatchTopic


class ClubMail(NamedTuple):
    """What a mail of a match tells of its history."""

    match_id: int
    club_address: str
    """Where it came from, without the token."""
    date: str
    """As the club wrote it."""
    history: HistoryLine | None
    """None in mails from before there was such a line."""


def read_club_mail(raw: bytes, club: Addresses = ()) -> ClubMail | None:
    """The mail if it is one of a match; None for any other, one that answers or quotes it too.

    Reply-To and Message-ID of the club's mails carry the same token, at the same host, and From is
    that address without it; in old ones it carries the token itself. In a person's answer nothing
    does. Who wrote a mail in truth, nobody can tell by its bytes.

    Of a club with several mailboxes, as the addresses tell, Reply-To may be at another of them.
    """
    message = read_message(raw)
    token, address = _token_and_address(message, club)
    if token is None or token_of_message_id(message.message_id) != token:
        return None
    if message.message_id.strip("<>").rpartition("@")[2].lower() != address.rpartition("@")[2]:
        return None
    if not isinstance(token.topic, MatchTopic):
        return None
    match_id = token.topic.match
    return ClubMail(match_id, address, message.date_header, _history(message, match_id))


def _token_and_address(message: Message, club: Addresses) -> tuple[ReplyToken | None, str]:
    """The token that answers to a mail would carry, and the address of the club."""
    token, address = token_of_address(message.from_address)
    answers_to = plain_addresses(message.headers.written("reply-to"))
    if token is not None or not answers_to or len(answers_to) != 1:
        return token, address
    # Whoever has copied a mail of ours to get its answers has put another address there.
    token, replied = token_of_address(answers_to[0])
    both = {replied, message.from_address}
    return (token, address) if len(both) == 1 or both <= set(club) else (None, replied)


def _history(message: Message, match_id: int) -> HistoryLine | None:
    history = read_history_line(message.text)
    return history if history is not None and history.match_id == match_id else None
