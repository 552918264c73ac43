"""Signed mail: what a signature proves where no token tells which mail is answered (RFC 6376).

It stays good for ever and covers what the signer chose; so a mail counts only if it was sent to the
club, and written after the club's newest mail of the match: an old one sent again is older.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.mail.incoming.addressing import is_club_address
from pbem.mail.incoming.mailboxes import addresses
from pbem.mail.incoming.message import Message
from pbem.mail.incoming.table import Proof
from pbem.matches.match import Match, Player
from pbem.service.club import Club
from pbem.service.ports import UnitOfWork

MOST_AHEAD = timedelta(days=1)
"""A clock that is further ahead would make a mail good for ever."""


def by_signature(
    club: Club, uow: UnitOfWork, message: Message, match: Match, player: Player
) -> Proof | None:
    """What a signed mail without a token proves; None if it was not meant for the club."""
    if not _is_to_the_club(club, message):
        return None
    newest = uow.outbox.latest(match.id, player.id)
    written, now = _written_at(message), club.clock.now()
    answers_newest = (
        newest is not None and written is not None and newest.queued_at < written < now + MOST_AHEAD
    )
    turn = match.turn if answers_newest else match.turn - 1
    return Proof(turn, latest=answers_newest, token=False)


def _is_to_the_club(club: Club, message: Message) -> bool:
    """Whether its To or Cc names the club; of two such fields one may not have been signed."""
    to, copies = message.headers.all("to"), message.headers.all("cc")
    if len(to) > 1 or len(copies) > 1:
        return False
    return any(is_club_address(each, club.address) for each in addresses((*to, *copies)))


def _written_at(message: Message) -> datetime | None:
    """Moment in its Date; None if that is none."""
    try:
        written = parsedate_to_datetime(message.date_header)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return written if written.tzinfo else written.replace(tzinfo=UTC)
