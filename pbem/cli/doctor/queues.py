"""Checks of queues: emails to send, jobs to do, emails that the mail server hands over."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbem.cli.doctor.finding import LATELY, Examined, Finding
from pbem.mail.outgoing.render import lines_of
from pbem.matches.zones import minute
from pbem.ports.outbox import OutboxLine, TroubledMail
from pbem.ports.process import JobTally, QueueTally
from pbem.ports.storage import HANDED_OVER
from pbem.service.delivery.claims import waiting
from pbem.service.members.member_facts import LOOKED_BACK, undelivered
from pbem.service.work import reading

MOST_LOOKED_AT = 100
LONG_HELD_UP = timedelta(hours=1)
"""An email that waits this long for its turn is worth reporting."""


def outbox(examined: Examined) -> Iterator[Finding]:
    """Check for emails that were refused, or are held up by a limit."""
    now = examined.status.now
    with reading(examined.club) as work:
        lost = work.outbox.troubled(now - LOOKED_BACK, MOST_LOOKED_AT)
        held_up = [each.line for each in waiting(work) if work.club.policy.rates.any]
    if lost:
        yield _refused(examined.club.director, lost)
    if held_up:
        yield _held_up(held_up, now)


def _refused(director: str, lost: list[TroubledMail]) -> Finding:
    """Return the finding for refused emails. A director can't learn by email that theirs fail."""
    of_director = [each for each in lost if each.failed_at and each.recipient == director]
    if of_director:
        newest = _said(of_director[0])
        remedy = "Make that address accept the club's emails, or change director in [club]."
        return Finding("outbox", f"{newest}. {remedy}")
    again = sum(each.failed_at is None for each in lost)
    are = "1 refused email will" if again == 1 else f"{again} refused emails will"
    have = "1 has" if len(lost) - again == 1 else f"{len(lost) - again} have"
    counts = f"{are} be tried again, {have} failed recently"
    return Finding("outbox", note=f"{counts}; the newest: {_said(lost[0])}")


def _said(mail: TroubledMail) -> str:
    (line,) = lines_of("_undelivered.txt.j2", {"mail": undelivered([mail])[0]})
    return line


def _held_up(lines: list[OutboxLine], now: datetime) -> Finding:
    """Return the finding for emails that wait for a limit on sending."""
    mails, since = sum(line.mails for line in lines), min(line.since for line in lines)
    waits = "1 email waits" if mails == 1 else f"{mails} emails wait"
    text = f"{waits} to be sent, the oldest since {minute(since)}. See pbem mail waiting"
    if now - since < LONG_HELD_UP:
        return Finding("limits", note=text)
    remedy = "Set rate, day_rate and domain_rates in [smtp] to what your provider allows."
    return Finding("limits", f"{text}. {remedy}")


LONG_UNDONE = timedelta(minutes=10)
"""A job that waits this long has no worker, or too few."""


def job_queue(examined: Examined) -> Iterator[Finding]:
    """Check that workers do the jobs, if the club has a queue."""
    jobs = examined.status.jobs
    if jobs is not None:
        yield jobs_finding(jobs, examined.status.now)


def jobs_finding(jobs: JobTally, now: datetime) -> Finding:
    """Return the finding for a queue in its present state."""
    if not jobs.workers:
        return _nobody(jobs)
    slow = [
        each for each in jobs.queues if each.since is not None and now - each.since > LONG_UNDONE
    ]
    return _too_few(slow[0]) if slow else _well(jobs)


def _nobody(jobs: JobTally) -> Finding:
    """Return the finding if there is no worker. The club does nothing, or has not started."""
    waiting = sum(each.waiting for each in jobs.queues)
    start = "Start pbem worker or pbem serve. If one is running, its log says why it does nothing."
    if waiting:
        jobs_wait = "1 job waits" if waiting == 1 else f"{waiting} jobs wait"
        return Finding("jobs", f"{jobs_wait}, and no worker is running. {start}")
    return Finding("jobs", note="no job waits, and no worker is running")


def _too_few(queue: QueueTally) -> Finding:
    """Return the finding if no worker serves this queue, or not enough of them."""
    assert queue.since is not None
    jobs_wait = "1 job waits" if queue.waiting == 1 else f"{queue.waiting} jobs wait"
    told = f"{jobs_wait} in the queue {queue.queue}, the oldest since {minute(queue.since)}"
    remedy = (
        f"Start a worker for it with pbem worker --queues {queue.queue}, or one for all queues."
    )
    return Finding("jobs", f"{told}. {remedy}")


def _well(jobs: JobTally) -> Finding:
    workers = "1 worker is" if jobs.workers == 1 else f"{jobs.workers} workers are"
    again = sum(each.again for each in jobs.queues)
    failed = f"; {again} that failed will be tried again (the log says why)" if again else ""
    return Finding("jobs", note=f"{workers} running, and no job waits for long{failed}")


def handed_over(examined: Examined) -> Iterator[Finding]:
    """Check that a process accepts email by LMTP, if the club is being served."""
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
            f"nothing has accepted email at {section.listen}{since}, so no clock can expire."
            " Start pbem lmtp, or restart pbem serve.",
        )
        return
    behind = listened is not None and (complete is None or complete < lately)
    waits = "; clocks cannot expire until the mail server has delivered what may wait there"
    yield Finding("lmtp", note=f"email is handed over at {section.listen}{waits * behind}")
