"""Pending: the emails that wait, several in one transaction while nothing goes wrong.

Those with a good token go ahead of the others; otherwise the oldest is first.

A commit waits for the disk, and takes longer than many a mail. Each mail sees what those before it
have done, as if it had come alone. Where one of them cannot be carried out, nothing of that
transaction is kept, and each has one of its own: so none touches another.
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
"""Mails of one transaction. The first has one of its own, and so has the first after one that went
wrong, the next two have one, the next four: nobody's answer waits for many others, and of mails
before one of which the process dies each of its lives does some."""
SPAN = timedelta(seconds=0.2)
"""No mail is begun so long after the first: meanwhile nobody else writes to SQLite."""


def process_pending(club: Club, stopping: Callable[[], bool] = lambda: False) -> int:
    """Process every email that waits, in line; return how many were taken.

    The line is read again and again, since an email that goes ahead may arrive.
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
    """Return what waits and was not taken before: nothing is taken twice."""
    with reading(club) as work:
        return [each for each in work.inbound.pending() if each not in seen]


def _process_together(club: Club, batch: Sequence[int]) -> int:
    """Processes the first of some mails in one transaction; returns how many.

    None of them, if one has to be judged again or set aside, or others wait for it as it does for
    them. Raises StorageUnavailable if the database is; then all wait.
    """
    try:
        with writing(club) as work:
            done = list(_processed(work, batch))
    except Deadlock:
        return 0
    except StorageUnavailable:
        raise
    except Exception:  # noqa: BLE001  whatever it is, it is seen again where the mail is alone
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
    """Processes mails each in a transaction of its own; returns how many."""
    taken = 0
    for inbound_id in batch:
        if stopping():
            break
        process(club, inbound_id)
        taken += 1
    return taken
