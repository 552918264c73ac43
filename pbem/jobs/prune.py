"""Prune: what the club keeps no longer goes, a few rows at a time: nobody waits for it.

What must stay of a mail is known to the port: that it was read, its thread, what it proves.
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
"""Mails looked at in one transaction."""
MOST = 5000
"""Mails dropped in one run, about: a club that has grown for years is pruned hour by hour."""
LEAVES_KEPT = timedelta(days=2 * 366)
"""Days of leave are counted by the year, so that those of the last one can still be asked for."""

STEP = timedelta(days=30)
"""No more of what is kept goes in one run: a clock that is ahead is found out by people before it
has cost much."""

Look = Callable[[UnitOfWork, datetime, int], Pruned]


def prune(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Drops what is older than the club keeps; returns how many mails."""
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
    """From when on everything is kept; None in the first run, which drops nothing.

    Each run drops what the one before it has marked, so that both must have found it too old.
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
    """Looks on until nothing older is left, or many were dropped; returns how many."""
    dropped, last = 0, 0
    while dropped < MOST and not stopping():
        with writing(club) as work:
            looked = look(work, until, last)
        dropped += looked.dropped
        if looked.last is None:
            break
        last = looked.last
    return dropped
