"""Checks of the mails that wait to go, and of those that did not arrive."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbem.cli.doctor.examined import Examined
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import minute
from pbem.cli.troubles import LOOKED_BACK, lines_of
from pbem.ports.outbox import Line, TroubledMail
from pbem.service.delivery.waiting import waiting
from pbem.service.work import reading

MOST_LOOKED_AT = 100
LONG = timedelta(hours=1)
"""For so long mail may wait for its turn before somebody should know."""


def look(examined: Examined) -> Iterator[Finding]:
    """Nothing where no mail is in trouble."""
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
        (newest,) = lines_of(of_director[:1])
        remedy = "Let that address take the club's mail, or set director in [club]."
        return Finding("outbox", f"{newest}. {remedy}")
    again = sum(each.failed_at is None for each in lost)
    (newest,) = lines_of(lost[:1])
    are = "1 refused mail is" if again == 1 else f"{again} refused mails are"
    have = "1 has" if len(lost) - again == 1 else f"{len(lost) - again} have"
    counts = f"{are} tried again, {have} failed of late"
    return Finding("outbox", note=f"{counts}; the newest: {newest}")


def _held_up(lines: list[Line], now: datetime) -> Finding:
    """What the club may not send as fast as it writes."""
    mails, since = sum(line.mails for line in lines), min(line.since for line in lines)
    waits = "1 mail waits" if mails == 1 else f"{mails} mails wait"
    text = f"{waits} to go, the oldest since {minute(since)}; pbem mail waiting lists them"
    if now - since < LONG:
        return Finding("limits", note=text)
    remedy = "Set rate, day_rate and domain_rates in [smtp] to what your provider allows."
    return Finding("limits", f"{text}. {remedy}")
