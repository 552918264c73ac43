"""Deliver outbox: each mail is claimed, sent outside any transaction, and recorded.

A crash between the last two steps sends it again with the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import structlog

from pbem.service.club import Club
from pbem.service.ports import (
    Delivery,
    DeliveryReport,
    QueuedMail,
    Session,
    StorageUnavailable,
    Transport,
    UnitOfWork,
)
from pbem.service.post import tell_director

log = structlog.get_logger(__name__)

BATCH = 20
"""Mails claimed at once: few enough to be sent before the claim ends."""
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
MOST_ATTEMPTS = 38
"""About five days of trying."""


def deliver(club: Club, transport: Transport, stopping: Callable[[], bool] = lambda: False) -> int:
    """Sends what is due; returns how many went. Raises TransportError if the server is away."""
    sent = 0
    while not stopping() and (batch := _claim(club)):
        sent += _send_batch(club, transport, batch, stopping)
    return sent


def _claim(club: Club) -> list[QueuedMail]:
    now = club.clock.now()
    with club.storage.writing() as uow:
        return uow.outbox.claim(now, now + club.policy.claim, BATCH)


def _send_batch(
    club: Club, transport: Transport, batch: list[QueuedMail], stopping: Callable[[], bool]
) -> int:
    waiting, sent = list(batch), 0
    try:
        with transport.connect() as session:
            while waiting and not stopping():
                sent += _send(club, session, waiting[0])
                waiting.pop(0)
    finally:
        _release(club, waiting)
    return sent


def _send(club: Club, session: Session, queued: QueuedMail) -> int:
    report = session.send(club.address, queued.mail.recipient, queued.mail.raw)
    _record(club, queued, report)
    return report.delivery is Delivery.SENT


def _record(club: Club, queued: QueuedMail, report: DeliveryReport) -> None:
    now = club.clock.now()
    with club.storage.writing() as uow:
        if report.delivery is Delivery.SENT:
            uow.outbox.sent(queued.id, now)
        elif report.delivery is Delivery.DEFERRED and queued.attempts + 1 < MOST_ATTEMPTS:
            uow.outbox.retry(queued.id, report.reply, now + pause(queued.attempts))
        else:
            uow.outbox.failed(queued.id, report.reply, now)
            _report_failure(club, uow, queued, report)


def pause(attempts: int) -> timedelta:
    """How long to wait after so many attempts before the last one."""
    doublings = min(attempts, 16)
    return min(FIRST_PAUSE * (1 << doublings), LONGEST_PAUSE)


def _report_failure(
    club: Club, uow: UnitOfWork, queued: QueuedMail, report: DeliveryReport
) -> None:
    log.error("undeliverable", outbox=queued.id, reply=report.reply)
    if queued.mail.recipient != club.director:
        tell_director(
            club,
            uow,
            "director_undeliverable",
            f"no mail goes to {queued.mail.recipient}",
            {"mail": queued.mail, "reply": report.reply},
        )


def _release(club: Club, waiting: list[QueuedMail]) -> None:
    """Gives back what was not tried; if that fails too, the claims run out by themselves."""
    if not waiting:
        return
    try:
        with club.storage.writing() as uow:
            for queued in waiting:
                uow.outbox.release(queued.id)
    except StorageUnavailable:
        log.warning("claims not released", mails=len(waiting))
