"""Hand over: record an email from our own mail server before accepting it (LMTP)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.mail.message.headers import Headers, split_headers
from pbem.ports.inbound import NO_FOLDER, HandedMail, ReceivedMail
from pbem.ports.process import ClockWrong
from pbem.ports.storage import HANDED_OVER, LISTENS
from pbem.service.clocks.heartbeat import require_right_clock
from pbem.service.club import Club
from pbem.service.receive import order_of, receive
from pbem.service.work import Work, writing

LONGEST_QUEUED = timedelta(days=5)
"""Postfix returns an email that it could not hand over for this long (`maximal_queue_lifetime`)."""
_NUMBERS = 2**63
"""Size of the range of each of the two numbers that identify an email in a folder."""


def take(club: Club, mail: HandedMail) -> int:
    """Record an email once for each recipient. Return the number of new records.

    Raises StorageUnavailable if nothing was recorded, so that the mail server keeps the email.
    """
    with writing(club) as work:
        at = _received_at(work, mail)
        _take_turns(work, _copies(mail, at))
        return sum(receive(work, [copy]) for copy in _copies(mail, at))


def _copies(mail: HandedMail, received_at: datetime) -> Iterator[ReceivedMail]:
    """Yield a copy for each recipient, one at a time, since each is as large as the email."""
    for recipient in dict.fromkeys(mail.recipients):
        yield _copy(mail, recipient, received_at)


def _take_turns(work: Work, copies: Iterable[ReceivedMail]) -> None:
    """Lock the order of the copies, so that emails on parallel connections are recorded one by one.

    Locks are taken in alphabetical order to avoid deadlocks.
    """
    for key in sorted({order_of(work, copy.raw) for copy in copies}):
        work.inbound.take_turns(key)


def _copy(mail: HandedMail, recipient: str, received_at: datetime) -> ReceivedMail:
    """Return the email as it would be in the recipient's mailbox, identified by its bytes.

    If the mail server misses our answer, it sends the same bytes again.
    """
    raw = _trace(mail.sender, recipient) + mail.raw
    digest = hashlib.sha256(raw).digest()
    validity, uid = (int.from_bytes(part) % _NUMBERS for part in (digest[:8], digest[8:16]))
    return ReceivedMail(NO_FOLDER, validity, uid, received_at, raw)


def _trace(sender: str, recipient: str) -> bytes:
    """Return the fields added on delivery: Return-Path (RFC 5321 section 4.4), Delivered-To."""
    lines = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n"
    return lines.encode(errors="surrogateescape")


def _received_at(work: Work, mail: HandedMail) -> datetime:
    """Return when the mail server took an email if it may have waited since then, otherwise now.

    The server writes when a transfer began, and a slow sender can stretch a transfer over days. So
    no email counts as received before the moment up to which all emails are recorded.
    """
    headers, _ = split_headers(mail.raw)
    taken, now = taken_at(headers, mail.host), work.now
    if taken is None or not now - LONGEST_QUEUED <= taken <= now:
        return now
    complete_until = work.service.last_poll((HANDED_OVER,))
    return taken if complete_until is None else max(taken, min(complete_until, now))


_FIELD = "received"


def taken_at(headers: Headers, host: str) -> datetime | None:
    """Return when the mail server with this name took an email, from the topmost Received field.

    Other servers, or the sender, wrote the fields below, and the topmost one too if ours is
    missing.
    """
    trace, _, date = headers.first(_FIELD).rpartition(";")
    by_it = re.search(rf"\bby {re.escape(host)}(?=\s|$)", trace, re.IGNORECASE)
    if not (host and by_it):
        return None
    try:
        written = parsedate_to_datetime(date)
        return None if written.tzinfo is None else written.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


BEAT_SECONDS = 15.0
HANDING_OVER = timedelta(minutes=1)
"""The mail server has handed over everything that is older than this, unless we were away."""
LONGEST_SILENCE = timedelta(minutes=1)
"""A longer gap between beats means we were away: the machine slept or the database was down."""

SHORTEST_RETRY = timedelta(seconds=300)
LONGEST_RETRY = timedelta(seconds=4000)
"""Postfix retries an email after as long as it has waited, within these limits
(`minimal_backoff_time`, `maximal_backoff_time`).
"""
QUEUE_RUN = timedelta(seconds=300)
"""Interval at which Postfix looks for emails to retry (`queue_run_delay`)."""


class Listening:
    """Records that we listen. After an absence, it waits until the mail server has retried."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._beat_at: datetime | None = None
        self._complete_at: datetime | None = None
        """The moment from which no email waits for a retry."""
        self._put_off = True
        self._unfit: ClockWrong | None = None

    def require_fit(self) -> None:
        """Raise ClockWrong if this machine would date emails wrongly."""
        if self._unfit is not None:
            raise self._unfit

    def put_off(self) -> None:
        """Note that an email was not taken, so the mail server will retry it."""
        self._put_off = True

    def beat(self) -> None:
        """Store the moment before which all emails are recorded. Raises StorageUnavailable."""
        self._look_at_the_clock()
        with writing(self._club) as work:
            now = work.now
            if self._was_away(now) or self._complete_at is None:
                self._put_off = False
                self._complete_at = now + _tried_again(work.service.last_poll((HANDED_OVER,)), now)
            self._beat_at = now
            work.service.polled(now, LISTENS)
            if now >= self._complete_at:
                work.service.polled(now - HANDING_OVER, HANDED_OVER)

    def _look_at_the_clock(self) -> None:
        try:
            require_right_clock(self._club, self._club.clock.now())
            self._unfit = None
        except ClockWrong as error:
            self._unfit = error
            raise

    def _was_away(self, now: datetime) -> bool:
        """Return whether emails may be waiting. A clock that was changed looks like an absence."""
        last = self._beat_at
        return self._put_off or last is None or not last <= now <= last + LONGEST_SILENCE


def _tried_again(complete_until: datetime | None, now: datetime) -> timedelta:
    """Return the time after which everything since a moment has been retried.

    None means that emails of any age may be waiting.
    """
    waited = LONGEST_RETRY if complete_until is None else now - complete_until
    return min(max(waited, SHORTEST_RETRY), LONGEST_RETRY) + QUEUE_RUN + HANDING_OVER
