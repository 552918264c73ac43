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
"""What Postfix cannot hand over for so long it sends back (`maximal_queue_lifetime`)."""
_NUMBERS = 2**63
"""How many there are for each of the two by which a mail is known, where it lies in a folder."""


def take(club: Club, mail: HandedMail) -> int:
    """Records a mail once for each recipient; returns how often that was new.

    Raises StorageUnavailable: then nothing is recorded, and the mail server is to keep the mail.
    """
    with writing(club) as work:
        at = _received_at(work, mail)
        _take_turns(work, _copies(mail, at))
        return sum(receive(work, [copy]) for copy in _copies(mail, at))


def _copies(mail: HandedMail, received_at: datetime) -> Iterator[ReceivedMail]:
    """One for each recipient, made one after the other: each is as large as the mail."""
    for recipient in dict.fromkeys(mail.recipients):
        yield _copy(mail, recipient, received_at)


def _take_turns(work: Work, copies: Iterable[ReceivedMail]) -> None:
    """What comes on two connections at once is recorded and put into line in one order.

    All who take several turns take them in the order of the alphabet, and wait in no circle.
    """
    for key in sorted({order_of(work, copy.raw) for copy in copies}):
        work.inbound.take_turns(key)


def _copy(mail: HandedMail, recipient: str, received_at: datetime) -> ReceivedMail:
    """The mail as it would lie in the recipient's mailbox, known by its bytes.

    A mail server that did not hear our answer brings the same bytes again.
    """
    raw = _trace(mail.sender, recipient) + mail.raw
    digest = hashlib.sha256(raw).digest()
    validity, uid = (int.from_bytes(part) % _NUMBERS for part in (digest[:8], digest[8:16]))
    return ReceivedMail(NO_FOLDER, validity, uid, received_at, raw)


def _trace(sender: str, recipient: str) -> bytes:
    """What the last server writes on top (RFC 5321 section 4.4); Delivered-To as others do."""
    lines = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n"
    return lines.encode(errors="surrogateescape")


def _received_at(work: Work, mail: HandedMail) -> datetime:
    """When the mail server took it, if it may have waited for us since; else now.

    It writes when a mail began, and whoever sends it may go on for days, a line every few minutes.
    So no mail counts as received before all were complete.
    """
    headers, _ = split_headers(mail.raw)
    taken, now = taken_at(headers, mail.host), work.now
    if taken is None or not now - LONGEST_QUEUED <= taken <= now:
        return now
    complete_until = work.service.last_poll((HANDED_OVER,))
    return taken if complete_until is None else max(taken, min(complete_until, now))


_FIELD = "received"


def taken_at(headers: Headers, host: str) -> datetime | None:
    """When a mail server of this name took a mail, if the topmost Received is its own.

    What stands below, others have written; where ours is missing they may have written that too.
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
"""What the mail server has received before that it has handed over, unless we were away."""
LONGEST_SILENCE = timedelta(minutes=1)
"""Who has not beaten for longer was away: the machine slept, or the database was gone."""

SHORTEST_RETRY = timedelta(seconds=300)
LONGEST_RETRY = timedelta(seconds=4000)
"""Postfix tries a mail again after as long as it has waited, but not sooner and not later than this
(`minimal_backoff_time`, `maximal_backoff_time`),"""
QUEUE_RUN = timedelta(seconds=300)
"""and looks for what to try so often (`queue_run_delay`)."""


class Listening:
    """Notes that we listen, and who was away waits until the mail server has tried again."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._beat_at: datetime | None = None
        self._complete_at: datetime | None = None
        """From then on nothing waits for another try any more."""
        self._put_off = True
        self._unfit: ClockWrong | None = None

    def require_fit(self) -> None:
        """Raises ClockWrong where this machine would date mail wrongly."""
        if self._unfit is not None:
            raise self._unfit

    def put_off(self) -> None:
        """A mail was not taken: the mail server is to bring it again."""
        self._put_off = True

    def beat(self) -> None:
        """Notes until when all mail is recorded; raises StorageUnavailable."""
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
        """Whether mail may wait; a clock that was put ahead or back looks the same."""
        last = self._beat_at
        return self._put_off or last is None or not last <= now <= last + LONGEST_SILENCE


def _tried_again(complete_until: datetime | None, now: datetime) -> timedelta:
    """After how long whatever came since a moment has been tried again; None: whenever it came."""
    waited = LONGEST_RETRY if complete_until is None else now - complete_until
    return min(max(waited, SHORTEST_RETRY), LONGEST_RETRY) + QUEUE_RUN + HANDING_OVER
