"""Deliver: send each claimed email outside any transaction, and record the result.

After a crash between the two, the email is sent again with the same Message-ID. Results of a fifth
of a second are recorded together. A commit per email would take longer than sending it, and a
commit per batch would leave too much to send again if the server is slow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from pbem.log import get_logger
from pbem.mail.addresses.addressing import bounce_address
from pbem.mail.bounce.failure import refusal
from pbem.mail.outgoing.kinds import Farewell
from pbem.mail.outgoing.letter import to_bytes
from pbem.mail.topic import match_of
from pbem.ports.inbound import MailboxError
from pbem.ports.outbox import (
    Delivery,
    DeliveryReport,
    OutgoingMail,
    QueuedMail,
    Session,
    Transport,
    TransportError,
)
from pbem.ports.process import Meter, NoMeter, SentMail, StorageUnavailable, WallClock
from pbem.service.club import Club
from pbem.service.delivery.claims import BATCH, Claim, claim
from pbem.service.members.bounces import undelivered
from pbem.service.work import Work, writing


class Connection:
    """State of the connection to a mail server."""

    def __init__(self, server: str, clock: WallClock, meter: Meter | None = None) -> None:
        self._server = server
        self._clock = clock
        self._meter = meter or NoMeter()
        self._lost_at: datetime | None = None

    @property
    def lost(self) -> bool:
        """Return whether the last attempt failed."""
        return self._lost_at is not None

    @property
    def trouble(self) -> str:
        """Describe the failure of the last attempt. Empty if it succeeded."""
        if self._lost_at is None:
            return ""
        return f"{self._server} cannot be reached since {self._lost_at:%Y-%m-%d %H:%M} UTC"

    def works(self) -> None:
        """Record that the server answered."""
        self._meter.reached(self._server, works=True)
        if self._lost_at is not None:
            minutes = round((self._clock.now() - self._lost_at).total_seconds() / 60)
            log.info("connected again", server=self._server, after_minutes=max(0, minutes))
            self._lost_at = None

    @contextmanager
    def tried(self) -> Iterator[None]:
        """Open a block whose errors count as failures of the server."""
        try:
            yield
        except (MailboxError, TransportError):
            self._lost_at = self._lost_at or self._clock.now()
            self._meter.reached(self._server, works=False)
            raise


class WatchedTransport:
    """A transport that records whether its server can be reached."""

    def __init__(self, transport: Transport, connection: Connection) -> None:
        self._transport = transport
        self._connection = connection

    @property
    def trouble(self) -> str:
        """Describe why the server cannot be reached. Empty if it can."""
        return self._connection.trouble

    @contextmanager
    def connect(self) -> Iterator[Session]:
        """Open a session. Raises TransportError."""
        with self._connection.tried(), self._transport.connect() as session:
            self._connection.works()
            yield session


log = get_logger(__name__)

RECORD_EVERY = timedelta(seconds=0.2)
SLOW = timedelta(seconds=5)
"""If a domain takes this long over one email, its others leave the batch."""
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
MOST_ATTEMPTS = 38
"""About five days of attempts."""


def deliver(club: Club, transport: Transport, stopping: Callable[[], bool] = lambda: False) -> int:
    """Send all due emails. Return how many went. Raises TransportError if the server is away."""
    sent = 0
    while not stopping() and (batch := claim(club)).mails:
        gone = _send_batch(club, transport, batch, stopping)
        sent += gone
        if gone == len(batch.mails) < BATCH:
            break  # that was all, since emails queued later have a job of their own
    return sent


def _send_batch(
    club: Club, transport: Transport, batch: Claim, stopping: Callable[[], bool]
) -> int:
    def over() -> bool:
        return stopping() or batch.has_run_out(club)

    waiting, left, sent = list(batch.mails), list[QueuedMail](), 0
    try:
        with transport.connect() as session:
            while waiting and not over():
                sent += _send_some(club, session, waiting, left, over)
    finally:
        if not batch.has_run_out(club):
            _release(club, waiting + left)
    return sent


def _send_some(
    club: Club,
    session: Session,
    waiting: list[QueuedMail],
    left: list[QueuedMail],
    over: Callable[[], bool],
) -> int:
    """Send the first of the waiting emails and record the results. Return how many went.

    Removes them from `waiting`. Moves emails to slow domains to `left`, so that others need not
    wait.
    """
    tried: list[tuple[QueuedMail, DeliveryReport]] = []
    begun = club.clock.now()
    try:
        while waiting and not over():
            at = club.clock.now()
            tried.append((waiting[0], _send(club, session, waiting[0])))
            domain, now = waiting.pop(0).mail.domain, club.clock.now()
            if now - at >= SLOW:
                left += [each for each in waiting if each.mail.domain == domain]
                waiting[:] = [each for each in waiting if each.mail.domain != domain]
            if now - begun >= RECORD_EVERY:
                break
    except TransportError as error:
        # The server may hang up on this very email, so those after it must not wait for it.
        _put_off(club, waiting.pop(0), str(error))
        raise
    finally:
        _record(club, tried)
    return sum(report.delivery is Delivery.SENT for _, report in tried)


def _send(club: Club, session: Session, queued: QueuedMail) -> DeliveryReport:
    """Send one email. If it cannot be encoded it is refused, so that it holds up no other."""
    mail = queued.mail
    try:
        raw = to_bytes(mail.letter)
    except Exception as error:
        log.exception("no bytes can be made of a letter", outbox=queued.id)
        return DeliveryReport(Delivery.REFUSED, f"it cannot be written: {type(error).__name__}")
    return session.send(_sender(club, mail), mail.recipient, raw)


def _sender(club: Club, mail: OutgoingMail) -> str:
    """Return the envelope sender, to which the email bounces."""
    if mail.bounce_key is None:
        return club.address
    return bounce_address(club.address, mail.bounce_key)


def _record(club: Club, tried: list[tuple[QueuedMail, DeliveryReport]]) -> None:
    if not tried:
        return
    with writing(club) as work:
        gone = [queued.id for queued, report in tried if report.delivery is Delivery.SENT]
        if gone:
            work.outbox.sent(gone, work.now)
        for queued, report in tried:
            if _is_over(queued, report) and queued.mail.kind == Farewell.name():
                _forget(work, queued)
            elif report.delivery is not Delivery.SENT:
                _record_trouble(work, queued, report)
    for queued, report in tried:
        if report.delivery is Delivery.SENT:
            _log_sent(queued)
            club.meter.sent(_as_counted(queued.mail, work.now))
        else:
            reason = refusal(queued.mail.recipient, report.reply).subject
            club.meter.not_sent(report.delivery, reason)


def _as_counted(mail: OutgoingMail, now: datetime) -> SentMail:
    after = None if mail.received_at is None else now - mail.received_at
    return SentMail(mail.kind, mail.urgency.name.lower(), after)


def _forget(work: Work, farewell: QueuedMail) -> None:
    """Erase the farewell email to a former member."""
    work.outbox.drop(farewell.id)
    work.erasures.note(work.now)
    work.jobs.enqueue("erase")


def _record_trouble(work: Work, queued: QueuedMail, report: DeliveryReport) -> None:
    """Record an email that was not accepted: it is tried again, or it has failed."""
    if not _is_over(queued, report):
        again = work.now + pause(queued.attempts)
        log.warning(
            "put off by the server",
            outbox=queued.id,
            reply=report.reply,
            again=f"{again:%H:%M} UTC",
        )
        work.outbox.retry(queued.id, report.reply, again)
    else:
        log.error("undeliverable", outbox=queued.id, reply=report.reply)
        work.outbox.failed(queued.id, report.reply, work.now)
        undelivered(work, queued, report)


def _is_over(queued: QueuedMail, report: DeliveryReport) -> bool:
    """Return whether an email has gone or never will."""
    return report.delivery is not Delivery.DEFERRED or queued.attempts + 1 >= MOST_ATTEMPTS


def _put_off(club: Club, queued: QueuedMail, why: str) -> None:
    log.warning("connection lost over a mail", outbox=queued.id, error=why)
    club.meter.not_sent(Delivery.DEFERRED, "connection")
    with writing(club) as work:
        work.outbox.release(queued.id, club.clock.now() + FIRST_PAUSE)


def _log_sent(queued: QueuedMail) -> None:
    """Log an email that a server has accepted."""
    mail = queued.mail
    to = "" if mail.kind == Farewell.name() else mail.recipient
    told = {"outbox": queued.id, "to": to, "match": match_of(mail.topic)}
    known = {key: value for key, value in told.items() if value not in (None, "")}
    log.info("mail sent", **known, kind=mail.kind)


def pause(attempts: int) -> timedelta:
    """Return how long to wait after an attempt that had this many before it."""
    doublings = min(attempts, 16)
    return min(FIRST_PAUSE * (1 << doublings), LONGEST_PAUSE)


def _release(club: Club, waiting: list[QueuedMail]) -> None:
    """Release untried emails. If that fails too, the claims expire on their own."""
    if not waiting:
        return
    try:
        with writing(club) as work:
            for queued in waiting:
                work.outbox.release(queued.id)
    except StorageUnavailable:
        log.warning("claims not released", mails=len(waiting))
