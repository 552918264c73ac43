"""Receive: record new emails and queue them for processing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.mail.addresses.addressing import Addresses, tokens_in
from pbem.mail.message.message import Message, identity, read_envelope
from pbem.mail.stranger import Stranger
from pbem.mail.topic import AddressTopic, match_key
from pbem.ports.inbound import InboundKey, KeyedMail, ReceivedMail
from pbem.service.people import holders_of
from pbem.service.work import Work

AHEAD_SPAN = timedelta(hours=1)
MOST_AHEAD = 60
"""Emails from one address in that span that are read before those of strangers."""
MOST_TOKENS = 5
"""Number of tokens that are tried per email. An answer has one."""


def receive(work: Work, mails: Sequence[ReceivedMail]) -> int:
    """Record emails. Return how many were new."""
    keyed = [KeyedMail(*each) for each in zip(mails, _keys_of(work, mails), strict=True)]
    added = zip(work.inbound.add_all(keyed, work.now), keyed, strict=True)
    new = [(row, mail) for row, mail in added if row is not None]
    for row, (mail, key) in new:
        put_into_line(work, row, mail.raw, ahead=key.ahead)
    return len(new)


def _keys_of(work: Work, mails: Sequence[ReceivedMail]) -> list[InboundKey]:
    """Return the keys of emails. Emails with a good token go ahead, up to a limit per sender."""
    keys = [InboundKey(*identity(mail.raw)) for mail in mails]
    good = have_good_tokens(work, [read_envelope(mail.raw) for mail in mails])
    senders = {key.sender for key, is_good in zip(keys, good, strict=True) if is_good}
    gone_ahead = Counter(work.inbound.ahead(senders, work.now - AHEAD_SPAN))
    for at, key in enumerate(keys):
        if good[at]:
            gone_ahead[key.sender] += 1
            keys[at] = replace(key, ahead=gone_ahead[key.sender] <= MOST_AHEAD)
    return keys


def have_good_tokens(work: Work, envelopes: Sequence[Message]) -> list[bool]:
    """Return for each email whether it has a token that was made for the address in its From.

    That is less than a proof, since others may have seen the token. But nobody can make one up.
    """
    tokens = [tokens_in(each, work.club.addresses)[:MOST_TOKENS] for each in envelopes]
    pairs = list(zip((each.from_address for each in envelopes), tokens, strict=True))
    players = work.players.at_each({address for address, some in pairs if address and some})
    signer = work.club.signer
    return [
        any(
            signer.proves(token, holder)
            for token in some
            for holder in holders_of(players.get(address) or Stranger(address))
        )
        if address
        else False
        for address, some in pairs
    ]


def put_into_line(
    work: Work, inbound_id: int, raw: bytes | None = None, *, ahead: bool = False
) -> None:
    """Queue a recorded email for processing. Reads its bytes if they are needed and not given.

    Only a job queue needs them. A single process takes all emails in order anyway.
    """
    lock = ""
    if work.jobs.queued:
        lock = order_of(work, work.inbound.get(inbound_id).raw if raw is None else raw)
    work.jobs.enqueue("process", inbound_id, lock, ahead=ahead)


def order_of(work: Work, raw: bytes) -> str:
    """Return a lock that is the same for all emails that must be processed one after the other.

    Emails of strangers wait only for each other, so that they cannot delay any match.
    """
    message = read_envelope(raw)
    if work.players.at(message.from_address) is None:
        return sender_key(message)
    return order_key(message, work.club.addresses)


_NUMBER = re.compile(r"\[[^\[\]]{1,40} (\d{1,9})\]", re.ASCII)
"""The name of a match in a subject: `[pbem 12]`."""


def order_key(message: Message, club: Addresses) -> str:
    """Return a key shared by all emails that must be judged in the order of receipt.

    It names the topic of the email's token, although unproven, or else the match that the subject
    names, or else the sender.
    """
    topics = [token.topic for token in tokens_in(message, club)]
    if topics and not isinstance(topics[0], AddressTopic):
        return topics[0].key
    if named := _NUMBER.search(message.subject):
        return match_key(int(named[1]))
    return sender_key(message)


def sender_key(message: Message) -> str:
    """Return a key shared by all emails of one sender."""
    return f"from {message.from_address}"
