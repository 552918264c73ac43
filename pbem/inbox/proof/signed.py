"""Signed mail: what a signature proves, which covers what its maker chose and stays good for ever.

It vouches for nothing but what its maker and we read alike, in a mail that was for the club. Where
no token tells which mail is answered, it counts only if it was written after the club's newest mail
of the match: an old one sent again is older.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.mail.addresses.address_list import plain_addresses
from pbem.mail.addresses.addressing import is_club_address
from pbem.mail.message.message import Message
from pbem.mail.proof.authentication import is_signed
from pbem.mail.proof.proof import Proof
from pbem.mail.proof.signature import is_read_as_signed
from pbem.mail.topic import Holder, MatchTopic
from pbem.service.club import Club
from pbem.service.work import Work

MOST_AHEAD = timedelta(minutes=5)
"""How far a clock may be ahead; until then the mail could be sent again as a new one."""


def vouched_for(club: Club, message: Message) -> Message | None:
    """A mail with no recipients but those its signature vouches for; None if it vouches for none.

    It must have been for the club: what was signed for somebody else says nothing here.
    """
    recipients = _recipients(message)
    named = any(is_club_address(each, club.addresses) for each in recipients)
    if not named or not is_read_as_signed(message):
        return None
    signed = is_signed(message, club.policy.trusted_hosts)
    return replace(message, recipients=recipients) if signed else None


def is_dated(work: Work, message: Message) -> bool:
    """Whether a mail tells when it was written, and not a time to come."""
    written = _written_at(message)
    return written is not None and written < work.now + MOST_AHEAD


def by_signature(work: Work, message: Message, topic: MatchTopic, holder: Holder) -> Proof | None:
    """What a signed mail without a token proves; None unless it is newer than our newest."""
    newest, written = work.outbox.latest(topic.key, holder), _written_at(message)
    if newest is None or written is None or not is_dated(work, message):
        return None
    return Proof(topic, latest=True, token=False) if newest.queued_at < written else None


def _recipients(message: Message) -> tuple[str, ...]:
    """Addresses of To and Cc: not names or comments there, and not what servers add on the way."""
    return plain_addresses(message.headers.written("to", "cc")) or ()


def _written_at(message: Message) -> datetime | None:
    """Moment in its Date; None if that is none."""
    try:
        written = parsedate_to_datetime(message.date_header)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return written if written.tzinfo else written.replace(tzinfo=UTC)
