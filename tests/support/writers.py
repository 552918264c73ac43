"""Workers in separate processes that use one database.

They are forked from a process that has imported everything, since importing takes each of them
longer than its work. All start at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection

from sqlalchemy import create_engine

from pbem.adapters.db.engine import open_engine
from pbem.adapters.db.unit_of_work import SqlStorage, open_storage
from pbem.matches.competitions.series import Series
from pbem.ports.process import StorageError, StorageUnavailable
from pbem.ports.storage import UnitOfWork
from pbem.service.club import Rates
from pbem.service.delivery.claims import claim as claim_next
from tests.fakes.clock import FakeClock
from tests.support.sending import sending_club
from tests.support.stored import OPTIONS, T0, action, claim, key, received

MATCH = 1
BATCH = 5
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload([__name__, "pbem.adapters.db.migrate"])

Work = Callable[[str, int], list[int]]


def start_together(workers: int, work: Work, url: str, count: int) -> list[list[int]]:
    """Run all workers. Return what each has done."""
    pairs = [PROCESSES.Pipe() for _ in range(workers)]
    started = [PROCESSES.Process(target=_run, args=(end, work, url, count)) for _, end in pairs]
    for process, (_, end) in zip(started, pairs, strict=True):
        process.start()
        end.close()  # so that the death of a worker is noticed
    ours = [mine for mine, _ in pairs]
    for mine in ours:
        assert mine.recv() == "ready"
    for mine in ours:
        mine.send("go")
    done = [mine.recv() for mine in ours]
    for process, mine in zip(started, ours, strict=True):
        process.join()
        process.close()
        mine.close()
    return done


def _run(end: Connection, work: Work, url: str, count: int) -> None:
    end.send("ready")
    end.recv()
    end.send(work(url, count))


def play_locked(url: str, count: int) -> list[int]:
    """Play turns as the service does, retrying after long waits. Return how many."""
    storage = SqlStorage(open_engine(url))
    return [sum(_played_at_last(storage) for _ in range(count))]


def _played_at_last(storage: SqlStorage) -> bool:
    while True:
        try:
            with storage.writing() as uow:
                _play(uow, locked=True)
        except StorageUnavailable:  # the machine is busy with something else
            continue
        return True


def play_unlocked(url: str, count: int) -> list[int]:
    """Do the same on an unmodified engine, without a lock on the match."""
    storage = SqlStorage(create_engine(url))
    return [sum(_played(storage, lambda uow: _play(uow, locked=False)) for _ in range(count))]


def _play(uow: UnitOfWork, *, locked: bool) -> None:
    match = uow.matches.lock(MATCH) if locked else uow.matches.get(MATCH)
    number = match.actions + 1
    uow.matches.append(MATCH, [action(number)])
    uow.matches.save(replace(match, actions=number, turn=number + 1))


def _played(storage: SqlStorage, play: Callable[[UnitOfWork], None]) -> bool:
    try:
        with storage.writing() as uow:
            play(uow)
    except (StorageError, StorageUnavailable):
        return False
    return True


def claim_all(url: str, _count: int) -> list[int]:
    """Claim emails until there are none. Return their ids."""
    storage = SqlStorage(open_engine(url))
    found: list[int] = []
    while True:
        with storage.writing() as uow:
            claimed = claim(uow, T0, T0 + timedelta(minutes=5), BATCH)
        if not claimed:
            return found
        found += (mail.id for mail in claimed)


def claim_rated(url: str, _count: int) -> list[int]:
    """Claim, a few times, what a club may send at sixty emails a minute. Return their ids."""
    club = sending_club(SqlStorage(open_engine(url)), FakeClock(T0), Rates(60))
    return [queued.id for _ in range(5) for queued in claim_next(club).mails]


def record(url: str, count: int) -> list[int]:
    """Record the emails that everyone else records too. Return the UIDs that were new."""
    storage = SqlStorage(open_engine(url))
    new = []
    for uid in range(1, count + 1):
        with storage.writing() as uow:
            if uow.inbound.add(received(uid), key(uid), T0) is not None:
                new.append(uid)
    return new


def begin_series(url: str, count: int) -> list[int]:
    """Start series between the first two players. Return their numbers."""
    storage = SqlStorage(open_engine(url))
    numbers = []
    for _ in range(count):
        with storage.writing() as uow:
            series = Series("lanrick-1881", (1, 2), OPTIONS, T0, games=2)
            numbers.append(uow.competitions.add(series).number)
    return numbers


def choose(url: str, count: int) -> list[int]:
    """Change settings of the first player that nobody else changes."""
    storage = SqlStorage(open_engine(url))
    for number in range(count):
        with storage.writing() as uow:
            uow.players.get(1)  # as the code that answers their email has done
            uow.players.choose(1, f"{os.getpid()}-{number}", "so")
    return []


def open_first(url: str, _count: int) -> list[int]:
    """Open a database that may be empty. Return its number of players."""
    storage = open_storage(url)
    with storage.reading() as uow:
        return [len(uow.players.all())]
