"""Pending: process the waiting emails, several in one transaction while nothing goes wrong.

Emails with a good token go first, then the oldest.

A commit waits for the disk and takes longer than many emails. Each email sees the changes of those
before it, as if it had come alone. If one of them fails, the whole transaction is rolled back and
each email gets its own, so that no email affects another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from datetime import timedelta

from pbem.inbox.process import Processed, make_known, process, process_in
from pbem.ports.process import Deadlock, StorageUnavailable
from pbem.service.clocks.heartbeat import mind_the_clock
from pbem.service.club import Club
from pbem.service.work import Work, reading, writing

MOST = 8
"""Maximum number of emails in one transaction. The first email gets its own, and so does the
first after an error. Then come batches of two, four and eight. So no answer waits for many others.
If one email kills the process, each restart still processes some before it.
"""
SPAN = timedelta(seconds=0.2)
"""A batch takes no more emails after this time, since SQLite blocks all other writers meanwhile."""


def process_pending(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Process all waiting emails in reading order. Return the number taken.

    The queue is read again after each batch, since emails that go ahead may arrive.
    """
    mind_the_clock(club)
    taken, most, seen = 0, 1, set[int]()
    while waiting := _in_line(club, seen):
        until = club.clock.now() + SPAN
        while waiting and not stopping():
            together = _process_together(club, waiting[:most])
            done = together or _process_apart(club, waiting[:most], stopping)
            seen.update(waiting[:done])
            taken, waiting = taken + done, waiting[done:]
            most = min(2 * most, MOST) if together else 1
            if club.clock.now() >= until:
                break
        if stopping():
            break
    return taken


def _in_line(club: Club, seen: Set[int]) -> list[int]:
    """Return the waiting emails except those already taken."""
    with reading(club) as work:
        return [each for each in work.inbound.pending() if each not in seen]


def _process_together(club: Club, batch: Sequence[int]) -> int:
    """Process the first of some emails in one transaction. Return how many.

    Returns 0 if one of them must be judged again or shunted, or after a deadlock. Raises
    StorageUnavailable if the database is down, and then all emails wait.
    """
    try:
        with writing(club) as work:
            done = list(_processed(work, batch))
    except Deadlock:
        return 0
    except StorageUnavailable:
        raise
    except Exception:  # noqa: BLE001  any error occurs again when the email is processed alone
        return 0
    for processed in filter(None, done):
        make_known(club, processed)
    return len(done)


def _processed(begun: Work, batch: Sequence[int]) -> Iterator[Processed | None]:
    for inbound_id in batch:
        work = begun.again()
        if work.now - begun.now >= SPAN:
            return
        yield process_in(work, inbound_id)


def _process_apart(club: Club, batch: Sequence[int], stopping: Callable[[], bool]) -> int:
    """Process emails, each in its own transaction. Return how many."""
    taken = 0
    for inbound_id in batch:
        if stopping():
            break
        process(club, inbound_id)
        taken += 1
    return taken
