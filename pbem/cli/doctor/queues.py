"""Checks of what waits: email to go, jobs to do, email that the mail server hands over."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbem.cli.doctor.finding import LATELY, Examined, Finding
from pbem.cli.listing import minute
from pbem.cli.mail_rows import LOOKED_BACK, lost_lines
from pbem.ports.outbox import OutboxLine, TroubledMail
from pbem.ports.process import JobTally, QueueTally
from pbem.ports.storage import HANDED_OVER
from pbem.service.delivery.claims import waiting
from pbem.service.work import reading

MOST_LOOKED_AT = 100
LONG_HELD_UP = timedelta(hours=1)
"""For so long mail may wait for its turn before somebody should know."""


def outbox(examined: Examined) -> Iterator[Finding]:
    """Check for email that was refused, or is held up by a limit."""
    now = examined.status.now
    with reading(examined.club) as work:
        lost = work.outbox.troubled(now - LOOKED_BACK, MOST_LOOKED_AT)
        held_up = [each.line for each in waiting(work) if work.club.policy.rates.any]
    if lost:
        yield _refused(examined.club.director, lost)
    if held_up:
        yield _held_up(held_up, now)


def _refused(director: str, lost: list[TroubledMail]) -> Finding:
    """What did not arrive; that it was no mail to the director nobody else would tell."""
    of_director = [each for each in lost if each.failed_at and each.recipient == director]
    if of_director:
        (newest,) = lost_lines(of_director[:1])
        remedy = "Let that address take the club's mail, or set director in [club]."
        return Finding("outbox", f"{newest}. {remedy}")
    again = sum(each.failed_at is None for each in lost)
    (newest,) = lost_lines(lost[:1])
    are = "1 refused mail is" if again == 1 else f"{again} refused mails are"
    have = "1 has" if len(lost) - again == 1 else f"{len(lost) - again} have"
    counts = f"{are} tried again, {have} failed of late"
    return Finding("outbox", note=f"{counts}; the newest: {newest}")


def _held_up(lines: list[OutboxLine], now: datetime) -> Finding:
    """What the club may not send as fast as it writes."""
    mails, since = sum(line.mails for line in lines), min(line.since for line in lines)
    waits = "1 mail waits" if mails == 1 else f"{mails} mails wait"
    text = f"{waits} to go, the oldest since {minute(since)}; pbem mail waiting lists them"
    if now - since < LONG_HELD_UP:
        return Finding("limits", note=text)
    remedy = "Set rate, day_rate and domain_rates in [smtp] to what your provider allows."
    return Finding("limits", f"{text}. {remedy}")


LONG_UNDONE = timedelta(minutes=10)
"""Whatever waits for so long is done by nobody, or by too few."""


def job_queue(examined: Examined) -> Iterator[Finding]:
    """Check that workers do the jobs, if the club has a queue."""
    jobs = examined.status.jobs
    if jobs is not None:
        yield jobs_finding(jobs, examined.status.now)


def jobs_finding(jobs: JobTally, now: datetime) -> Finding:
    """The finding for a queue in its present state."""
    if not jobs.workers:
        return _nobody(jobs)
    slow = [
        each for each in jobs.queues if each.since is not None and now - each.since > LONG_UNDONE
    ]
    return _too_few(slow[0]) if slow else _well(jobs)


def _nobody(jobs: JobTally) -> Finding:
    """No worker: the club stands still, or is still to begin."""
    waiting = sum(each.waiting for each in jobs.queues)
    start = "Start pbem worker or pbem serve; where one runs, its log says why it does nothing."
    if waiting:
        jobs_wait = "1 job waits" if waiting == 1 else f"{waiting} jobs wait"
        return Finding("jobs", f"{jobs_wait}, and no worker is there to do any. {start}")
    return Finding("jobs", note="no job waits, and no worker is there")


def _too_few(queue: QueueTally) -> Finding:
    """Workers are there, but none of this queue, or not enough of them."""
    assert queue.since is not None
    jobs_wait = "1 job waits" if queue.waiting == 1 else f"{queue.waiting} jobs wait"
    told = f"{jobs_wait} in the queue {queue.queue}, the oldest since {minute(queue.since)}"
    remedy = f"Start a worker for it: pbem worker --queues {queue.queue}, or one for all queues."
    return Finding("jobs", f"{told}. {remedy}")


def _well(jobs: JobTally) -> Finding:
    workers = "1 worker is" if jobs.workers == 1 else f"{jobs.workers} workers are"
    again = sum(each.again for each in jobs.queues)
    failed = f"; {again} that failed will be tried again, and the log says why" if again else ""
    return Finding("jobs", note=f"{workers} there, and no job waits for long{failed}")


def handed_over(examined: Examined) -> Iterator[Finding]:
    """Check that somebody accepts email by LMTP, if the club is being served."""
    section = examined.config.lmtp
    if section is None or examined.config.club.embedded:
        return
    way = next(each for each in examined.status.intakes if each.name == HANDED_OVER)
    listened, complete = way.seen_at, way.complete_until
    lately = examined.status.now - LATELY
    if examined.is_served and (listened is None or listened < lately):
        since = "" if listened is None else f" since {minute(listened)}"
        yield Finding(
            "lmtp",
            f"nobody has taken mail at {section.listen}{since}, and no flag falls meanwhile."
            " Start pbem lmtp, or pbem serve anew.",
        )
        return
    behind = listened is not None and (complete is None or complete < lately)
    waits = "; no flag falls before the mail server has tried again what may wait there"
    yield Finding("lmtp", note=f"mail is handed over at {section.listen}{waits * behind}")
