"""Deliver: send each claimed email outside any transaction, and record the result.

A crash between the last two steps sends it again with the same Message-ID. Recorded together is
what was sent within a fifth of a second: a commit for each mail would take longer than to send it,
and to wait for a whole batch would leave too much to be sent again where the server is slow.
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
    """The way to one mail server."""

    def __init__(self, server: str, clock: WallClock, meter: Meter | None = None) -> None:
        self._server = server
        self._clock = clock
        self._meter = meter or NoMeter()
        self._lost_at: datetime | None = None

    @property
    def lost(self) -> bool:
        """Whether it failed the last time."""
        return self._lost_at is not None

    @property
    def trouble(self) -> str:
        """That it failed the last time, in words; empty if it did not."""
        if self._lost_at is None:
            return ""
        return f"{self._server} cannot be reached since {self._lost_at:%Y-%m-%d %H:%M} UTC"

    def works(self) -> None:
        """The server has answered."""
        self._meter.reached(self._server, works=True)
        if self._lost_at is not None:
            minutes = round((self._clock.now() - self._lost_at).total_seconds() / 60)
            log.info("connected again", server=self._server, after_minutes=max(0, minutes))
            self._lost_at = None

    @contextmanager
    def tried(self) -> Iterator[None]:
        """A block that fails where the server cannot be reached."""
        try:
            yield
        except (MailboxError, TransportError):
            self._lost_at = self._lost_at or self._clock.now()
            self._meter.reached(self._server, works=False)
            raise


class WatchedTransport:
    """A transport whose sessions tell that the server is there."""

    def __init__(self, transport: Transport, connection: Connection) -> None:
        self._transport = transport
        self._connection = connection

    @property
    def trouble(self) -> str:
        """That the server could not be reached, in words; empty if it could."""
        return self._connection.trouble

    @contextmanager
    def connect(self) -> Iterator[Session]:
        """A session; raises TransportError."""
        with self._connection.tried(), self._transport.connect() as session:
            self._connection.works()
            yield session


log = get_logger(__name__)

RECORD_EVERY = timedelta(seconds=0.2)
SLOW = timedelta(seconds=5)
"""Of a domain that takes so long over a mail, no more are sent in the same batch."""
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
MOST_ATTEMPTS = 38
"""About five days of trying."""


def deliver(club: Club, transport: Transport, stopping: Callable[[], bool] = lambda: False) -> int:
    """Sends what is due; returns how many went. Raises TransportError if the server is away."""
    sent = 0
    while not stopping() and (batch := claim(club)).mails:
        gone = _send_batch(club, transport, batch, stopping)
        sent += gone
        if gone == len(batch.mails) < BATCH:
            break  # that was all; what has been queued since has a job of its own
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
    """Sends the first of some mails, takes them off, and records them; returns how many went.

    Those to a domain that is slow are left for later: the others must not wait for them.
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
        # Perhaps the server hangs up on this very mail: those behind it must not wait for it.
        _put_off(club, waiting.pop(0), str(error))
        raise
    finally:
        _record(club, tried)
    return sum(report.delivery is Delivery.SENT for _, report in tried)


def _send(club: Club, session: Session, queued: QueuedMail) -> DeliveryReport:
    """Sends one; a letter of which no bytes can be made is refused, and holds up no other."""
    mail = queued.mail
    try:
        raw = to_bytes(mail.letter)
    except Exception as error:
        log.exception("no bytes can be made of a letter", outbox=queued.id)
        return DeliveryReport(Delivery.REFUSED, f"it cannot be written: {type(error).__name__}")
    return session.send(_sender(club, mail), mail.recipient, raw)


def _sender(club: Club, mail: OutgoingMail) -> str:
    """Where the mail comes back to if it cannot be delivered."""
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
    """Nothing is kept of what somebody was written who has left."""
    work.outbox.drop(farewell.id)
    work.erasures.note(work.now)
    work.jobs.enqueue("erase")


def _record_trouble(work: Work, queued: QueuedMail, report: DeliveryReport) -> None:
    """Records a mail that was not taken: it is tried again, or has failed."""
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
    """Whether a mail has gone, or never will."""
    return report.delivery is not Delivery.DEFERRED or queued.attempts + 1 >= MOST_ATTEMPTS


def _put_off(club: Club, queued: QueuedMail, why: str) -> None:
    log.warning("connection lost over a mail", outbox=queued.id, error=why)
    club.meter.not_sent(Delivery.DEFERRED, "connection")
    with writing(club) as work:
        work.outbox.release(queued.id, club.clock.now() + FIRST_PAUSE)


def _log_sent(queued: QueuedMail) -> None:
    """A line for a mail that a server has taken."""
    mail = queued.mail
    to = "" if mail.kind == Farewell.name() else mail.recipient
    told = {"outbox": queued.id, "to": to, "match": match_of(mail.topic)}
    known = {key: value for key, value in told.items() if value not in (None, "")}
    log.info("mail sent", **known, kind=mail.kind)


def pause(attempts: int) -> timedelta:
    """How long to wait after so many attempts before the last one."""
    doublings = min(attempts, 16)
    return min(FIRST_PAUSE * (1 << doublings), LONGEST_PAUSE)


def _release(club: Club, waiting: list[QueuedMail]) -> None:
    """Gives back what was not tried; if that fails too, the claims run out by themselves."""
    if not waiting:
        return
    try:
        with writing(club) as work:
            for queued in waiting:
                work.outbox.release(queued.id)
    except StorageUnavailable:
        log.warning("claims not released", mails=len(waiting))
