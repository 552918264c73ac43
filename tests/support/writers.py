"""Workers in processes of their own: `python -m tests.support.writers WORK URL COUNT`.

Each says `ready`, waits for a line, works, and prints what it has done; so all begin at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import create_engine

from pbem.adapters.db import SqlStorage, open_engine, open_storage
from pbem.matches.competitions.series import Series
from pbem.service.ports import StorageError, StorageUnavailable, UnitOfWork
from tests.support.stored import OPTIONS, T0, action, key, received

MATCH = 1
BATCH = 5


def start_together(workers: int, work: str, url: str, count: int) -> list[list[str]]:
    """What each worker printed, a list of words each."""
    command = [sys.executable, "-m", __name__, work, url, str(count)]
    started = [_start(command) for _ in range(workers)]
    for worker in started:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in started:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    printed = [worker.communicate()[0].split() for worker in started]
    assert [worker.returncode for worker in started] == [0] * workers
    return printed


def _start(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def play_locked(url: str, count: int) -> None:
    """Plays turns as the service does; prints how many."""
    storage = SqlStorage(open_engine(url))
    print(sum(_played(storage, lambda uow: _play(uow, locked=True)) for _ in range(count)))


def play_unlocked(url: str, count: int) -> None:
    """The same on an engine as it comes, without a lock on the match."""
    storage = SqlStorage(create_engine(url))
    print(sum(_played(storage, lambda uow: _play(uow, locked=False)) for _ in range(count)))


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


def claim(url: str, _count: int) -> None:
    """Claims mails until there are none; prints their ids."""
    storage = SqlStorage(open_engine(url))
    while True:
        with storage.writing() as uow:
            claimed = uow.outbox.claim(T0, T0 + timedelta(minutes=5), BATCH)
        if not claimed:
            break
        print(*(mail.id for mail in claimed))


def record(url: str, count: int) -> None:
    """Records the mails that everybody else records too; prints the UIDs that were new."""
    storage = SqlStorage(open_engine(url))
    for uid in range(1, count + 1):
        with storage.writing() as uow:
            if uow.inbound.add(received(uid), key(uid), T0) is not None:
                print(uid)


def begin_series(url: str, count: int) -> None:
    """Begins series between the first two players; prints their numbers."""
    storage = SqlStorage(open_engine(url))
    for _ in range(count):
        with storage.writing() as uow:
            series = Series("lanrick-1881", (1, 2), OPTIONS, T0, games=2)
            print(uow.competitions.add(series).number)


def choose(url: str, count: int) -> None:
    """Chooses things for the first player that nobody else chooses; prints nothing."""
    storage = SqlStorage(open_engine(url))
    for number in range(count):
        with storage.writing() as uow:
            uow.players.get(1)  # as whoever answers their mail has done
            uow.players.choose(1, f"{os.getpid()}-{number}", "so")


def open_first(url: str, _count: int) -> None:
    """Opens a database that may be empty; prints how many players it has."""
    storage = open_storage(url)
    with storage.reading() as uow:
        print(len(uow.players.all()))


WORK = {
    work.__name__: work
    for work in (play_locked, play_unlocked, claim, record, begin_series, choose, open_first)
}

if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    WORK[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
