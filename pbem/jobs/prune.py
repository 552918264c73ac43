"""Prune: delete what the club no longer keeps, in small batches so that nobody waits.

The port keeps what must remain of an email: that it was read, its thread, and what it proves.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from pbem.log import get_logger
from pbem.ports.keeping import Pruned
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Club
from pbem.service.work import writing

log = get_logger(__name__)

BATCH = 100
"""Emails checked in one transaction."""
MOST = 5000
"""Rough limit on the emails deleted in one run. A club that grew for years is pruned hour by hour.
"""
LEAVES_KEPT = timedelta(days=2 * 366)
"""Leave is counted by year, so that of last year can still be looked up."""

STEP = timedelta(days=30)
"""Maximum by which the limit moves in one run, so that people notice a clock set ahead before it
costs much.
"""

Look = Callable[[UnitOfWork, datetime, int], Pruned]


def prune(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Delete what is older than the club keeps. Return how many emails."""
    with writing(club) as work:
        work.retention.prune_caches()
    kept = club.policy.keep_mails
    if kept is None:
        return 0
    until = _until(club, kept)
    if until is None:
        return 0
    received = _mails(club, _received, until, stopping)
    sent = _mails(club, _sent, until, stopping)
    with writing(club) as work:
        rows = work.retention.prune_words(until)
        rows += work.retention.prune_leaves(min(until, work.now - LEAVES_KEPT))
        much_room = work.retention.is_mostly_room()
    if received or sent or rows:
        log.info("pruned", received=received, sent=sent, others=rows)
    if much_room and club.storage.wipe():
        log.info("disk given back")
    return received + sent


def _until(club: Club, kept: timedelta) -> datetime | None:
    """Return the time before which everything is deleted. None in the first run, which only marks.

    Each run deletes only what the run before it had also found too old.
    """
    with writing(club) as work:
        limit, marked = work.now - kept, work.service.kept_from()
        work.service.keep_from(limit if marked is None else min(limit, marked + STEP))
    return marked and min(limit, marked)


def _received(uow: UnitOfWork, until: datetime, after: int) -> Pruned:
    return uow.retention.prune_received(until, after, BATCH)


def _sent(uow: UnitOfWork, until: datetime, after: int) -> Pruned:
    return uow.retention.prune_sent(until, after, BATCH)


def _mails(club: Club, look: Look, until: datetime, stopping: Callable[[], bool]) -> int:
    """Prune until nothing older is left or many emails were deleted. Return how many."""
    dropped, last = 0, 0
    while dropped < MOST and not stopping():
        with writing(club) as work:
            looked = look(work, until, last)
        dropped += looked.dropped
        if looked.last is None:
            break
        last = looked.last
    return dropped
