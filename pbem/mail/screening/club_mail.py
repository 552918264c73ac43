"""Club mail: read which match an email from the club is about, and its history line."""

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
    """The facts about a match in one of its emails."""

    match_id: int
    club_address: str
    """The club's address, without the token."""
    date: str
    """The Date field as the club wrote it."""
    history: HistoryLine | None
    """The line with the history. None in emails older than this line."""


def read_club_mail(raw: bytes, club: Addresses = ()) -> ClubMail | None:
    """Read an email of a match. Return None for any other, even one that answers or quotes it.

    Reply-To and Message-ID of the club's emails have the same token and host, and From is that
    address without the token. In old emails, From has the token itself. A person's answer has
    no such fields. The bytes alone cannot prove who wrote an email.

    If the club has several mailboxes, given in `club`, Reply-To may be at another one.
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
    """Return the token in the answer address of an email, and the club's address."""
    token, address = token_of_address(message.from_address)
    answers_to = plain_addresses(message.headers.written("reply-to"))
    if token is not None or not answers_to or len(answers_to) != 1:
        return token, address
    # If somebody copied our email to get the answers, Reply-To has their own address.
    token, replied = token_of_address(answers_to[0])
    both = {replied, message.from_address}
    return (token, address) if len(both) == 1 or both <= set(club) else (None, replied)


def _history(message: Message, match_id: int) -> HistoryLine | None:
    history = read_history_line(message.text)
    return history if history is not None and history.match_id == match_id else None
